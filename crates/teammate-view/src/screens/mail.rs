//! The mail in time, with how far each message came.

use crate::t;
use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{Sender, Timestamp, name::UNVERIFIED};

use super::room::{Room, beginning, line};
use crate::{Mail, MailLog, Receipt, TeamView, sender_name};

/// The most bytes of a message that are shown.
const TEXT_BYTES_MAX: usize = 8 << 10;

/// Messages with their receipts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MailScreen {
    /// How many messages there were.
    pub known: u64,
    /// How many still older ones are not kept, where these are the oldest.
    pub dropped: u64,
    /// How many nobody has heard.
    pub queued: usize,
    /// Newest first.
    pub mail: Vec<MailLine>,
    /// The value of `before` that gives the next older ones.
    pub older: Option<u64>,
}

/// A message.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MailLine {
    /// Its place among all messages, from 0.
    pub number: u64,
    pub id: String,
    #[schemars(with = "u64")]
    pub at: Timestamp,
    pub from: String,
    /// Whether the sender is a member of the team.
    pub is_member: bool,
    /// Whether nobody knows who wrote it.
    #[serde(skip)]
    pub is_unverified: bool,
    pub to: String,
    pub text: String,
    pub receipt: &'static str,
    /// When it was heard.
    #[schemars(with = "Option<u64>")]
    pub heard: Option<Timestamp>,
    /// The first act of its recipient after it.
    pub acted: Option<String>,
    pub can_be_taken_back: bool,
}

impl MailLine {
    /// A message with its place among all.
    pub fn of(number: u64, mail: &Mail) -> Self {
        Self {
            number,
            id: mail.id.to_string(),
            at: mail.at,
            from: sender_name(&mail.from, t("you")),
            is_member: matches!(mail.from, Sender::Member(_)),
            is_unverified: matches!(mail.from, Sender::Unverified(_)),
            to: mail.to.to_string(),
            text: beginning(&mail.text, TEXT_BYTES_MAX, t("the log has all of it")),
            receipt: mail.receipt.word(),
            heard: mail.receipt.heard(),
            acted: mail.receipt.acted().map(|(_, what)| line(what)),
            can_be_taken_back: mail.from == Sender::User && mail.receipt == Receipt::Queued,
        }
    }

    /// Whether it still waits in the mailbox.
    pub fn is_queued(&self) -> bool {
        self.receipt == Receipt::Queued.word()
    }

    /// The recipient's act in words: `acted: bash cargo test`.
    pub fn acted_text(&self) -> Option<String> {
        self.acted.as_ref().map(|what| t!("acted: {what}", what))
    }

    /// How far it came, where that has one place.
    pub fn state(&self) -> String {
        match self.is_unverified {
            true => t(UNVERIFIED).to_owned(),
            false => self.acted_text().unwrap_or_else(|| self.receipt.to_owned()),
        }
    }
}

impl MailLog {
    /// How many there were.
    pub fn known(&self) -> u64 {
        self.dropped() + self.iter().len() as u64
    }

    /// The messages with their places among all, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = (u64, &Mail)> {
        (self.dropped()..self.known()).rev().zip(self.iter().rev())
    }
}

impl MailScreen {
    /// The newest messages, or those before this one.
    pub fn of(view: &TeamView, before: Option<u64>) -> Self {
        let log = view.mail();
        let first = log.dropped();
        let shown = log.newest_first();
        let shown = shown.skip_while(|(number, _)| before.is_some_and(|before| *number >= before));
        let mut room = Room::default();
        let mail: Vec<_> = shown
            .map(|(number, mail)| MailLine::of(number, mail))
            .take_while(|letter| room.takes(letter.text.len()))
            .collect();
        let older = mail
            .last()
            .map(|letter| letter.number)
            .filter(|number| *number > first);
        Self {
            known: log.known(),
            dropped: if older.is_none() { first } else { 0 },
            queued: log.queued().count(),
            mail,
            older,
        }
    }

    /// `Mail: 12, 1 not heard`.
    pub fn title(known: u64, queued: usize) -> String {
        t!("Mail: {known}, {queued} not heard", known, queued)
    }
}
