//! What the user wants reached, as a fold over the journal: a text for the lead, and the check that tells whether it is reached.
//! The program runs the check each time the team rests, and the lead goes on until it passes or something ends the goal. The rules
//! are in `goal_rules`; running checks is the runtime's.
//!
//! A team has one goal at a time. It belongs to the lead's conversation in which it was set, and goes on over restarts.

mod refusal;

use serde::{Deserialize, Serialize};

pub use self::refusal::GoalRefusal;
use crate::{
    Timestamp,
    cause::Cause,
    id::{ConversationId, GoalId},
    task::in_seconds,
};

/// The most bytes of a goal's text.
pub(super) const TEXT_BYTES_MAX: usize = 64 * 1024;
/// The most bytes of a check.
pub(super) const CHECK_BYTES_MAX: usize = 4_000;
/// The tries that a goal has unless it says otherwise.
pub const GOAL_TRIES: u32 = 20;
/// The most tries that a goal can have.
pub(super) const TRIES_MAX: u32 = 1_000;
/// After so many tries that failed alike, without a change of files, the lead gets no more of them.
pub const ALIKE_MAX: u32 = 4;

/// A goal to be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGoal {
    pub call: Cause,
    /// The goal in the user's words.
    pub text: String,
    /// A shell command that exits 0 when the goal is reached.
    pub check: String,
    /// After so many tries that failed, the goal ends.
    pub tries_max: u32,
}

/// A run of a goal's check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalRun {
    /// The exit status; nothing if a signal or its time ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    pub took_ms: u64,
    /// The last lines that it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// A digest of the workspace's files as they were, where git could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
}

/// Why a goal is open no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum GoalEnd {
    /// The check passed.
    Reached,
    /// The last tries failed alike, and no file changed between them.
    Stuck,
    /// All its tries failed.
    Tried,
    /// A budget was spent.
    Budget { what: String },
    /// The check could not be run.
    Unchecked { what: String },
    /// The user ended it.
    Dropped,
}

/// Something to decide about the goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalCommand {
    /// The user sets it. The same call again sets nothing.
    Set(NewGoal),
    /// The check was run while the team rested; `number` counts the runs, from 1. Nothing happens if another run is due by now.
    Try {
        goal: GoalId,
        number: u32,
        run: GoalRun,
    },
    /// The message about this run is in the lead's mailbox.
    Tell { goal: GoalId, number: u32 },
    /// It ends for a reason outside of its check. The user may also give up one that was not reached: then it needs them no more.
    End { goal: GoalId, end: GoalEnd },
}

/// Something that happened to a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum GoalEvent {
    Set {
        call: Cause,
        text: String,
        check: String,
        tries_max: u32,
    },
    /// Its check was run.
    Tried {
        /// Counts the runs, from 1.
        number: u32,
        #[serde(flatten)]
        run: GoalRun,
    },
    /// The lead knows of that run.
    Told { number: u32 },
    Ended {
        #[serde(flatten)]
        end: GoalEnd,
    },
}

/// A goal as of some length of the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    pub id: GoalId,
    pub call: Cause,
    /// The goal in the user's words.
    pub text: String,
    pub check: String,
    pub tries_max: u32,
    pub since: Timestamp,
    /// The lead's conversation in which it was set.
    pub conversation: ConversationId,
    /// How often its check was run.
    pub tries: u32,
    pub last: Option<GoalRun>,
    /// How many runs up to the last one failed alike, without a change of files; 1 if the last one failed differently.
    pub alike: u32,
    /// Whether the lead does not know of the last run yet.
    pub is_untold: bool,
    /// Why it is open no more.
    pub end: Option<GoalEnd>,
}

/// The goals of a team: the last one, whether it is open or not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Goals {
    last: Option<Goal>,
}

impl Goals {
    /// The goal that was set last.
    pub fn last(&self) -> Option<&Goal> {
        self.last.as_ref()
    }

    /// The goal that is to be reached.
    pub fn open(&self) -> Option<&Goal> {
        self.last().filter(|goal| goal.end.is_none())
    }

    /// The goal that the user may give up: it is open, or was not reached.
    pub fn to_give_up(&self) -> Option<&Goal> {
        let last = self.last()?;
        last.end
            .as_ref()
            .is_none_or(GoalEnd::is_missed)
            .then_some(last)
    }

