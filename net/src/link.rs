//! One link: hello, then frames both ways on one stream, with heartbeats.
//!
//! A frame is its length as four bytes big-endian, then so many bytes. Length 0 is a heartbeat.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::swarm::{ConnectionId, Stream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::bucket::Bucket;
use crate::handle::Shared;
use crate::hello::{Heard, Hello, Verdict, read_hello, read_verdict, write_hello, write_verdict};
use crate::limits::{HEARTBEAT, HELLO_TIMEOUT, Limits, REFUSAL_LINGER};

/// How much is read at a time, so that an announced length alone allocates nothing.
const CHUNK: usize = 64 * 1024;

/// What one peer may send, over all its links.
#[derive(Debug)]
pub(crate) struct Allowance {
    frames: Bucket,
    bytes: Bucket,
}

impl Allowance {
    pub fn new(limits: &Limits, now: Instant) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            frames: Bucket::new(limits.frames_per_second, now),
            bytes: Bucket::new(limits.bytes_per_second, now),
        }))
    }

    fn take(&mut self, bytes: usize, now: Instant) -> bool {
        self.frames.take(1, now) && self.bytes.take(bytes, now)
    }
}

/// When something was heard last, in milliseconds since the driver's start.
#[derive(Debug, Clone)]
pub(crate) struct Heartbeat {
    base: Instant,
    heard: Arc<AtomicU64>,
}

impl Heartbeat {
    pub fn new(base: Instant) -> Self {
        let heartbeat = Self { base, heard: Arc::default() };
        heartbeat.beat();
        heartbeat
    }

    pub fn beat(&self) {
        let millis = u64::try_from(self.base.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.heard.store(millis, Ordering::Relaxed);
    }

    pub fn silent_millis(&self) -> u64 {
        let now = u64::try_from(self.base.elapsed().as_millis()).unwrap_or(u64::MAX);
        now.saturating_sub(self.heard.load(Ordering::Relaxed))
    }
}

/// Why a link ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The connection is gone.
    Closed,
    /// No hello in time.
    NoHello,
    OtherVersion(u16),
    /// Our verdict.
    RefusedByUs(Verdict),
    /// Theirs.
    RefusedByThem(Verdict),
    /// A frame of this length was announced.
    Oversize(usize),
}

/// What a link tells the driver, in order.
#[derive(Debug)]
pub(crate) enum LinkNews {
    /// The other's hello; the driver answers with a verdict.
    Hello(Hello, oneshot::Sender<Verdict>),
    /// Both said welcome.
    Up(Hello),
    Frame(Vec<u8>),
    Ended(Ended),
}

/// What a link needs.
pub(crate) struct LinkTask {
    pub connection: ConnectionId,
    pub hello: Hello,
    pub max_frame: usize,
    pub allowance: Arc<Mutex<Allowance>>,
    pub heartbeat: Heartbeat,
    pub shared: Arc<Shared>,
    pub outgoing: mpsc::Receiver<Vec<u8>>,
    pub outgoing_bytes: Arc<AtomicUsize>,
    pub news: mpsc::Sender<(ConnectionId, LinkNews)>,
}

impl LinkTask {
    /// Runs until the link ends, and says why.
    pub async fn run(mut self, stream: Stream) {
        let ended = match self.talk(stream).await {
            Ok(ended) => ended,
            Err(error) => {
                tracing::debug!(connection = %self.connection, %error, "link closed");
                Ended::Closed
            }
        };
        self.tell(LinkNews::Ended(ended)).await;
    }

    async fn tell(&self, news: LinkNews) {
        // Nobody listens any more: the node stops.
        let _ = self.news.send((self.connection, news)).await;
    }

    async fn talk(&mut self, mut stream: Stream) -> io::Result<Ended> {
        let theirs = match timeout(HELLO_TIMEOUT, self.greet(&mut stream)).await {
            Err(_) => return Ok(Ended::NoHello),
            Ok(greeted) => greeted?,
        };
        let theirs = match theirs {
            Ok(hello) => hello,
            Err(ended) => {
                linger(&mut stream).await;
                return Ok(ended);
            }
        };
        self.heartbeat.beat();
        self.tell(LinkNews::Up(theirs)).await;
        let (mut read, mut write) = stream.split();
        let reader = Reader {
            connection: self.connection,
            max_frame: self.max_frame,
            allowance: &self.allowance,
            heartbeat: &self.heartbeat,
            shared: &self.shared,
            news: &self.news,
        };
        tokio::select! {
            ended = reader.run(&mut read) => ended,
            ended = write_frames(&mut write, &mut self.outgoing, &self.outgoing_bytes) => ended,
        }
    }

    /// Exchanges hellos and verdicts.
    async fn greet(&self, stream: &mut Stream) -> io::Result<Result<Hello, Ended>> {
        write_hello(stream, &self.hello).await?;
        let heard = read_hello(stream, self.hello.magic, self.hello.version).await?;
        let (verdict, otherwise) = match heard {
            Heard::Hello(hello) => {
                let verdict = self.ask(hello.clone()).await;
                write_verdict(stream, verdict).await?;
                if verdict != Verdict::Welcome {
                    return Ok(Err(Ended::RefusedByUs(verdict)));
                }
                return Ok(match read_verdict(stream).await? {
                    Verdict::Welcome => Ok(hello),
                    refused => Err(Ended::RefusedByThem(refused)),
                });
            }
            Heard::OtherMagic => (Verdict::NotOurs, Ended::RefusedByUs(Verdict::NotOurs)),
            Heard::OtherVersion(theirs) => (Verdict::Version, Ended::OtherVersion(theirs)),
            Heard::TooLong => (Verdict::BadHello, Ended::RefusedByUs(Verdict::BadHello)),
        };
        write_verdict(stream, verdict).await?;
        Ok(Err(otherwise))
    }

