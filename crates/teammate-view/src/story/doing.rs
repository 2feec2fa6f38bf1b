//! A member's activity at the moment.

use std::time::Duration;

use serde::Serialize;
use teammate_core::{
    Timestamp, event::EventKind, request::RequestId, team::MemberStatus, tool::CallId,
};

use super::Story;

/// A member's activity, and since when.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Doing {
    pub what: DoingKind,
    pub since: Timestamp,
    /// How far the tool is that it runs, as the tool says.
    pub progress: Option<String>,
}

/// The kinds of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum DoingKind {
    /// It asks its model, for the so-manieth time in this turn.
    Asks {
        /// From 1.
        round: u32,
    },
    /// Its answer comes in.
    Writes,
    /// It waits before it asks its model again.
    Retries {
        why: String,
        /// The number of the next try.
        attempt: u32,
        /// When that begins.
        until: Timestamp,
    },
    Runs {
        call: CallId,
        tool: String,
        /// The call's purpose, in a line.
        summary: String,
    },
    /// It waits for an answer to this question; the call continues after it.
    WaitsFor {
        request: RequestId,
        /// The call that it ran when it asked.
        runs: Option<(CallId, String, String)>,
    },
}

impl DoingKind {
    /// Whether the member waits for a person, so that no time of its own passes.
    pub fn is_waiting_for_person(&self) -> bool {
        matches!(self, Self::WaitsFor { .. })
    }
}

impl Story {
    /// Takes the activity of the member after this event.
    pub(super) fn take_doing(&mut self, at: Timestamp, what: &EventKind) {
        let next = match what {
            EventKind::ModelAsked { round, .. } => Some(DoingKind::Asks { round: *round }),
            EventKind::Text { .. } => match self.doing.as_ref().map(|doing| &doing.what) {
                Some(DoingKind::Writes) => return,
                Some(_) | None => Some(DoingKind::Writes),
            },
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            } => Some(DoingKind::Retries {
                why: self.reason(why).to_owned(),
                attempt: *attempt,
                until: at.after(Duration::from_millis(*after_ms)),
            }),
            // What a subagent calls is a part of its member's call.
            EventKind::ToolStarted {
                call,
                tool,
                summary,
                subagent: None,
                ..
            } => Some(DoingKind::Runs {
                call: call.clone(),
                tool: tool.clone(),
                summary: summary.clone(),
            }),
            EventKind::ToolFinished { call, .. } => {
                match self.doing.as_ref().map(|doing| &doing.what) {
                    Some(DoingKind::Runs { call: runs, .. }) if runs == call => None,
                    Some(_) | None => return,
                }
            }
            EventKind::PermissionAsked { question, .. } => Some(DoingKind::WaitsFor {
                request: RequestId::new(*question),
                runs: match self.doing.take().map(|doing| doing.what) {
                    Some(DoingKind::Runs {
                        call,
                        tool,
                        summary,
                    }) => Some((call, tool, summary)),
                    Some(DoingKind::WaitsFor { runs, .. }) => runs,
                    Some(_) | None => None,
                },
            }),
            EventKind::PermissionAnswered { .. } => match self.doing.take().map(|doing| doing.what)
            {
                Some(DoingKind::WaitsFor {
                    runs: Some((call, tool, summary)),
                    ..
                }) => Some(DoingKind::Runs {
                    call,
                    tool,
                    summary,
                }),
                Some(_) | None => None,
            },
            EventKind::ModelAnswered { .. }
            | EventKind::TurnEnded { .. }
            | EventKind::Terminated { .. }
            | EventKind::TeamClosed { .. } => None,
            EventKind::Status { status, .. } if *status != MemberStatus::Working => None,
            // Nothing else begins or ends what a member does.
            _ => return,
        };
        self.doing = next.map(|what| Doing {
            what,
            since: at,
            progress: None,
        });
    }

    /// Takes the progress of a call, unless it runs no longer, or another one took its place.
    pub(super) fn take_progress(&mut self, of: &CallId, text: &str) {
        if let Some(doing) = &mut self.doing
            && let DoingKind::Runs { call, .. } = &doing.what
            && call == of
        {
            doing.progress = Some(text.to_owned());
        }
    }
}
