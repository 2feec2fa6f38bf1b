//! The goal of the team: what it goes on for until a check passes, and how far that is.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::team::{Goal, GoalEnd, GoalRun, TeamState};

use super::room;

/// A goal in two lines. One that was given up is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoalLines {
    /// Its id, and the first line of its text.
    pub title: String,
    /// The check, the tries, and how the last one went.
    pub progress: String,
    /// Whether the team goes on for it.
    pub is_open: bool,
    /// Whether it was not reached.
    pub is_missed: bool,
}

impl GoalLines {
    /// The goal that was set last, until it is given up.
    pub fn of(team: &TeamState) -> Option<Self> {
        let goal = team.goals().last()?;
        if goal.end == Some(GoalEnd::Dropped) {
            return None;
        }
        Some(Self {
            title: format!("{} {}", goal.id, room::line(goal.first_line())),
            progress: format!("until {}: {}", room::line(&goal.check), progress(goal)),
            is_open: goal.end.is_none(),
            is_missed: goal.end.as_ref().is_some_and(GoalEnd::is_missed),
        })
    }
}

/// `try 3 of 20 exited 101 after 4.1 s`, with the end of it if there is one.
fn progress(goal: &Goal) -> String {
    let last = goal.last.as_ref().map(GoalRun::describe);
    let tries = match last {
        None => "not tried yet".to_owned(),
        Some(last) => format!("try {} of {} {last}", goal.tries, goal.tries_max),
    };
    match &goal.end {
        None => tries,
        Some(end) => format!("{}; {tries}", end.describe()),
    }
}
