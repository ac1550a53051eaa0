//! Completions and the manual page, made from the same definitions as the help.

use std::io::Write as _;

use clap_complete::aot;
use clap_mangen::Man;

use super::Shell;
use super::help::{self, command};
use crate::i18n::{Locale, messages as m};

/// The completions for a shell.
#[must_use]
pub fn completions(shell: Shell, locale: Locale) -> String {
    let mut command = visible(&command(locale));
    let mut script = Vec::new();
    match shell {
        Shell::Bash => aot::generate(aot::Bash, &mut command, "trinka", &mut script),
        Shell::Zsh => aot::generate(aot::Zsh, &mut command, "trinka", &mut script),
        Shell::Fish => aot::generate(aot::Fish, &mut command, "trinka", &mut script),
    }
    String::from_utf8_lossy(&script).into_owned()
}

/// The same command without what the help does not show.
fn visible(command: &clap::Command) -> clap::Command {
    let subcommands = command.get_subcommands().filter(|below| !below.is_hide_set());
    clap::Command::new(command.get_name().to_owned())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().filter(|arg| !arg.is_hide_set()).cloned())
        .subcommands(subcommands.map(visible))
}

/// The manual page: the program, then every command as a section of its own.
#[must_use]
pub fn man(locale: Locale) -> String {
    let mut root = command(locale);
    root.build();
    let mut page = Vec::new();
    // A page that cannot be written to memory cannot be written at all.
    let _ = render(&root, locale, &mut page);
    String::from_utf8_lossy(&page).into_owned()
}

fn render(root: &clap::Command, locale: Locale, page: &mut Vec<u8>) -> std::io::Result<()> {
    let man = Man::new(plain(root));
    man.render_title(page)?;
    section(page, &m::man_name(locale.lang), |out| man.render_name_section(out))?;
    section(page, &m::man_synopsis(locale.lang), |out| man.render_synopsis_section(out))?;
    examples(page, "help", locale, ".SH")?;
    section(page, &m::options_heading(locale.lang), |out| man.render_options_section(out))?;
    commands(page, root, "help", locale)?;
    writeln!(page, ".SH {}", escaped(&m::man_exit(locale.lang)))?;
    for line in m::man_exit_codes(locale.lang).lines() {
        writeln!(page, ".br\n{}", escaped(line))?;
    }
    Ok(())
}

/// The commands below this one, each with everything that its help says.
fn commands(
    page: &mut Vec<u8>,
    above: &clap::Command,
    path: &str,
    locale: Locale,
) -> std::io::Result<()> {
    for command in above.get_subcommands().filter(|command| !command.is_hide_set()) {
        let path = help::key(path, command.get_name());
        let name = command.get_bin_name().unwrap_or(command.get_name());
        writeln!(page, ".SH {}", escaped(name).to_uppercase())?;
        if let Some(about) = command.get_about() {
            writeln!(page, "{}", escaped(&about.to_string()))?;
        }
        let man = Man::new(plain(&own_only(command)));
        let mut rest = Vec::new();
        man.render_synopsis_section(&mut rest)?;
        below(page, &rest, &m::man_synopsis(locale.lang))?;
        examples(page, &path, locale, ".SS")?;
        let mut rest = Vec::new();
        man.render_options_section(&mut rest)?;
        below(page, &rest, &m::options_heading(locale.lang))?;
        commands(page, command, &path, locale)?;
    }
    Ok(())
}

/// Without the options that every command has: the page tells them once, at the top.
fn own_only(command: &clap::Command) -> clap::Command {
    command.clone().mut_args(|arg| match arg.is_global_set() {
        true => arg.hide(true),
        false => arg,
    })
}

/// Without what the help puts around it, which a manual page has its own way for.
fn plain(command: &clap::Command) -> clap::Command {
    command.clone().before_help(None::<&str>)
}

/// A section under a heading of our language.
fn section(
    page: &mut Vec<u8>,
    heading: &str,
    write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut text = Vec::new();
    write(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    writeln!(page, ".SH {}", escaped(heading).to_uppercase())?;
    body(page, &text)
}

/// The same as a part of a command's section.
fn below(page: &mut Vec<u8>, text: &[u8], heading: &str) -> std::io::Result<()> {
    let text = String::from_utf8_lossy(text);
    if text.lines().filter(|line| !line.starts_with(".SH") && !line.trim().is_empty()).count() <= 2
    {
        return Ok(());
    }
    writeln!(page, ".SS {}", escaped(heading))?;
    body(page, &text)
}

fn body(page: &mut Vec<u8>, text: &str) -> std::io::Result<()> {
    for line in text.lines().filter(|line| !line.starts_with(".SH")) {
        writeln!(page, "{line}")?;
    }
    Ok(())
}

/// The two examples that every help begins with.
fn examples(page: &mut Vec<u8>, path: &str, locale: Locale, level: &str) -> std::io::Result<()> {
    let heading = m::examples_heading(locale.lang);
    let heading = escaped(heading.trim_end_matches(':'));
    let heading = if level == ".SH" { heading.to_uppercase() } else { heading };
    writeln!(page, "{level} {heading}")?;
    writeln!(page, ".nf")?;
    for line in help::text(locale, &help::key(path, "examples")).lines() {
        writeln!(page, "{}", escaped(line.trim_end()))?;
    }
    writeln!(page, ".fi")
}

/// Text that troff takes as it stands.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
