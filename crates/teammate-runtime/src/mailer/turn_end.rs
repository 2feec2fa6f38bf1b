//! The notice that a member's turn has ended.

use teammate_core::{Incarnation, MemberName, team::MessageCause, transcript::EndReason};

use super::{Draft, Mailer};
use crate::last_turn::LastTurn;

impl Mailer {
    /// For the lead, with the result; it wakes nobody. Its id follows from the turn, so it is heard once however often it is sent.
    pub(crate) fn turn_end_notice(
        &self,
        name: &MemberName,
        life: Incarnation,
        ended: &LastTurn,
    ) -> Draft {
        let (word, content) = match &ended.why {
            EndReason::Done if ended.result.is_empty() => {
                ("done", "(finished without a result)".to_owned())
            }
            EndReason::Done => ("done", ended.result.clone()),
            EndReason::Interrupted => ("interrupted", "(interrupted by the user)".to_owned()),
            EndReason::Failed { what } => ("failed", format!("failed: {what}")),
            EndReason::Limit { what } => ("limit", what.clone()),
            EndReason::Waiting { what } => {
                ("waiting", format!("waits for {what} and continues then"))
            }
        };
        let cause = MessageCause::TurnEnd(name, life, ended.turn);
        self.idle_notice((name, life), cause, content, word)
    }
}
