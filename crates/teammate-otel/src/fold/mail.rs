//! Mail: a span from the moment it is sent to the moment it is heard, and a link from the turn that heard it.

use std::collections::BTreeMap;

use teammate_core::{
    MemberName, MessageId, MessageKind, Timestamp,
    event::{Event, EventKind},
};

use super::{
    FoldParts, SpanFold,
    words::{cut, word},
};
use crate::{
    names::{attribute, operation},
    span::{Link, OpenSpan, SpanId, SpanSide},
};

/// How many pieces may be on their way; more have a span when they are heard.
const MAIL_MAX: usize = 10_000;

/// Mail that nobody has heard yet, by id and recipient: mail to all has one id for each.
#[derive(Debug, Default)]
pub(super) struct MailOnItsWay(BTreeMap<(MessageId, MemberName), OpenSpan>);

/// A piece of mail, as its events have it.
struct Mail<'a> {
    id: &'a MessageId,
    from: String,
    to: &'a MemberName,
    kind: MessageKind,
    content: Option<&'a str>,
}

impl MailOnItsWay {
    /// Nobody hears it in this run.
    pub(super) fn give_up(&mut self, shared: &mut FoldParts, at: Timestamp) {
        for mut open in std::mem::take(&mut self.0).into_values() {
            open.set(attribute::MAIL_END, "unheard");
            shared.end(open, at, None);
        }
    }
}

impl Mail<'_> {
    fn begin(&self, shared: &mut FoldParts, parent: SpanId, at: Timestamp) -> OpenSpan {
        let name = format!("{} {}", operation::MAIL, self.to);
        let mut open = shared
            .begin(parent, name, SpanSide::Producer, at)
            .with(attribute::OPERATION, operation::MAIL)
            .with(attribute::MAIL_ID, self.id.as_str())
            .with(attribute::MAIL_KIND, word(&self.kind))
            .with(attribute::MAIL_FROM, self.from.as_str())
            .with(attribute::MAIL_TO, self.to.as_str());
        let content = self.content.and_then(|text| shared.said(|| cut(text)));
        if let Some(content) = content {
            open.set(attribute::MAIL_CONTENT, content);
        }
        open
    }
}

impl SpanFold {
    /// Takes an event about mail; another one changes nothing.
    pub(super) fn take_mail(&mut self, event: &Event) {
        match &event.what {
            EventKind::PersonSaid {
                id,
                to,
                by,
                content,
                ..
            } => {
                let mail = Mail {
                    id,
                    from: by.clone(),
                    to,
                    kind: MessageKind::Message,
                    content: Some(content),
                };
                self.send(&mail, self.shared.root, event.at);
            }
            EventKind::MailSent {
                id,
                to,
                kind,
                content,
            } => {
                let mail = Mail {
                    id,
                    from: event.member.to_string(),
                    to,
                    kind: *kind,
                    content: Some(content),
                };
                self.send(&mail, self.turn_of(&event.member), event.at);
            }
            EventKind::MailHeard {
                id,
                from,
                kind,
                content,
                ..
            } => {
                let mail = Mail {
                    id,
                    from: from.to_string(),
                    to: &event.member,
                    kind: *kind,
                    content: content.as_deref(),
                };
                self.hear(&mail, event.at);
            }
            EventKind::MailRecalled { id, to } => {
                if let Some(mut open) = self.mail.0.remove(&(id.clone(), to.clone())) {
                    open.set(attribute::MAIL_END, "recalled");
                    self.shared.end(open, event.at, None);
                }
            }
            // Only mail is followed here.
            _ => {}
        }
    }

    fn send(&mut self, mail: &Mail<'_>, parent: SpanId, at: Timestamp) {
        if self.mail.0.len() < MAIL_MAX {
            let open = mail.begin(&mut self.shared, parent, at);
            let key = (mail.id.clone(), mail.to.clone());
            self.mail.0.insert(key, open);
        }
    }

    /// Its recipient has it. Where nobody saw it sent (by another process, in an earlier run, or with a spawn), its span is this
    /// moment.
    fn hear(&mut self, mail: &Mail<'_>, at: Timestamp) {
        let known = self.mail.0.remove(&(mail.id.clone(), mail.to.clone()));
        let mut open = known.unwrap_or_else(|| {
            let sender = MemberName::parse(&mail.from).ok();
            let parent = sender.map_or(self.shared.root, |sender| self.turn_of(&sender));
            mail.begin(&mut self.shared, parent, at)
        });
        open.set(attribute::MAIL_END, "heard");
        let link = Link {
            to: open.id(),
            mail: mail.id.as_str().to_owned(),
        };
        self.shared.end(open, at, None);
        let recipient = self.members.entry(mail.to.clone()).or_default();
        recipient.hear(link);
    }
}
