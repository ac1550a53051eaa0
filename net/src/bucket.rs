//! A token bucket: so much per second, and a little at once.

use std::time::Instant;

/// Seconds' worth that may come at once.
const BURST: u64 = 4;

/// Counts in thousandths, so that a millisecond's share of a small rate is not lost.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    per_second: u64,
    milli: u64,
    at: Instant,
}

impl Bucket {
    pub fn new(per_second: u32, now: Instant) -> Self {
        let per_second = u64::from(per_second);
        Self { per_second, milli: per_second * BURST * 1000, at: now }
    }

    /// Takes `n` if they are there.
    pub fn take(&mut self, n: usize, now: Instant) -> bool {
        let passed =
            now.saturating_duration_since(self.at).as_millis().min(u128::from(BURST) * 1000);
        let passed = u64::try_from(passed).unwrap_or(0);
        if passed > 0 {
            self.at = now;
            self.milli =
                (self.milli + passed * self.per_second).min(self.per_second * BURST * 1000);
        }
        let want = u64::try_from(n).unwrap_or(u64::MAX).saturating_mul(1000);
        match self.milli.checked_sub(want) {
            Some(left) => {
                self.milli = left;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_then_the_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10, start);
        assert!(bucket.take(40, start));
        assert!(!bucket.take(1, start));
        assert!(bucket.take(1, start + Duration::from_millis(100)));
        assert!(!bucket.take(1, start + Duration::from_millis(199)));
        assert!(bucket.take(1, start + Duration::from_millis(200)));
        assert!(bucket.take(40, start + Duration::from_secs(3600)));
        assert!(!bucket.take(usize::MAX, start + Duration::from_secs(7200)));
    }
}
