//! How many members work, and how many wait for the user: the same numbers in every heading.

use crate::t;
use serde::Serialize;

use crate::{RosterLine, Sign, TeamView, counted};

/// The members by how they are, as [`Sign`] has it. Together they are all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TeamCounts {
    /// All of them.
    pub members: usize,
    pub work: usize,
    pub wait_for_you: usize,
    /// Those whose turn failed.
    pub failed: usize,
    /// Those that wait for a machine.
    pub wait: usize,
    /// Those between turns, or stopped.
    pub rest: usize,
}

impl TeamCounts {
    /// The counts of these lines.
    pub fn of(roster: &[RosterLine]) -> Self {
        let count = |sign| roster.iter().filter(|line| line.sign == sign).count();
        Self {
            members: roster.len(),
            work: count(Sign::Works),
            wait_for_you: count(Sign::NeedsYou),
            failed: count(Sign::Failed),
            wait: count(Sign::Waits),
            rest: count(Sign::Rests),
        }
    }

    /// `1 works, 4 wait for you`, and how many failed. `user` is what the reader calls the user.
    pub fn in_words(&self, user: &str) -> String {
        let mut words = vec![counted(self.work as u64, "works", "work")];
        if self.wait_for_you > 0 {
            let waits = counted(self.wait_for_you as u64, "waits", "wait");
            words.push(t!("{waits} for {user}", waits, user));
        }
        if self.failed > 0 {
            words.push(t!("{failed} failed", failed = self.failed));
        }
        words.join(t(", "))
    }

    /// The counts behind the number of members, as a heading: `Team: 6, 1 works, 4 wait for you`.
    pub fn title(&self, user: &str) -> String {
        t!(
            "Team: {members}, {words}",
            members = self.members,
            words = self.in_words(user)
        )
    }

    /// The head of a group of members that are alike: `40 work`.
    pub fn group(&self, sign: Sign, user: &str) -> String {
        let (count, one, many) = match sign {
            Sign::NeedsYou => (self.wait_for_you, "waits for", "wait for"),
            Sign::Failed => (self.failed, "failed", "failed"),
            Sign::Works => (self.work, "works", "work"),
            Sign::Waits => (self.wait, "waits for a machine", "wait for a machine"),
            Sign::Rests => (self.rest, "rests", "rest"),
        };
        let words = counted(count as u64, one, many);
        match sign {
            Sign::NeedsYou => format!("{words} {user}"),
            Sign::Failed | Sign::Works | Sign::Waits | Sign::Rests => words,
        }
    }

    /// The words before the names of members that rest.
    pub fn resting(&self) -> String {
        t!(
            "{sign} {count} rest: ",
            sign = Sign::Rests.as_char(),
            count = self.rest
        )
    }
}

impl TeamView {
    /// How many members work, wait and rest.
    pub fn counts(&self) -> TeamCounts {
        TeamCounts::of(&self.roster())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_the_user_does_not_count_as_one_that_works() {
        let counts = TeamCounts {
            members: 6,
            work: 1,
            wait_for_you: 4,
            rest: 1,
            ..TeamCounts::default()
        };
        assert_eq!(counts.title("you"), "Team: 6, 1 works, 4 wait for you");
        let counts = TeamCounts {
            members: 1,
            wait_for_you: 1,
            failed: 2,
            ..TeamCounts::default()
        };
        assert_eq!(
            counts.in_words("the user"),
            "0 work, 1 waits for the user, 2 failed"
        );
    }
}
