//! Mail that waits for a member.

use teammate_core::{MemberName, Message, MessageId, port::MailError, transcript::heard_ids};

use super::{Mailer, notices::RETRY_PAUSE};

impl Mailer {
    /// Mail that waits for a member in the current conversation.
    pub(crate) async fn waiting(&self, name: &MemberName) -> Result<Vec<Message>, MailError> {
        let mut mail = self.base.ports.mailbox.peek(name).await?;
        let team = self.base.ledger.team();
        mail.retain(|mail| team.is_for_current(mail) && !team.orders().is_recalled(&mail.id));
        // Only a batch with mail for several conversations is kept after some of it was heard.
        if !name.is_lead() || team.has_one_conversation() {
            return Ok(mail);
        }
        Ok(self.without_heard(name, mail).await)
    }

    /// Whether a message waits for its recipient or was heard: a call that runs again has sent it before. A worker waits for an
    /// engine that does not answer now.
    pub(crate) async fn is_sent(&self, to: &MemberName, id: &MessageId) -> bool {
        loop {
            match self.find_sent(to, id).await {
                Some(is_sent) => return is_sent,
                None if self.base.waits_for_engine() => tokio::time::sleep(RETRY_PAUSE).await,
                None => return false,
            }
        }
    }

    /// Whether the mail was sent; `None` where that cannot be read now.
    async fn find_sent(&self, to: &MemberName, id: &MessageId) -> Option<bool> {
        let mail = self.base.ports.mailbox.peek(to).await.ok()?;
        if mail.iter().any(|message| message.id == *id) {
            return Some(true);
        }
        let entries = self.base.ports.transcripts.peek(to).await.ok()?;
        Some(heard_ids(&entries).contains(id))
    }

    /// The part of this mail that the member's transcript does not hold.
    async fn without_heard(&self, name: &MemberName, mail: Vec<Message>) -> Vec<Message> {
        if mail.is_empty() {
            return mail;
        }
        let entries = self
            .base
            .ports
            .transcripts
            .peek(name)
            .await
            .unwrap_or_default();
        let heard = heard_ids(&entries);
        let mail = mail.into_iter();
        mail.filter(|mail| !heard.contains(&mail.id)).collect()
    }
}
