//! The team's mail as a person sees it: who wrote what to whom, and how far it came.

use crate::t;
use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use teammate_core::{
    MemberName, MessageId, MessageKind, Sender, Timestamp,
    event::{Event, EventKind},
};

use crate::KeptEntries;

/// The most messages that are kept; older ones are dropped.
pub const MAIL_MAX: usize = 2_000;

/// A message, and how far it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mail {
    pub id: MessageId,
    /// When it was sent; of mail that nobody announced, when it was heard.
    pub at: Timestamp,
    pub from: Sender,
    pub to: MemberName,
    pub kind: MessageKind,
    /// The text; empty if no fact held it.
    pub text: String,
    /// How far it came.
    pub receipt: Receipt,
}

/// How far a message came. A step is only said once it is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Receipt {
    /// It waits in the mailbox.
    Queued,
    /// The user took it back before anybody heard it.
    TakenBack,
    /// It is in the recipient's conversation.
    Heard { at: Timestamp },
    /// The recipient did something after it had heard it.
    Acted {
        heard: Timestamp,
        at: Timestamp,
        /// The action of the member, in a line.
        what: String,
    },
}

impl Receipt {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Queued => t("queued"),
            Self::TakenBack => t("taken back"),
            Self::Heard { .. } => t("heard"),
            Self::Acted { .. } => t("acted"),
        }
    }

    /// When it was heard.
    pub fn heard(&self) -> Option<Timestamp> {
        match self {
            Self::Queued | Self::TakenBack => None,
            Self::Heard { at } | Self::Acted { heard: at, .. } => Some(*at),
        }
    }

    /// When its recipient did something after it, and what.
    pub fn acted(&self) -> Option<(Timestamp, &str)> {
        match self {
            Self::Queued | Self::TakenBack | Self::Heard { .. } => None,
            Self::Acted { at, what, .. } => Some((*at, what)),
        }
    }
}

/// All mail that is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MailLog {
    mail: VecDeque<Mail>,
    dropped: u64,
    #[serde(skip)]
    kept: KeptEntries,
    /// Where each message is, counted from the first one ever.
    places: BTreeMap<MessageId, u64>,
    /// The mail that each member has heard since it last did something.
    fresh: BTreeMap<MemberName, Vec<MessageId>>,
}

impl MailLog {
    pub(crate) fn keeping(kept: KeptEntries) -> Self {
        Self {
            kept,
            ..Self::default()
        }
    }

    /// The messages that are kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Mail> + ExactSizeIterator {
        self.mail.iter()
    }

    /// How many older messages were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// A message by its id.
    pub fn get(&self, id: &MessageId) -> Option<&Mail> {
        let place = self.places.get(id)?.checked_sub(self.dropped)?;
        self.mail.get(usize::try_from(place).ok()?)
    }

    /// The messages that nobody has heard yet, oldest first.
    pub fn queued(&self) -> impl DoubleEndedIterator<Item = &Mail> {
        self.iter().filter(|mail| mail.receipt == Receipt::Queued)
    }

    pub(crate) fn take(&mut self, event: &Event) {
        match &event.what {
            EventKind::MailSent {
                id,
                to,
                kind,
                content,
            } => self.add(Mail {
                id: id.clone(),
                at: event.at,
                from: Sender::Member(event.member.clone()),
                to: to.clone(),
                kind: *kind,
                text: content.clone(),
                receipt: Receipt::Queued,
            }),
            EventKind::PersonSaid {
                id, to, content, ..
            } => self.add(Mail {
                id: id.clone(),
                at: event.at,
                from: Sender::User,
                to: to.clone(),
                kind: MessageKind::Message,
                text: content.clone(),
                receipt: Receipt::Queued,
            }),
            EventKind::MailHeard {
                id,
                from,
                kind,
                content,
                ..
            } => {
                self.add(Mail {
                    id: id.clone(),
                    at: event.at,
                    from: from.clone(),
                    to: event.member.clone(),
                    kind: *kind,
                    text: content.clone().unwrap_or_default(),
                    receipt: Receipt::Queued,
                });
                self.hear(&event.member, id, event.at);
            }
            EventKind::MailRecalled { id, .. } => self.take_back(id),
            EventKind::ToolStarted { tool, summary, .. } => {
                self.act(&event.member, event.at, &format!("{tool} {summary}"));
            }
            EventKind::ModelAnswered { text, .. } => {
                if let Some(line) = text.lines().find(|line| !line.trim().is_empty()) {
                    self.act(&event.member, event.at, line);
                }
            }
            EventKind::TurnEnded { .. } => self.act(&event.member, event.at, t("ended its turn")),
            // Only mail is followed here, and what its recipients do after it.
            _ => {}
        }
    }

    /// Adds a message that is not known yet.
    fn add(&mut self, mail: Mail) {
        if self.places.contains_key(&mail.id) {
            return;
        }
        let place = self.dropped + self.mail.len() as u64;
        self.places.insert(mail.id.clone(), place);
        self.mail.push_back(mail);
        if self.kept.is_exceeded(self.mail.len(), MAIL_MAX)
            && let Some(old) = self.mail.pop_front()
        {
            self.places.remove(&old.id);
            self.dropped += 1;
        }
    }

    fn hear(&mut self, who: &MemberName, id: &MessageId, at: Timestamp) {
        if let Some(mail) = self.get_mut(id)
            && mail.receipt == Receipt::Queued
        {
            mail.receipt = Receipt::Heard { at };
            self.fresh.entry(who.clone()).or_default().push(id.clone());
        }
    }

    fn take_back(&mut self, id: &MessageId) {
        if let Some(mail) = self.get_mut(id)
            && mail.receipt == Receipt::Queued
        {
            mail.receipt = Receipt::TakenBack;
        }
    }

    fn act(&mut self, who: &MemberName, at: Timestamp, what: &str) {
        for id in self.fresh.remove(who).unwrap_or_default() {
            if let Some(mail) = self.get_mut(&id)
                && let Receipt::Heard { at: heard } = mail.receipt
            {
                let what = what.to_owned();
                mail.receipt = Receipt::Acted { heard, at, what };
            }
        }
    }

    fn get_mut(&mut self, id: &MessageId) -> Option<&mut Mail> {
        let place = self.places.get(id)?.checked_sub(self.dropped)?;
        self.mail.get_mut(usize::try_from(place).ok()?)
    }
}
