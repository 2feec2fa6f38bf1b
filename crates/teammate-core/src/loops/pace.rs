//! So many in a minute, and no more.

use std::collections::VecDeque;

use crate::Timestamp;

const MINUTE_MS: u64 = 60_000;

/// When the last ones were.
#[derive(Debug, Default)]
pub struct Pace(VecDeque<Timestamp>);

impl Pace {
    /// One more at `now`, if there are fewer than `most` in the minute before; 0 is without limit. False if it is too many,
    /// which then does not count. A clock that was set back begins anew.
    pub fn take(&mut self, now: Timestamp, most: u32) -> bool {
        let is_recent = |at: Timestamp| at <= now && now.0 - at.0 < MINUTE_MS;
        while self.0.front().is_some_and(|at| !is_recent(*at)) {
            self.0.pop_front();
        }
        let is_free = most == 0 || (self.0.len() as u64) < u64::from(most);
        if is_free && most > 0 {
            self.0.push_back(now);
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_so_many_in_a_minute_are_refused() {
        let mut pace = Pace::default();
        let mut take =
            |second: u64, most: u32| pace.take(Timestamp(1_000_000 + second * 1_000), most);
        assert!((0..3).all(|second| take(second, 3)));
        assert!(!take(30, 3) && !take(59, 3));
        assert!(take(60, 3) && !take(60, 3));
        assert!(take(61, 3) && take(500, 3));
        assert!((0..1_000).all(|_| take(500, 0)));
        // The clock was set back.
        assert!((0..3).all(|_| take(7, 3)) && !take(8, 3));
    }
}
