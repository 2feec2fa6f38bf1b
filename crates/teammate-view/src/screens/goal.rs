//! The goal of the team: what it goes on for until a check passes, and how far that is.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::team::{Goal, GoalEnd, GoalRun, TeamState};

use super::room;
use crate::t;

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
            progress: t!(
                "until {check}: {progress}",
                check = room::line(&goal.check),
                progress = progress(goal)
            ),
            is_open: goal.end.is_none(),
            is_missed: goal.end.as_ref().is_some_and(GoalEnd::is_missed),
        })
    }
}

/// `try 3 of 20 exited 101 after 4.1 s`, with the end of it if there is one.
fn progress(goal: &Goal) -> String {
    let last = goal.last.as_ref().map(GoalRun::describe);
    let tries = match last {
        None => t("not tried yet").to_owned(),
        Some(last) => t!(
            "try {tries} of {most} {last}",
            tries = goal.tries,
            most = goal.tries_max,
            last
        ),
    };
    match &goal.end {
        None => tries,
        Some(end) => format!("{}; {tries}", end.describe()),
    }
}
