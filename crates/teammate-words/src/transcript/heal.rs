//! Mends what damaged and missing lines leave of a transcript, so that every wire accepts the conversation: each call has
//! exactly one outcome, each outcome a call, call ids are unique, roles alternate and the user begins.
//!
//! Entries go in one by one and sound ones come out as they are. What is put between them depends only on the entries
//! before, so a transcript is mended in the same way at every opening, however much was appended since, and nothing has
//! to be written into the part that is damaged.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::Entry;
use crate::{
    block::{Block, BlockView},
    mail::{Message, MessageId},
    model::Reply,
    tool::{CallId, Outcome},
};

mod mended;

pub use mended::Mended;

const LOST_OUTCOME: &str = "The outcome of this call is lost: the file of this conversation was damaged. The call may have done all, part or none of its work; check before you repeat it.";
const LOST_CALL: &str = "[Here you called a tool, but the record of the call is lost, because the file of this conversation was damaged. The call may have done its work; check before you repeat it.]";
const LOST_WORDS: &str =
    "[A message to you is lost here, because the file of this conversation was damaged.]";
const LOST_BEGINNING: &str =
    "[The conversation before this is lost, because its file was damaged.]";

/// A transcript that is being mended.
#[derive(Debug, Default)]
pub(super) struct Healing {
    /// Calls of the last answer that have no outcome yet.
    open: Vec<CallId>,
    /// All calls that are still sent, with a hash of each, so that a doubled one is known.
    called: HashMap<CallId, u64>,
    heard: HashSet<MessageId>,
    last: Last,
    /// Whether the turn has ended, so that a note about a loss must not begin another.
    is_resting: bool,
    /// An outcome came without its call while others were open. The note about it follows theirs.
    owes_word: bool,
    mended: Mended,
}

/// The role that has spoken last in what is sent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    #[default]
    Nobody,
    User,
    Assistant {
        /// A hash of the content.
        said: u64,
        /// Whether the same answer may continue.
        goes_on: bool,
    },
}

/// The kind of an answer, by its calls.
enum AnswerKind {
    New,
    Doubled,
    /// It uses ids of other calls. Ids are unique in what is sent, so a line is missing that ended what was sent before.
    Restarted,
    /// Two of its calls have one id.
    Ambiguous,
}

impl Healing {
    /// Takes the next entry; returns its replacement.
    pub(super) fn take(&mut self, entry: Entry) -> Vec<Entry> {
        let mut out = Vec::with_capacity(1);
        match entry {
            Entry::ToolOutcomes(outcomes) => self.done(outcomes, &mut out),
            Entry::Answered(reply) => self.answered(reply, &mut out),
            Entry::Heard(mail) => self.heard(mail, &mut out),
            Entry::Prompted(text) => {
                self.close(&mut out);
                self.prompt(&text, &mut out);
            }
            Entry::TurnEnded(why) => {
                self.close(&mut out);
                self.is_resting = true;
                out.push(Entry::TurnEnded(why));
            }
            Entry::MemoryReset => {
                self.close(&mut out);
                self.restart(Last::Nobody);
                self.is_resting = true;
                out.push(Entry::MemoryReset);
            }
            Entry::Compacted(compacted) => {
                self.close(&mut out);
                self.restart(Last::User);
                out.push(Entry::Compacted(compacted));
            }
            // These add no message.
            entry @ (Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::HandedOver(_)
            | Entry::Shortened { .. }
            | Entry::SummaryFailed { .. }) => {
                out.push(entry);
            }
        }
        out
    }

    /// All entries were taken. Returns what is still to be added, and what was mended.
    pub(super) fn finish(mut self) -> (Vec<Entry>, Mended) {
        let mut out = Vec::new();
        // Calls that are merely open are the loop's business: it knows whether they may run.
        if self.owes_word {
            self.close(&mut out);
        }
        (out, self.mended)
    }

