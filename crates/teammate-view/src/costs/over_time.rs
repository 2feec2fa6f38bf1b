//! When members used their tokens: counts in steps of time, all of one length, which grows with the run.

use std::collections::BTreeMap;

use serde::Serialize;
use teammate_core::{MemberName, Timestamp};

/// The length of a step at first, in milliseconds.
const STEP_FIRST_MS: u64 = 1_000;

/// At most so many steps are counted. A longer run has longer ones.
const STEPS_MAX: u64 = 64;

/// Tokens by member and step. The same answers give the same counts, in whatever order they come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TokensOverTime {
    step_ms: u64,
    /// The first and the last step that has any, since the beginning of time.
    ends: Option<(u64, u64)>,
    members: BTreeMap<MemberName, BTreeMap<u64, u64>>,
}

impl Default for TokensOverTime {
    fn default() -> Self {
        Self {
            step_ms: STEP_FIRST_MS,
            ends: None,
            members: BTreeMap::new(),
        }
    }
}

impl TokensOverTime {
    pub(super) fn add(&mut self, member: &MemberName, at: Timestamp, tokens: u64) {
        if tokens == 0 {
            return;
        }
        let step = at.0 / self.step_ms;
        let (first, last) = self.ends.unwrap_or((step, step));
        self.ends = Some((first.min(step), last.max(step)));
        let steps = self.members.entry(member.clone()).or_default();
        let count = steps.entry(step).or_default();
        *count = count.saturating_add(tokens);
        while self.len() > STEPS_MAX {
            self.lengthen();
        }
    }

    /// Makes each step twice as long.
    fn lengthen(&mut self) {
        self.step_ms = self.step_ms.saturating_mul(2);
        self.ends = self.ends.map(|(first, last)| (first / 2, last / 2));
        for steps in self.members.values_mut() {
            let mut longer = BTreeMap::<u64, u64>::new();
            for (step, tokens) in std::mem::take(steps) {
                let count = longer.entry(step / 2).or_default();
                *count = count.saturating_add(tokens);
            }
            *steps = longer;
        }
    }

    fn len(&self) -> u64 {
        self.ends
            .map_or(0, |(first, last)| (last - first).saturating_add(1))
    }

    /// The length of a step, in milliseconds.
    pub fn step_ms(&self) -> u64 {
        self.step_ms
    }

    /// When the first step begins; nothing before anything was used.
    pub fn begin(&self) -> Option<Timestamp> {
        let (first, _) = self.ends?;
        Some(Timestamp(first.saturating_mul(self.step_ms)))
    }

    /// The tokens of a member in each step.
    pub fn of_member(&self, member: &MemberName) -> Vec<u64> {
        let steps = self.members.get(member);
        self.counts(|step| steps.and_then(|steps| steps.get(&step).copied()))
    }

    /// The tokens of all members in each step.
    pub fn of_all(&self) -> Vec<u64> {
        self.counts(|step| {
            let members = self.members.values();
            let counts = members.filter_map(|steps| steps.get(&step));
            Some(counts.fold(0, |sum: u64, count| sum.saturating_add(*count)))
        })
    }

    /// The most that one member used in a step.
    pub fn most(&self) -> u64 {
        let counts = self.members.values().flat_map(BTreeMap::values);
        counts.copied().max().unwrap_or(0)
    }

    fn counts(&self, count: impl Fn(u64) -> Option<u64>) -> Vec<u64> {
        let steps = self.ends.map(|(first, last)| first..=last);
        let steps = steps.into_iter().flatten();
        steps.map(|step| count(step).unwrap_or(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> MemberName {
        MemberName::parse(text).unwrap()
    }

    #[test]
    fn what_is_used_is_counted_by_member_and_step() {
        let mut time = TokensOverTime::default();
        assert_eq!((time.begin(), time.of_all()), (None, vec![]));
        time.add(&name("alice"), Timestamp(12_000), 5);
        time.add(&name("bob"), Timestamp(12_999), 7);
        time.add(&name("alice"), Timestamp(14_000), 1);
        assert_eq!(time.begin(), Some(Timestamp(12_000)));
        assert_eq!(time.of_member(&name("alice")), [5, 0, 1]);
        assert_eq!(time.of_member(&name("bob")), [7, 0, 0]);
        assert_eq!(time.of_member(&name("carol")), [0, 0, 0]);
        assert_eq!((time.of_all(), time.most()), (vec![12, 0, 1], 7));
    }

    #[test]
    fn a_long_run_has_longer_steps_and_loses_nothing_in_any_order() {
        let mut answers: Vec<u64> = (0..2_000)
            .map(|number| number * 7_919 % 3_600_000)
            .collect();
        let counted = |answers: &[u64]| {
            let mut time = TokensOverTime::default();
            for at in answers {
                time.add(&name("alice"), Timestamp(*at), 3);
            }
            time
        };
        let time = counted(&answers);
        assert!(time.of_all().len() <= 64);
        assert_eq!(time.of_all().iter().sum::<u64>(), 6_000);
        assert_eq!(time.step_ms(), 64_000);
        answers.reverse();
        assert_eq!(counted(&answers), time);
    }
}
