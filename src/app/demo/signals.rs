//! Ctrl-C and termination, as the demo hears them.

use crate::cli::Exit;
use crate::i18n::Problem;

/// Signals that end a demo.
///
/// Kept as long as the demo runs: one that is only awaited now and then would miss what comes between.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    /// From here on they no longer end the process by themselves.
    pub(super) fn new() -> Result<Self, Problem> {
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
    pub(super) async fn next(&mut self) -> Exit {
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
