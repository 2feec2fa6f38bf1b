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
pub(super) enum WorkerEvent {
    /// It listens for teams.
    Joined,
    Serves {
        team: TeamId,
    },
    /// A team cannot be served now.
    Waits {
        team: TeamId,
        why: String,
    },
    /// It holds these members of a team now.
    Holds {
        team: TeamId,
        members: Vec<String>,
    },
    /// It gets no members of a team.
    FallsShort {
        team: TeamId,
        /// The walls that it lacks.
        why: String,
    },
    /// It serves a team no more.
    Ended {
        team: TeamId,
        why: String,
    },
    /// It gives up what it holds.
    Drains,
    /// It holds nothing.
    Left,
}

/// Where it is said.
#[derive(Clone)]
pub(super) struct WorkerOutput {
    is_json: bool,
    worker: WorkerName,
}

/// A line for machines.
#[derive(Serialize)]
struct OutputLine<'a> {
    worker: &'a WorkerName,
    #[serde(flatten)]
    what: &'a WorkerEvent,
}

impl WorkerOutput {
    pub(super) fn new(is_json: bool, worker: WorkerName) -> Self {
        Self { is_json, worker }
    }

    pub(super) fn says(&self, what: &WorkerEvent) {
        let worker = &self.worker;
        if self.is_json {
            let line = serde_json::to_value(OutputLine { worker, what });
            return print_json(&line.expect("texts are JSON"));
        }
        print_line(clean(&match what {
            WorkerEvent::Joined => format!("Worker '{worker}' waits for teams; Ctrl-C drains it"),
            WorkerEvent::Serves { team } => format!("team {team}: served"),
            WorkerEvent::Waits { team, why } => format!("team {team}: not served yet: {why}"),
            WorkerEvent::Holds { team, members } if members.is_empty() => {
                format!("team {team}: holds nobody")
            }
            WorkerEvent::Holds { team, members } => {
                format!("team {team}: holds {}", members.join(", "))
            }
            WorkerEvent::FallsShort { team, why } => {
                format!("team {team}: this worker gets no members: {why}")
            }
            WorkerEvent::Ended { team, why } => format!("team {team}: served no more: {why}"),
            WorkerEvent::Drains => {
                "Draining: members move to other workers, or wait here for one; a second Ctrl-C ends at once".to_owned()
            }
            WorkerEvent::Left => format!("Worker '{worker}' has left"),
        }));
    }
}