    async fn ask(&self, hello: Hello) -> Verdict {
        let (reply, verdict) = oneshot::channel();
        self.tell(LinkNews::Hello(hello, reply)).await;
        verdict.await.unwrap_or(Verdict::Full)
    }
}

/// Gives a refusal time to arrive before the connection closes.
async fn linger(stream: &mut Stream) {
    let mut scrap = [0; 64];
    let drain = async {
        // The other side may close first, or say more than anybody wants to know.
        for _ in 0..16 {
            match stream.read(&mut scrap).await {
                Ok(n) if n > 0 => {}
                _ => break,
            }
        }
    };
    let _ = timeout(REFUSAL_LINGER, drain).await;
}

struct Reader<'a> {
    connection: ConnectionId,
    max_frame: usize,
    allowance: &'a Mutex<Allowance>,
    heartbeat: &'a Heartbeat,
    shared: &'a Shared,
    news: &'a mpsc::Sender<(ConnectionId, LinkNews)>,
}

impl Reader<'_> {
    async fn run<R: AsyncRead + Unpin>(&self, from: &mut R) -> io::Result<Ended> {
        let mut warned = false;
        loop {
            let mut len = [0; 4];
            from.read_exact(&mut len).await?;
            self.heartbeat.beat();
            let len = usize::try_from(u32::from_be_bytes(len)).unwrap_or(usize::MAX);
            if len == 0 {
                continue;
            }
            if len > self.max_frame {
                return Ok(Ended::Oversize(len));
            }
            let bytes = self.frame(from, len).await?;
            let allowed = self
                .allowance
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(len, Instant::now());
            if allowed {
                if self.news.send((self.connection, LinkNews::Frame(bytes))).await.is_err() {
                    return Ok(Ended::Closed);
                }
            } else {
                self.shared.counters.over_rate.fetch_add(1, Ordering::Relaxed);
                if !std::mem::replace(&mut warned, true) {
                    tracing::warn!(connection = %self.connection, "a peer sends more than allowed; dropping");
                }
                // Slows the sender down, by TCP.
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        }
    }

    async fn frame<R: AsyncRead + Unpin>(&self, from: &mut R, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(len.min(CHUNK));
        while bytes.len() < len {
            let start = bytes.len();
            bytes.resize(len.min(start + CHUNK), 0);
            let part = bytes.get_mut(start..).unwrap_or_default();
            from.read_exact(part).await?;
            self.heartbeat.beat();
        }
        Ok(bytes)
    }
}

async fn write_frames<W: AsyncWrite + Unpin>(
    to: &mut W,
    outgoing: &mut mpsc::Receiver<Vec<u8>>,
    waiting: &AtomicUsize,
) -> io::Result<Ended> {
    let mut beats = interval(HEARTBEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            frame = outgoing.recv() => {
                let Some(frame) = frame else { return Ok(Ended::Closed) };
                let len = u32::try_from(frame.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
                let mut bytes = Vec::with_capacity(4 + frame.len());
                bytes.extend_from_slice(&len.to_be_bytes());
                bytes.extend_from_slice(&frame);
                to.write_all(&bytes).await?;
                waiting.fetch_sub(frame.len(), Ordering::Relaxed);
                if outgoing.is_empty() {
                    to.flush().await?;
                }
            }
            _ = beats.tick() => {
                to.write_all(&[0; 4]).await?;
                to.flush().await?;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use futures::io::Cursor;

    async fn read(bytes: Vec<u8>) -> (io::Result<Ended>, Vec<Vec<u8>>) {
        let limits = Limits { max_frame: 1000, ..Limits::default() };
        let (news, mut told) = mpsc::channel(10);
        let allowance = Allowance::new(&limits, Instant::now());
        let reader = Reader {
            connection: ConnectionId::new_unchecked(1),
            max_frame: limits.max_frame,
            allowance: &allowance,
            heartbeat: &Heartbeat::new(Instant::now()),
            shared: &Shared::default(),
            news: &news,
        };
        let ended = reader.run(&mut Cursor::new(bytes)).await;
        let mut frames = Vec::new();
        while let Ok((_, LinkNews::Frame(bytes))) = told.try_recv() {
            frames.push(bytes);
        }
        (ended, frames)
    }

    #[tokio::test]
    async fn frames_are_what_was_written() {
        let (queue, mut outgoing) = mpsc::channel(10);
        let waiting = AtomicUsize::new(6);
        for frame in [vec![1], vec![2; 5]] {
            queue.send(frame).await.unwrap();
        }
        drop(queue);
        let mut wire = Cursor::new(Vec::new());
        assert_eq!(write_frames(&mut wire, &mut outgoing, &waiting).await.unwrap(), Ended::Closed);
        assert_eq!(waiting.load(Ordering::Relaxed), 0);
        let (ended, frames) = read(wire.into_inner()).await;
        assert!(ended.is_err(), "the end of the bytes");
        assert_eq!(frames, [vec![1], vec![2; 5]]);
    }

    #[tokio::test]
    async fn too_long_a_frame_ends_the_link() {
        let (ended, frames) = read(vec![0, 0, 3, 0xe9]).await;
        assert_eq!(ended.unwrap(), Ended::Oversize(1001));
        assert!(frames.is_empty());
    }

    #[tokio::test]
    async fn a_cut_frame_is_not_delivered() {
        let (ended, frames) = read(vec![0, 0, 0, 0, 0, 0, 0, 5, 1, 2]).await;
        assert!(ended.is_err() && frames.is_empty());
    }
}
