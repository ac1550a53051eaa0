//! Standard output on a thread of its own: a terminal that is held (Ctrl-S) or a pipe that nobody reads
//! must not stop the table.

use std::io::{self, LineWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};

/// Lines that may wait to be read; an evening has fewer.
const LINES: usize = 20_000;

/// What screens write to.
pub(super) struct Paper {
    lines: SyncSender<Vec<u8>>,
    gone: Arc<AtomicBool>,
}

/// Opens standard output. The receiver hears when everything is written and the writer is dropped; the
/// flag goes up when the reader is gone, which a program that has nothing more to write would not notice.
pub(super) fn stdout() -> (LineWriter<Paper>, Receiver<()>, Arc<AtomicBool>) {
    let (lines, waiting) = sync_channel::<Vec<u8>>(LINES);
    let (done, written) = channel();
    let gone = Arc::new(AtomicBool::new(false));
    let (tell, noticed) = (Arc::clone(&gone), Arc::clone(&gone));
    std::thread::spawn(move || {
        for line in waiting {
            let mut out = io::stdout().lock();
            if out.write_all(&line).and_then(|()| out.flush()).is_err() {
                tell.store(true, Ordering::Relaxed);
                break;
            }
        }
        // Nobody may be waiting any more.
        let _ = done.send(());
    });
    (LineWriter::new(Paper { lines, gone }), written, noticed)
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gone.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        match self.lines.try_send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(TrySendError::Full(_)) => Err(io::Error::other("nobody reads what is written")),
            Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
