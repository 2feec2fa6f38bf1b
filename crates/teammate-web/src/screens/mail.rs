//! The mail in time, with how far each message came.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{Sender, Timestamp};
use teammate_view::{Mail, Receipt, TeamView, sender_name};

use super::{
    part::{Part, member_link, moment, more},
    room::{Room, beginning, line},
};
use crate::html::Html;

/// The most bytes of a message that are shown.
const TEXT_BYTES_MAX: usize = 8 << 10;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MailScreen {
    /// How many messages there were.
    known: u64,
    /// How many still older ones are not kept, where these are the oldest.
    dropped: u64,
    /// How many nobody has heard.
    queued: usize,
    /// Newest first.
    mail: Vec<MailLine>,
    /// What `before` has to be for the next older ones.
    older: Option<u64>,
}

/// A message.
#[derive(Debug, Serialize, JsonSchema)]
struct MailLine {
    /// Its place among all messages, from 0.
    number: u64,
    id: String,
    at: u64,
    from: String,
    /// Whether the sender is a member of the team.
    is_member: bool,
    to: String,
    text: String,
    receipt: &'static str,
    /// When it was heard.
    heard: Option<u64>,
    /// What its recipient did first after it.
    acted: Option<String>,
    can_be_taken_back: bool,
}

impl MailLine {
    fn of(number: u64, mail: &Mail) -> Self {
        Self {
            number,
            id: mail.id.to_string(),
            at: mail.at.0,
            from: sender_name(&mail.from, "you"),
            is_member: matches!(mail.from, Sender::Member(_)),
            to: mail.to.to_string(),
            text: beginning(&mail.text, TEXT_BYTES_MAX, "the log has all of it"),
            receipt: mail.receipt.word(),
            heard: mail.receipt.heard().map(|at| at.0),
            acted: mail.receipt.acted().map(|(_, what)| line(what)),
            can_be_taken_back: mail.from == Sender::User && mail.receipt == Receipt::Queued,
        }
    }

    fn show(&self, html: &mut Html) {
        html.element("div", &[("class", "head")], |html| {
            moment(html, Timestamp(self.at));
            html.text(" ");
            match self.is_member {
                true => member_link(html, &self.from),
                false => {
                    html.line("b", &[], &self.from);
                }
            }
            html.text(" to ");
            member_link(html, &self.to);
            html.text(" ");
            self.receipt(html);
        });
        html.line("div", &[("class", "words")], &self.text);
        if let Some(acted) = &self.acted {
            html.line("div", &[("class", "dim")], &format!("acted: {acted}"));
        }
    }

    fn receipt(&self, html: &mut Html) {
        let class = if self.receipt == "queued" {
            "need"
        } else {
            "dim"
        };
        html.line("span", &[("class", class)], self.receipt);
        if let Some(heard) = self.heard {
            html.text(" ");
            moment(html, Timestamp(heard));
        }
        if self.can_be_taken_back {
            let attributes = [("data-verb", "recall"), ("data-mail", self.id.as_str())];
            html.text(" ").line("button", &attributes, "Take back");
        }
    }
}

impl MailScreen {
    pub(super) fn of(view: &TeamView, before: Option<u64>) -> Self {
        let (first, known) = (view.mail().dropped(), view.mail().iter().len() as u64);
        let all = (first..first + known).rev().zip(view.mail().iter().rev());
        let shown = all.skip_while(|(number, _)| before.is_some_and(|before| *number >= before));
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
            known: first + known,
            dropped: if older.is_none() { first } else { 0 },
            queued: view.mail().queued().count(),
            mail,
            older,
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let head = Part::new("h2", "mail.head", "", |html| {
            html.text(&format!("Mail: {}, {} not heard", self.known, self.queued));
        });
        let letters = self.mail.iter().map(|letter| {
            Part::new(
                "article",
                format!("mail-{}", letter.number),
                "mail",
                |html| letter.show(html),
            )
        });
        let mut parts: Vec<Part> = std::iter::once(head).chain(letters).collect();
        parts.extend(self.older.map(|before| more("mail.older", before, "Older")));
        if self.dropped > 0 {
            parts.push(Part::new("p", "mail.older", "dim", |html| {
                html.text(&format!(
                    "{} earlier messages are not kept here: the log has them",
                    self.dropped
                ));
            }));
        }
        parts
    }
}
