//! Counts what a job took, from the events.

use std::collections::BTreeMap;

use serde::Serialize;
use teammate_core::{
    MemberName,
    event::{Compaction, Event, What},
    model::Usage,
};

/// What a job took, by member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Tally(BTreeMap<MemberName, MemberTally>);

/// What one member took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MemberTally {
    /// Answers of its model.
    pub model_calls: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tool calls that were not run because nobody could be asked for permission.
    pub refused: u64,
    /// Messages it sent.
    pub mail_sent: u64,
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
}

impl Tally {
    /// Takes an event.
    pub fn take(&mut self, event: &Event) {
        let member = self.0.entry(event.member.clone()).or_default();
        match &event.what {
            What::Answered { usage, .. } => {
                member.model_calls += 1;
                member.usage += *usage;
            }
            What::Compacted { how, usage, .. } => {
                member.model_calls += u64::from(*how != Compaction::Shortened);
                member.usage += *usage;
            }
            What::SubagentAnswered { usage, .. } => {
                member.model_calls += 1;
                member.usage += *usage;
            }
            What::ToolStarted { .. } => member.tool_calls += 1,
            What::PermissionRefused { .. } => member.refused += 1,
            What::MailSent { .. } => member.mail_sent += 1,
            What::TeamOpened { .. }
            | What::Spawned { .. }
            | What::Status { .. }
            | What::Asked { .. }
            | What::Text { .. }
            | What::Retrying { .. }
            | What::JobStarted { .. }
            | What::JobEnded { .. }
            | What::ToolFinished { .. }
            | What::PermissionAsked { .. }
            | What::PermissionAnswered { .. }
            | What::PersonSaid { .. }
            | What::MailHeard { .. }
            | What::Task { .. }
            | What::SubagentStarted { .. }
            | What::SubagentEnded { .. }
            | What::Rested { .. }
            | What::RequestOpened { .. }
            | What::RequestSettled { .. }
            | What::Terminated { .. }
            | What::Notice { .. } => {}
        }
    }

    /// By member.
    pub fn members(&self) -> impl Iterator<Item = (&MemberName, &MemberTally)> {
        self.0.iter()
    }

    /// All together.
    pub fn total(&self) -> MemberTally {
        self.0
            .values()
            .fold(MemberTally::default(), |mut sum, member| {
                sum.model_calls += member.model_calls;
                sum.tool_calls += member.tool_calls;
                sum.refused += member.refused;
                sum.mail_sent += member.mail_sent;
                sum.usage += member.usage;
                sum
            })
    }
}
