//! Ctrl-C and termination, as a node and the demo hear them.

use crate::cli::Exit;
use crate::i18n::Problem;

/// Signals that end the program.
///
/// Kept as long as it runs: one that is only awaited now and then would miss what comes between.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    /// From here on they no longer end the process by themselves.
    pub(crate) fn new() -> Result<Self, Problem> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let fail = |error: std::io::Error| Problem::Internal { reason: error.to_string() };
            Ok(Self {
                interrupt: signal(SignalKind::interrupt()).map_err(fail)?,
                terminate: signal(SignalKind::terminate()).map_err(fail)?,
                hang_up: signal(SignalKind::hangup()).map_err(fail)?,
            })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Waits for one.
    pub(crate) async fn next(&mut self) -> Exit {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.terminate.recv() => Exit::Terminated,
            _ = self.hang_up.recv() => Exit::Terminated,
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
            Exit::Interrupted
        }
    }
}
