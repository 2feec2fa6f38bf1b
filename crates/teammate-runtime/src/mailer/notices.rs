//! Mail that the harness retries until it is sent, and the notices that a member's turn has ended, or that it has stopped or failed.

use std::time::Duration;

use teammate_core::{
    Incarnation, MemberName, MessageKind, Sender, mail::Metadata, port::MailError,
    request::RequestId, team::MessageCause, transcript::EndReason,
};

use super::{MailDraft, Mailer, truncated_to_limit};
use crate::last_turn::LastTurn;

/// How often mail is retried that nothing else would send again.
const SENT_MAX: u32 = 5;

/// The pause before it is sent again.
pub(super) const RETRY_PAUSE: Duration = Duration::from_secs(1);

impl Mailer {
    /// Sends mail that nothing else would send again; retries if it fails for a moment.
    pub(crate) async fn send_with_retries(&self, draft: MailDraft) -> Result<(), MailError> {
        for _ in 1..SENT_MAX {
            if self.send(draft.clone()).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
        self.send(draft).await
    }

    /// Sends; a worker tries again until the engine answers.
    pub(crate) async fn send_or_wait(&self, draft: MailDraft) -> Result<(), MailError> {
        loop {
            match self.send(draft.clone()).await {
                Err(MailError::Unknown { .. } | MailError::Broken { .. })
                    if self.base.waits_for_engine() =>
                {
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
                sent => return sent,
            }
        }
    }

    /// Sends the lead the notice that a member has stopped, once for each end.
    pub(crate) async fn send_terminated_notice(
        &self,
        name: &MemberName,
        life: Incarnation,
        request: Option<RequestId>,
        content: String,
        wakes: bool,
    ) {
        let cause = MessageCause::Terminated(name, life);
        let id = self.base.ledger.team().message_id(cause);
        let draft = MailDraft {
            kind: MessageKind::TeammateTerminated,
            request,
            wakes,
            metadata: Metadata::of_others([("member".to_owned(), name.as_str().into())]),
            ..MailDraft::notice(id, &MemberName::lead(), content)
        };
        if let Err(error) = self.send_with_retries(draft).await {
            let text = format!("the lead did not get the notice that {name} is stopped: {error}");
            self.base.feed.note(name, text);
        }
    }

    /// The notice for the lead that a member rests, and in a word why; it wakes nobody.
    pub(super) fn idle_notice(
        &self,
        (name, life): (&MemberName, Incarnation),
        cause: MessageCause<'_>,
        content: String,
        why: &str,
    ) -> MailDraft {
        let id = self.base.ledger.team().message_id(cause);
        MailDraft {
            kind: MessageKind::IdleNotification,
            from: Sender::Member(name.clone()),
            from_incarnation: Some(life),
            metadata: Metadata::of_others([("why".to_owned(), why.into())]),
            ..MailDraft::notice(id, &MemberName::lead(), truncated_to_limit(content))
        }
    }

    /// Sends the lead a notice that a member failed, once in this run: nothing else explains why the member does
    /// not answer.
    pub(crate) async fn send_failed_notice(&self, name: &MemberName, life: Incarnation, why: &str) {
        let content = format!(
            "{name} failed and was stopped: {why}. Its work is kept. Spawn it again, or give its work to another member."
        );
        let cause = MessageCause::Failed(name, life, self.base.feed.run());
        let draft = MailDraft {
            wakes: true,
            ..self.idle_notice((name, life), cause, content, "failed")
        };
        if let Err(error) = self.send(draft).await {
            let text = format!("the lead did not get the notice that {name} failed: {error}");
            self.base.feed.note(name, text);
        }
    }
}

impl Mailer {
    /// For the lead, with the result; it wakes nobody. Its id follows from the turn, so it is heard once however often it is sent.
    pub(crate) fn turn_end_notice(
        &self,
        name: &MemberName,
        life: Incarnation,
        ended: &LastTurn,
    ) -> MailDraft {
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
