//! Takes back mail for the member, in its own task: between two of its steps mail is either in the transcript or not taken.

use teammate_core::{
    MessageId, Sender,
    event::EventKind,
    port::Refusal,
    team::{Command, OrderEnd, OrderId},
};

use super::Driver;
use crate::recall::heard_by;

impl Driver {
    /// Carries out an order to take back mail, and records its end before anything else happens here.
    pub(super) async fn recall(&self, id: OrderId, mail: MessageId) {
        let end = match self.may_recall(&mail).await {
            Ok(()) => OrderEnd::Done,
            Err(refusal) => OrderEnd::Refused {
                why: refusal.to_string(),
            },
        };
        let is_done = end == OrderEnd::Done;
        match self.base.ledger.decide(Command::EndOrder { id, end }).await {
            Ok(ended) if is_done && !ended.is_empty() => {
                let to = self.name.clone();
                let recalled = EventKind::MailRecalled { id: mail, to };
                self.base.feed.emit(&self.name, recalled);
            }
            Ok(_) => {}
            Err(error) => {
                let text = format!("mail {mail} was not taken back: {error}");
                self.base.feed.note(&self.name, text);
            }
        }
    }

    async fn may_recall(&self, mail: &MessageId) -> Result<(), Refusal> {
        if self.agent.conversation().has_heard(mail) {
            return Err(heard_by(mail, &self.name));
        }
        let waiting = self.base.ports.mailbox.peek(&self.name).await?;
        let mut own = waiting.iter().filter(|one| one.from == Sender::User);
        match own.any(|one| one.id == *mail) {
            true => Ok(()),
            false => Err(Refusal::Rule(format!(
                "no mail of yours with the id {mail} waits for {}",
                self.name
            ))),
        }
    }
}