    fn answered(&mut self, reply: Reply, out: &mut Vec<Entry>) {
        let calls = calls(&reply);
        let said = hash(reply.blocks.iter().map(Block::json));
        match self.kind(&calls, said) {
            AnswerKind::New => self.close(out),
            // Nothing is closed: the outcomes of these calls are yet to come.
            AnswerKind::Doubled => {
                self.mended.doubled += 1;
                return;
            }
            AnswerKind::Ambiguous => {
                self.mended.ambiguous += 1;
                return;
            }
            AnswerKind::Restarted => {
                self.close(out);
                self.mended.beginnings += 1;
                self.restart(Last::Nobody);
                out.push(Entry::MemoryReset);
            }
        }
        if !reply.blocks.is_empty() {
            match self.last {
                Last::Nobody => self.loses_words(LOST_BEGINNING, out),
                Last::Assistant { goes_on: false, .. } => self.loses_words(LOST_WORDS, out),
                Last::User | Last::Assistant { goes_on: true, .. } => {}
            }
            let goes_on = reply.stop.is_interim() && calls.is_empty();
            self.last = Last::Assistant { said, goes_on };
        }
        self.is_resting = calls.is_empty() && !reply.stop.is_interim();
        self.open = calls.iter().map(|(id, _)| id.clone()).collect();
        self.called.extend(calls);
        out.push(Entry::Answered(reply));
    }

    fn kind(&self, calls: &[(CallId, u64)], said: u64) -> AnswerKind {
        let again = Last::Assistant {
            said,
            goes_on: false,
        };
        let ids: HashSet<&CallId> = calls.iter().map(|(id, _)| id).collect();
        let is_known = |(id, call): &(CallId, u64)| self.called.get(id) == Some(call);
        if ids.len() < calls.len() {
            AnswerKind::Ambiguous
        } else if ids.iter().all(|id| !self.called.contains_key(*id)) {
            match calls.is_empty() && self.last == again {
                true => AnswerKind::Doubled,
                false => AnswerKind::New,
            }
        } else if calls.iter().all(is_known) {
            AnswerKind::Doubled
        } else {
            AnswerKind::Restarted
        }
    }

    fn done(&mut self, outcomes: Vec<(CallId, Outcome)>, out: &mut Vec<Entry>) {
        let mut kept = Vec::with_capacity(outcomes.len());
        let mut is_orphan = false;
        for (id, outcome) in outcomes {
            match self.open.iter().position(|open| *open == id) {
                Some(at) => {
                    self.open.remove(at);
                    kept.push((id, outcome));
                }
                None if self.called.contains_key(&id) => self.mended.doubled += 1,
                None => {
                    self.mended.lost_calls += 1;
                    is_orphan = true;
                }
            }
        }
        if !kept.is_empty() {
            self.last = Last::User;
            out.push(Entry::ToolOutcomes(kept));
        }
        self.owes_word |= is_orphan && !self.is_resting;
        if self.open.is_empty() {
            self.push_owed(out);
        }
    }

    fn heard(&mut self, mut mail: Vec<Message>, out: &mut Vec<Entry>) {
        let count = mail.len();
        mail.retain(|message| self.heard.insert(message.id.clone()));
        self.mended.doubled += count - mail.len();
        if mail.is_empty() {
            return;
        }
        self.close(out);
        self.last = Last::User;
        if mail.iter().any(Message::wakes) {
            self.is_resting = false;
        }
        out.push(Entry::Heard(mail));
    }

    /// Whatever comes next, calls that have no outcome by now have lost theirs.
    fn close(&mut self, out: &mut Vec<Entry>) {
        if !self.open.is_empty() {
            self.mended.lost_outcomes += self.open.len();
            let lost = |id| (id, Outcome::error(LOST_OUTCOME));
            out.push(Entry::ToolOutcomes(self.open.drain(..).map(lost).collect()));
            self.last = Last::User;
        }
        self.push_owed(out);
    }

    fn push_owed(&mut self, out: &mut Vec<Entry>) {
        if std::mem::take(&mut self.owes_word) {
            self.prompt(LOST_CALL, out);
        }
    }

    fn loses_words(&mut self, what: &str, out: &mut Vec<Entry>) {
        self.mended.lost_words += 1;
        self.prompt(what, out);
    }

    fn prompt(&mut self, text: &str, out: &mut Vec<Entry>) {
        self.last = Last::User;
        self.is_resting = false;
        out.push(Entry::Prompted(text.to_owned()));
    }

    /// Begins the sent messages anew: those above are no longer sent.
    fn restart(&mut self, last: Last) {
        self.called.clear();
        self.last = last;
    }
}

/// The calls of an answer, each with a hash of all of it.
fn calls(reply: &Reply) -> Vec<(CallId, u64)> {
    let calls = reply.blocks.iter().filter_map(|block| match block.view() {
        BlockView::ToolUse(call) => Some((call.id, hash([block.json()]))),
        BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
    });
    calls.collect()
}

fn hash<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for text in texts {
        text.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
