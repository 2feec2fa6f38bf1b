//! The result of a member's last turn, seen from outside.

use teammate_core::{MemberName, Timestamp, team::TeamEvent, transcript::EndReason};

use super::TeamClient;
use crate::TeamError;

/// How a member's last turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnResult {
    /// Its final text; empty, if it ended by something else than an answer.
    pub text: String,
    /// Why it ended.
    pub end: EndReason,
    /// When.
    pub at: Timestamp,
}

impl TeamClient {
    /// The result of the last turn that the member has ended; nothing before that.
    ///
    /// Errors: the journal cannot be read.
    pub async fn last_result(&self, member: &MemberName) -> Result<Option<TurnResult>, TeamError> {
        let records = self.history().records_on().await?;
        let found = records.iter().rev().find_map(|record| {
            let mut events = record.events.iter().rev();
            events.find_map(|event| match event {
                TeamEvent::TurnEnded {
                    member: of,
                    why,
                    result,
                    ..
                } if of == member => Some(TurnResult {
                    text: result.clone(),
                    end: why.clone(),
                    at: record.at,
                }),
                _ => None,
            })
        });
        Ok(found)
    }
}