    pub(super) fn apply(
        &mut self,
        id: GoalId,
        change: &GoalEvent,
        (at, conversation): (Timestamp, ConversationId),
    ) {
        if let GoalEvent::Set {
            call,
            text,
            check,
            tries_max,
        } = change
        {
            self.last = Some(Goal {
                id,
                call: call.clone(),
                text: text.clone(),
                check: check.clone(),
                tries_max: *tries_max,
                since: at,
                conversation,
                tries: 0,
                last: None,
                alike: 0,
                is_untold: false,
                end: None,
            });
        } else if let Some(goal) = self.last.as_mut().filter(|goal| goal.id == id) {
            goal.change(change);
        }
    }

    /// Nobody knows what was recorded besides, and a check is a command that runs by itself: the user sets the goal again.
    pub(super) fn lapse(&mut self) {
        if let Some(goal) = self.last.as_mut().filter(|goal| goal.end.is_none()) {
            goal.end = Some(GoalEnd::Dropped);
        }
    }
}

impl Goal {
    fn change(&mut self, change: &GoalEvent) {
        match change {
            GoalEvent::Set { .. } => {}
            GoalEvent::Tried { number, run } => {
                self.tries = *number;
                self.alike = self.alike_with(run);
                self.last = Some(run.clone());
                self.is_untold = !run.has_passed();
            }
            GoalEvent::Told { .. } => self.is_untold = false,
            GoalEvent::Ended { end } => {
                self.end = Some(end.clone());
                self.is_untold = false;
            }
        }
    }

    /// How many runs up to this one failed alike.
    pub(super) fn alike_with(&self, run: &GoalRun) -> u32 {
        match &self.last {
            Some(last) if last.is_like(run) => self.alike + 1,
            Some(_) | None => 1,
        }
    }

    /// For people: how it ended, after how many tries, and how the last one went; nothing while it is open.
    pub fn ending(&self) -> Option<String> {
        let end = self.end.as_ref()?.describe();
        let tries = if self.tries == 1 { "try" } else { "tries" };
        let last = self.last.as_ref().map(GoalRun::describe);
        let last = last.map_or_else(String::new, |last| format!("; the last run {last}"));
        Some(format!("{end}, after {} {tries}{last}", self.tries))
    }

    /// The first line of its text.
    pub fn first_line(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// What the lead reads of the last run: the outcome, the end of the output, and what did not help.
    pub fn news(&self) -> Option<String> {
        let run = self.last.as_ref()?;
        let alike = match self.alike {
            0 | 1 => String::new(),
            alike => format!(
                " It failed the same way {alike} times now, and no file changed in between: what you tried does not help. Find out \
                 why, and try another way."
            ),
        };
        Some(format!(
            "The goal is not reached: its check ({check}) {how}, try {tries} of {max}.{alike} Go on until it passes. The program \
             runs it again when the team rests.\n{tail}",
            check = self.check,
            how = run.describe(),
            tries = self.tries,
            max = self.tries_max,
            tail = run.tail,
        ))
    }
}

impl GoalRun {
    /// Whether the goal is reached.
    pub fn has_passed(&self) -> bool {
        self.exit == Some(0)
    }

    /// Failed as another run failed: the same exit and output, but for numbers, such as times; and no file changed, as far as git
    /// could tell.
    fn is_like(&self, other: &Self) -> bool {
        let words = |run: &Self| run.tail.replace(|c: char| c.is_ascii_digit(), "");
        !self.has_passed()
            && self.exit == other.exit
            && self.files == other.files
            && words(self) == words(other)
    }

    /// How it ended: `exited 101 after 4.1 s`.
    pub fn describe(&self) -> String {
        let took = in_seconds(self.took_ms);
        match self.exit {
            Some(exit) => format!("exited {exit} after {took}"),
            None => format!("was ended after {took}"),
        }
    }
}

impl GoalEnd {
    /// Whether it was not reached, and the user should know.
    pub fn is_missed(&self) -> bool {
        match self {
            Self::Stuck | Self::Tried | Self::Budget { .. } | Self::Unchecked { .. } => true,
            Self::Reached | Self::Dropped => false,
        }
    }

    /// For people: why the goal is open no more.
    pub fn describe(&self) -> String {
        match self {
            Self::Reached => "reached".to_owned(),
            Self::Stuck => format!(
                "stopped: the check failed the same way {ALIKE_MAX} times, and no file changed"
            ),
            Self::Tried => "stopped: all its tries failed".to_owned(),
            Self::Budget { what } => format!("stopped: {what}"),
            Self::Unchecked { what } => format!("stopped: its check could not be run: {what}"),
            Self::Dropped => "ended by the user".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
