//! The mailer: makes messages, stamps them, and brings them into mailboxes. Nobody else sends mail.

mod notices;
mod waiting;

use std::sync::Arc;

use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender,
    event::EventKind,
    fence::quoted,
    mail::{CONTENT_BYTES_MAX, Metadata},
    name::nearest,
    port::{MailError, Refusal},
    request::RequestId,
    team::{MemberPhase, TeamState},
};

use crate::{activity::Activity, base::Base, shown::UnheardMessages};

/// Mail that is to be sent. Sender, id and time are the harness's to give.
#[derive(Clone)]
pub(crate) struct MailDraft {
    pub(crate) id: MessageId,
    pub(crate) kind: MessageKind,
    pub(crate) from: Sender,
    pub(crate) from_incarnation: Option<Incarnation>,
    pub(crate) to: MemberName,
    /// The incarnation that it is for, if only one.
    pub(crate) to_incarnation: Option<Incarnation>,
    pub(crate) request: Option<RequestId>,
    pub(crate) content: String,
    /// Whether it wakes its recipient; mail that is not a notice always does.
    pub(crate) wakes: bool,
    pub(crate) metadata: Metadata,
}

impl MailDraft {
    /// A message, which wakes its recipient.
    pub(crate) fn message(id: MessageId, from: Sender, to: &MemberName, content: String) -> Self {
        Self {
            id,
            kind: MessageKind::Message,
            from,
            from_incarnation: None,
            to: to.clone(),
            to_incarnation: None,
            request: None,
            content,
            wakes: true,
            metadata: Metadata::default(),
        }
    }

    /// A notice of the program, which wakes nobody.
    pub(crate) fn notice(id: MessageId, to: &MemberName, content: String) -> Self {
        Self {
            kind: MessageKind::TaskNotification,
            wakes: false,
            ..Self::message(id, Sender::System, to, content)
        }
    }
}

pub(crate) struct Mailer {
    base: Arc<Base>,
    said: UnheardMessages,
}

impl Mailer {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        Self {
            base,
            said: UnheardMessages::default(),
        }
    }

    /// The event about mail that a member has heard.
    pub(crate) fn heard(&self, message: Message) -> EventKind {
        self.said.heard(message)
    }

    /// Sends durably, then rings. Again if it is not known whether the first time reached the disk: the id stays.
    pub(crate) async fn send(&self, draft: MailDraft) -> Result<(), MailError> {
        let mut metadata = draft.metadata;
        let team = self.base.ledger.team();
        team.mark_conversation(&draft.to, &mut metadata);
        let mut message = Message {
            id: draft.id,
            kind: draft.kind,
            from: draft.from,
            from_incarnation: draft.from_incarnation,
            to: draft.to,
            to_incarnation: draft.to_incarnation,
            content: draft.content,
            sent_at: self.base.ports.clock.now(),
            request_id: draft.request,
            wakes: draft.kind.can_be_quiet().then_some(draft.wakes),
            metadata,
        };
        message.each_text(|text| self.base.setup.secrets.hide(text));
        let (id, to, kind) = (message.id.clone(), message.to.clone(), message.kind);
        let (from, content) = (message.from.clone(), message.content.clone());
        let attachments = message.metadata.attachments.notes();
        if from == Sender::User {
            self.said.by_person(id.clone());
        }
        self.base
            .activity
            .mail_sending(&to, &id, ends_wait(&message));
        let guard = SendingMail {
            activity: &self.base.activity,
            to: &to,
            id: &id,
            is_there: false,
        };
        match self.base.ports.mailbox.send(message.clone()).await {
            Err(MailError::Unknown { .. }) => self.base.ports.mailbox.send(message).await?,
            sent => sent?,
        }
        guard.confirm();
        match from {
            Sender::Member(from) => {
                let sent = EventKind::MailSent {
                    id,
                    to,
                    kind,
                    content,
                };
                self.base.feed.emit(&from, sent);
            }
            Sender::User => {
                let (by, member) = (Sender::User.to_string(), to.clone());
                let said = EventKind::PersonSaid {
                    id,
                    to,
                    by,
                    content,
                    attachments,
                };
                self.base.feed.emit(&member, said);
            }
            Sender::System | Sender::Unverified(_) => {}
        }
        Ok(())
    }

    /// A member by name, whether it runs or not.
    pub(crate) fn parse_member(&self, name: &str) -> Result<MemberName, Refusal> {
        let team = self.base.ledger.team();
        let found = MemberName::parse(name).ok();
        let found = found.filter(|name| team.member(name).is_some());
        found.ok_or_else(|| Refusal::Rule(unknown_member(&team, name, "nothing was done")))
    }

    pub(crate) fn resolve_recipient(&self, from: &Sender, to: &str) -> Result<MemberName, Refusal> {
        recipient(&self.base.ledger.team(), from, to)
    }
}

/// Whether mail should end a wait for others: all but their results, and notices that ask for nothing.
pub(crate) fn ends_wait(message: &Message) -> bool {
    message.kind != MessageKind::IdleNotification && message.wakes()
}

/// Mail between its sender and the mailbox, also if the sender is cancelled.
struct SendingMail<'a> {
    activity: &'a Activity,
    to: &'a MemberName,
    id: &'a MessageId,
    is_there: bool,
}

impl SendingMail<'_> {
    fn confirm(mut self) {
        self.is_there = true;
    }
}

impl Drop for SendingMail<'_> {
    fn drop(&mut self) {
        self.activity.mail_sent(self.to, self.id, self.is_there);
    }
}

/// Text that is too long for mail is cut, with a note.
pub(crate) fn truncated_to_limit(mut content: String) -> String {
    const CUT: &str = "\n(cut: too long for mail; ask for the rest in parts or in a file)";
    if content.len() > CONTENT_BYTES_MAX {
        content.truncate(content.floor_char_boundary(CONTENT_BYTES_MAX - CUT.len()));
        content.push_str(CUT);
    }
    content
}

/// The member that `to` names, if mail to it will be heard. Refusals name the roster and what would have worked.
pub fn recipient(team: &TeamState, from: &Sender, to: &str) -> Result<MemberName, Refusal> {
    let found = MemberName::parse(to)
        .ok()
        .filter(|name| team.member(name).is_some());
    let Some(name) = found else {
        return Err(Refusal::Rule(unknown_member(team, to, "nothing was sent")));
    };
    if *from == Sender::Member(name.clone()) {
        return Err(Refusal::Rule(
            "that is yourself; nothing was sent".to_owned(),
        ));
    }
    if team
        .member(&name)
        .is_some_and(|member| member.phase == MemberPhase::Stopped)
    {
        return Err(Refusal::Rule(format!(
            "'{name}' is stopped and would not read it; nothing was sent. The lead can wake it by spawning it again; it keeps its transcript"
        )));
    }
    Ok(name)
}

/// Names the roster and the nearest name.
fn unknown_member(team: &TeamState, to: &str, what: &str) -> String {
    let shown = quoted(to);
    let names: Vec<&str> = team.members().map(|member| member.name.as_str()).collect();
    let hint = nearest(to, team.members().map(|member| &member.name))
        .map(|name| format!(" Did you mean '{name}'?"))
        .unwrap_or_default();
    format!(
        "there is no member '{shown}'; {what}.{hint} Members: {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_result_fits_into_mail_and_says_that_it_was_cut() {
        let cut = truncated_to_limit("é".repeat(CONTENT_BYTES_MAX));
        assert!(cut.len() <= CONTENT_BYTES_MAX);
        assert!(cut.ends_with("in a file)"));
        assert_eq!(truncated_to_limit("short".to_owned()), "short");
    }
}
