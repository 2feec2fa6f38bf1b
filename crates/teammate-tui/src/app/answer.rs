//! When a key answers a question: only in the screen of needs, once all of the question was on the screen for a moment, and not
//! in the middle of typing.

use std::time::{Duration, Instant};

use teammate_core::request::{Digest, RequestId};

/// All of the action must have been on the screen for so long.
const SEEN_FOR: Duration = Duration::from_millis(400);

/// And no other key may have come so shortly before.
const QUIET_FOR: Duration = Duration::from_millis(250);

/// A question, as it was on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) request: RequestId,
    /// Of the action; a plan has none, since another plan is another request.
    pub(crate) digest: Option<Digest>,
}

/// Whether a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It answers this question.
    Counts,
    /// The question came on the screen just now.
    TooSoon,
    /// Other keys came just before.
    Typing,
    /// Some of the action was not on the screen yet.
    NotAllSeen,
}

/// Watches what is on the screen, and the keys.
#[derive(Debug, Default)]
pub(crate) struct AnswerGuard {
    shown: Option<Shown>,
    last_key: Option<Instant>,
}

#[derive(Debug)]
struct Shown {
    asked: Asked,
    /// The last row was on the screen since then.
    whole_since: Option<Instant>,
}

impl AnswerGuard {
    /// This question is on the screen, with its last row or without it.
    pub(crate) fn shows(&mut self, asked: &Asked, has_end: bool, now: Instant) {
        match &mut self.shown {
            Some(shown) if shown.asked == *asked => {
                if has_end && shown.whole_since.is_none() {
                    shown.whole_since = Some(now);
                }
            }
            Some(_) | None => {
                self.shown = Some(Shown {
                    asked: asked.clone(),
                    whole_since: has_end.then_some(now),
                });
            }
        }
    }

    /// No question is on the screen.
    pub(crate) fn shows_none(&mut self) {
        self.shown = None;
    }

    /// A key that could answer this question, and whether it does.
    pub(crate) fn judge(&mut self, asked: &Asked, now: Instant) -> Verdict {
        let is_typing = self
            .last_key
            .is_some_and(|last| now.duration_since(last) < QUIET_FOR);
        self.key(now);
        let Some(shown) = self.shown.as_ref().filter(|shown| shown.asked == *asked) else {
            return Verdict::TooSoon;
        };
        match shown.whole_since {
            None => Verdict::NotAllSeen,
            Some(_) if is_typing => Verdict::Typing,
            Some(since) if now.duration_since(since) < SEEN_FOR => Verdict::TooSoon,
            Some(_) => Verdict::Counts,
        }
    }

    /// Any key was pressed.
    pub(crate) fn key(&mut self, now: Instant) {
        self.last_key = Some(now);
    }

    /// Whether time alone will change what a key means.
    pub(crate) fn is_waiting(&self) -> bool {
        let since = self.shown.as_ref().and_then(|shown| shown.whole_since);
        since.is_some_and(|since| since.elapsed() < SEEN_FOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(byte: u8) -> Asked {
        Asked {
            request: RequestId::new(7),
            digest: Some(Digest::of_bytes([byte; 32])),
        }
    }

    #[test]
    fn a_key_counts_once_all_was_seen_for_a_moment_and_nobody_types() {
        let (start, one) = (Instant::now(), question(1));
        let at = |millis| start + Duration::from_millis(millis);
        let mut guard = AnswerGuard::default();
        assert_eq!(guard.judge(&one, at(0)), Verdict::TooSoon, "not shown");
        guard.shows(&one, false, at(1_000));
        assert_eq!(guard.judge(&one, at(3_000)), Verdict::NotAllSeen);
        guard.shows(&one, true, at(4_000));
        assert_eq!(guard.judge(&one, at(4_300)), Verdict::TooSoon);
        guard.key(at(4_900));
        assert_eq!(guard.judge(&one, at(5_000)), Verdict::Typing);
        assert_eq!(guard.judge(&one, at(5_500)), Verdict::Counts);
        // Another action under the same key is another question.
        guard.shows(&question(2), true, at(6_000));
        assert_eq!(guard.judge(&question(2), at(6_300)), Verdict::TooSoon);
        assert_eq!(guard.judge(&one, at(9_000)), Verdict::TooSoon, "it is gone");
    }

    /// A person types words at the speed of people, with `y`, `a`, `n` and `w` among them, while questions come up.
    #[test]
    fn stray_typing_answers_nothing() {
        let seed = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(1, |time| time.subsec_nanos().into())
            | 1_u64;
        println!("seed {seed}");
        let mut state = seed;
        let mut random = move |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        for _ in 0..10_000 {
            let (mut guard, mut now) = (AnswerGuard::default(), Instant::now());
            let arrives = random(40);
            let asked = question(u8::try_from(random(250)).unwrap());
            for key in 0..40 {
                now += Duration::from_millis(40 + random(200));
                if key == arrives {
                    guard.shows(&asked, random(2) == 0, now);
                }
                assert_ne!(guard.judge(&asked, now), Verdict::Counts);
            }
        }
    }
}
