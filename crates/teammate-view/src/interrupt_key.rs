//! The key that interrupts, at a prompt with nothing typed: one rule and its words for the full screen and the plain prompt.
//! Where members work it asks first; what is asked of the team then is not done here.

use std::time::{Duration, Instant};

use crate::{more, t};

/// So long the question is answered by the same key: one reads it first.
const ASKED_FOR: Duration = Duration::from_secs(5);

/// A press within this time after all turns were interrupted leaves. Who leaves within it, in any way, did not mean to end turns.
const LEAVES_WITHIN: Duration = Duration::from_secs(2);

/// So many members are named.
const NAMES_MAX: usize = 4;

/// The presses of the key so far, as far as they count.
#[derive(Debug, Default)]
pub struct InterruptKey {
    asked: Option<Instant>,
    interrupted: Option<Instant>,
}

/// The meaning of one press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterruptPress {
    /// Members work: once more interrupts them. The words are [`InterruptKey::question`].
    Asks,
    /// All turns are interrupted, and once more leaves.
    Interrupts,
    Leaves,
}

impl InterruptKey {
    /// The key is pressed at this moment.
    pub fn press(&mut self, now: Instant, has_work_under_way: bool) -> InterruptPress {
        if self.has_just_interrupted(now) {
            return InterruptPress::Leaves;
        }
        let asked = self.asked.take();
        let is_answered = asked.is_some_and(|asked| is_within(asked, now, ASKED_FOR));
        if has_work_under_way && !is_answered {
            self.asked = Some(now);
            return InterruptPress::Asks;
        }
        self.interrupted = Some(now);
        InterruptPress::Interrupts
    }

    /// Something else is done: the question is taken back. Whether there was one.
    pub fn other_key(&mut self) -> bool {
        self.asked.take().is_some()
    }

    /// Something else was asked of the team: it is not left by the next press.
    pub fn goes_on(&mut self) {
        *self = Self::default();
    }

    /// Whether all turns were interrupted by the key a moment ago.
    pub fn has_just_interrupted(&self, now: Instant) -> bool {
        self.interrupted
            .is_some_and(|interrupted| is_within(interrupted, now, LEAVES_WITHIN))
    }

    /// Asks whether the turns of these members are to be interrupted. Without a name they go on in a moment.
    pub fn question<'a>(key: &str, at_work: impl IntoIterator<Item = &'a str>) -> String {
        let names: Vec<&str> = at_work.into_iter().collect();
        let others = more(names.len(), NAMES_MAX);
        let shown = names.iter().take(NAMES_MAX).copied();
        let whose: Vec<&str> = shown.chain(others.as_deref()).collect();
        match whose.is_empty() {
            true => t!("{key} once more interrupts all turns", key),
            false => t!(
                "{key} once more interrupts all turns: {names}",
                key,
                names = whose.join(", ")
            ),
        }
    }

    /// Says that all turns were interrupted, and what the next press does: with it the team pauses if this process runs it.
    pub fn done(key: &str, pauses: bool) -> String {
        let then = match pauses {
            true => t("unfinished turns go on next time"),
            false => t("the team goes on"),
        };
        t!(
            "Interrupted all turns. {key} once more leaves; {then}",
            key,
            then
        )
    }
}

fn is_within(since: Instant, now: Instant, time: Duration) -> bool {
    now.saturating_duration_since(since) < time
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn where_members_work_it_asks_then_interrupts_then_leaves() {
        let (mut key, now) = (InterruptKey::default(), Instant::now());
        assert_eq!(key.press(now, true), InterruptPress::Asks);
        assert!(!key.has_just_interrupted(now));
        assert_eq!(key.press(now + SECOND, true), InterruptPress::Interrupts);
        assert_eq!(key.press(now + 2 * SECOND, true), InterruptPress::Leaves);
        assert_eq!(key.press(now + 9 * SECOND, true), InterruptPress::Asks);
    }

    #[test]
    fn where_nobody_works_nobody_is_asked() {
        let (mut key, now) = (InterruptKey::default(), Instant::now());
        assert_eq!(key.press(now, false), InterruptPress::Interrupts);
        assert_eq!(key.press(now, false), InterruptPress::Leaves);
    }

    #[test]
    fn a_question_is_over_after_a_while_and_after_another_key() {
        let (mut key, now) = (InterruptKey::default(), Instant::now());
        assert_eq!(key.press(now, true), InterruptPress::Asks);
        assert_eq!(key.press(now + 6 * SECOND, true), InterruptPress::Asks);
        assert!(key.other_key());
        assert!(!key.other_key());
        assert_eq!(key.press(now + 7 * SECOND, true), InterruptPress::Asks);
        assert_eq!(
            key.press(now + 8 * SECOND, true),
            InterruptPress::Interrupts
        );
        key.goes_on();
        assert_eq!(key.press(now + 8 * SECOND, true), InterruptPress::Asks);
    }

    #[test]
    fn it_names_whose_turns_would_end() {
        let names = ["lead", "alice", "bob", "carol", "dave", "erin"];
        assert_eq!(
            InterruptKey::question("Ctrl-C", names),
            "Ctrl-C once more interrupts all turns: lead, alice, bob, carol, 2 more"
        );
        assert_eq!(
            InterruptKey::question("Ctrl-C", []),
            "Ctrl-C once more interrupts all turns"
        );
    }
}
