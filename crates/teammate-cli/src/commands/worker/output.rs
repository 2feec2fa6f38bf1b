//! The output of a worker: a line for people, or a JSON object for machines.

use serde::Serialize;
use teammate::nats::{WorkerName, layout::TeamId};

use crate::{
    commands::{print_json, print_line},
    screen::clean,
};

/// The events that a worker prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Progress {
    /// It listens for teams.
    Joined,
    /// It serves a team.
    Serves {
        /// Which.
        team: TeamId,
    },
    /// A team cannot be served now.
    Waits {
        /// Which.
        team: TeamId,
        /// Why.
        why: String,
    },
    /// It holds these members of a team now.
    Holds {
        /// Which team.
        team: TeamId,
        /// Whom.
        members: Vec<String>,
    },
    /// It gets no members of a team.
    FallsShort {
        /// Which team.
        team: TeamId,
        /// The walls that it lacks.
        why: String,
    },
    /// It serves a team no more.
    Ended {
        /// Which.
        team: TeamId,
        /// Why.
        why: String,
    },
    /// It gives up what it holds.
    Drains,
    /// It holds nothing.
    Left,
}

/// Where it is said.
#[derive(Clone)]
pub(super) struct Output {
    is_json: bool,
    worker: WorkerName,
}

/// A line for machines.
#[derive(Serialize)]
struct Line<'a> {
    worker: &'a WorkerName,
    #[serde(flatten)]
    what: &'a Progress,
}

impl Output {
    pub(super) fn new(is_json: bool, worker: WorkerName) -> Self {
        Self { is_json, worker }
    }

    pub(super) fn says(&self, what: &Progress) {
        let worker = &self.worker;
        if self.is_json {
            let line = serde_json::to_value(Line { worker, what });
            return print_json(&line.expect("texts are JSON"));
        }
        print_line(clean(&match what {
            Progress::Joined => format!("Worker '{worker}' waits for teams; Ctrl-C drains it"),
            Progress::Serves { team } => format!("team {team}: served"),
            Progress::Waits { team, why } => format!("team {team}: not served yet: {why}"),
            Progress::Holds { team, members } if members.is_empty() => {
                format!("team {team}: holds nobody")
            }
            Progress::Holds { team, members } => {
                format!("team {team}: holds {}", members.join(", "))
            }
            Progress::FallsShort { team, why } => {
                format!("team {team}: this worker gets no members: {why}")
            }
            Progress::Ended { team, why } => format!("team {team}: served no more: {why}"),
            Progress::Drains => {
                "Draining: members move to other workers, or wait here for one; a second Ctrl-C ends at once".to_owned()
            }
            Progress::Left => format!("Worker '{worker}' has left"),
        }));
    }
}
