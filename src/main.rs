//! The `trinka` program.
fn main() -> std::process::ExitCode {
    trinka::app::main()
}
