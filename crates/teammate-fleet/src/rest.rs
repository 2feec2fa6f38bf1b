//! Whether all rest, by looking twice. A worker that rests says how far it has read each log; letters under way show as a log
//! that is longer than what its reader has seen, or as a worker that rests at another place the second time.
//!
//! It does not know what a log is; the one that waits reads their ends.

use std::collections::BTreeMap;

use teammate_core::name::WorkerName;

/// A worker whose members idle and none of whose appends is unanswered, with how far it has read: by log, a length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Resting {
    /// Each log that its members read.
    pub seen: BTreeMap<String, u64>,
}

/// The findings of one look: the answer of each worker that holds members, `None` from one that works, and where the logs
/// end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// The answers.
    pub workers: BTreeMap<WorkerName, Option<Resting>>,
    /// The ends, read after the answers.
    pub ends: BTreeMap<String, u64>,
}

/// The verdict that follows from a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RestVerdict {
    /// Somebody works, or has not seen all: look when it changes.
    Works,
    /// All rest, as it seems: look again at once.
    LookAgain,
    Rests,
}

/// Waits for rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct DoubleLook {
    first: Option<Look>,
}

impl DoubleLook {
    /// Takes a look. Rest is twice the same.
    pub fn take(&mut self, look: Look) -> RestVerdict {
        if !look.seems_resting() {
            self.first = None;
            return RestVerdict::Works;
        }
        if self.first.as_ref() == Some(&look) {
            return RestVerdict::Rests;
        }
        self.first = Some(look);
        RestVerdict::LookAgain
    }
}

impl Look {
    fn seems_resting(&self) -> bool {
        let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
        for resting in self.workers.values() {
            let Some(resting) = resting else { return false };
            for (log, length) in &resting.seen {
                let known = seen.entry(log).or_default();
                *known = (*known).max(*length);
            }
        }
        let is_seen = |(log, end): (&String, &u64)| seen.get(log.as_str()) == Some(end);
        self.ends.iter().all(is_seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(alice: Option<u64>, bob: Option<u64>, ends: (u64, u64)) -> Look {
        let of = |log: &str, length: Option<u64>| {
            length.map(|length| Resting {
                seen: [(log.to_owned(), length)].into(),
            })
        };
        let name = |text| WorkerName::parse(text).unwrap();
        Look {
            workers: [
                (name("w1"), of("alice", alice)),
                (name("w2"), of("bob", bob)),
            ]
            .into(),
            ends: [("alice".to_owned(), ends.0), ("bob".to_owned(), ends.1)].into(),
        }
    }

    #[test]
    fn twice_the_same_is_rest() {
        let mut wait = DoubleLook::default();
        assert_eq!(
            wait.take(look(Some(3), Some(2), (3, 2))),
            RestVerdict::LookAgain
        );
        assert_eq!(
            wait.take(look(Some(3), Some(2), (3, 2))),
            RestVerdict::Rests
        );
    }

    /// alice answers that she rests, bob sends her a letter and answers that he rests: each answer is true when it is given.
    #[test]
    fn a_letter_between_two_answers_is_no_rest() {
        let mut wait = DoubleLook::default();
        assert_eq!(
            wait.take(look(Some(3), Some(2), (4, 2))),
            RestVerdict::Works
        );
        assert_eq!(wait.take(look(None, Some(2), (4, 2))), RestVerdict::Works);
        // She has heard it, answered, and bob's letter box is read again.
        assert_eq!(
            wait.take(look(Some(4), Some(3), (4, 3))),
            RestVerdict::LookAgain
        );
        assert_eq!(
            wait.take(look(Some(5), Some(3), (5, 3))),
            RestVerdict::LookAgain
        );
        assert_eq!(
            wait.take(look(Some(5), Some(3), (5, 3))),
            RestVerdict::Rests
        );
    }
}
