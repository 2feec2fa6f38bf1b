//! Counts what a job took, from the events.

use std::collections::BTreeMap;

use serde::Serialize;
use teammate_core::{
    MemberName,
    event::{Event, EventKind},
    model::Usage,
};

/// Requests, tokens and time that a job took, by member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct RunStats(BTreeMap<MemberName, MemberStats>);

/// Requests, tokens and time of one member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MemberStats {
    /// Answers of its model.
    pub model_calls: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tool calls that were refused because the user could not be asked.
    pub refused: u64,
    /// Messages it sent.
    pub mail_sent: u64,
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
}

impl RunStats {
    /// Takes an event.
    pub fn record(&mut self, event: &Event) {
        let member = self.0.entry(event.member.clone()).or_default();
        if let Some(usage) = event.what.spent() {
            member.model_calls += 1;
            member.usage += usage;
        }
        match &event.what {
            EventKind::ToolStarted { .. } => member.tool_calls += 1,
            EventKind::PermissionRefused { .. } => member.refused += 1,
            EventKind::MailSent { .. } => member.mail_sent += 1,
            // Nothing else is counted.
            _ => {}
        }
    }

    /// By member.
    pub fn members(&self) -> impl Iterator<Item = (&MemberName, &MemberStats)> {
        self.0.iter()
    }

    /// All together.
    pub fn total(&self) -> MemberStats {
        self.0
            .values()
            .fold(MemberStats::default(), |mut sum, member| {
                sum.model_calls += member.model_calls;
                sum.tool_calls += member.tool_calls;
                sum.refused += member.refused;
                sum.mail_sent += member.mail_sent;
                sum.usage += member.usage;
                sum
            })
    }
}
