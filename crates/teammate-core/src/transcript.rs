//! A member's transcript: what it heard, said and did, entry by entry, and the conversation that follows from it.
//!
//! The transcript is the only source of a model request. How entries are kept on disk is the store's business.

use std::{collections::HashSet, sync::Arc};

use crate::{
    block::Block,
    mail::{Message, MessageId},
    model::{ChatMessage, Reply, Role, Stop},
    tool::{CallId, Outcome, ToolCall},
};

mod render;

pub use render::rendered_mail;

/// One entry. Appended and synced before anything that follows from it happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The member's memory starts anew here: what is above is kept on disk but no longer sent.
    Fresh,
    /// Mail was heard. Writing this entry is the commit point of its delivery.
    Heard(Vec<Message>),
    /// The model answered.
    Answered(Reply),
    /// Tools answered, in the order of the calls.
    Done(Vec<(CallId, Outcome)>),
    /// The harness tells the model something (an answer was cut and should go on).
    Prompted(String),
    /// A turn ended other than by the model's own last word.
    Rested(RestReason),
}

/// Why a member rests.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum RestReason {
    /// The turn is done.
    Done,
    /// The person interrupted it.
    Interrupted,
    /// The model failed for good.
    Failed {
        /// What happened.
        what: String,
    },
    /// A limit was reached.
    Limit {
        /// Which, and what to do.
        what: String,
    },
}

/// The transcript folded into what a request needs.
#[derive(Debug, Default)]
pub struct Conversation {
    messages: Vec<Arc<ChatMessage>>,
    heard: HashSet<MessageId>,
    length: u64,
    last_reply: Option<LastReply>,
    rested: bool,
}

/// What matters of the last answer.
#[derive(Debug, Clone)]
struct LastReply {
    at: u64,
    open: Vec<ToolCall>,
    text: String,
    stop: Stop,
}

/// Where a conversation stands; what to do next follows from it.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Nothing to answer: empty, or the turn is over.
    Rest,
    /// The model has spoken its last word of the turn; `turn` numbers it for ever.
    Finished {
        /// The entry that holds it.
        turn: u64,
        /// Its text.
        text: String,
    },
    /// Tool calls have no outcome yet.
    Calls(Vec<ToolCall>),
    /// The model is to be asked.
    Ask,
}

impl Conversation {
    /// Folds a whole transcript.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut conversation = Self::default();
        for entry in entries {
            conversation.push(&entry);
        }
        conversation
    }

    /// Takes the next entry.
    pub fn push(&mut self, entry: &Entry) {
        match entry {
            Entry::Fresh => {
                self.messages.clear();
                self.last_reply = None;
                self.rested = true;
            }
            Entry::Heard(mail) => {
                self.heard
                    .extend(mail.iter().map(|message| message.id.clone()));
                self.tell(render::mail_blocks(mail));
                if mail.iter().any(Message::wants_answer) {
                    self.rested = false;
                }
            }
            Entry::Answered(reply) => self.answer(reply),
            Entry::Done(outcomes) => {
                if let Some(last) = &mut self.last_reply {
                    last.open
                        .retain(|call| !outcomes.iter().any(|(id, _)| *id == call.id));
                }
                self.tell(
                    outcomes
                        .iter()
                        .map(|(id, outcome)| Block::tool_result(id, outcome)),
                );
            }
            Entry::Prompted(text) => {
                self.tell([Block::text(text)]);
                self.rested = false;
            }
            Entry::Rested(_) => self.rested = true,
        }
        self.length += 1;
    }

    fn answer(&mut self, reply: &Reply) {
        let open = reply.calls();
        self.rested = open.is_empty() && reply.stop != Stop::Pause;
        self.last_reply = Some(LastReply {
            at: self.length,
            text: reply.text(),
            stop: reply.stop.clone(),
            open,
        });
        // A wire refuses an empty assistant message, and there is nothing in it to keep.
        if !reply.blocks.is_empty() {
            self.add(Role::Assistant, reply.blocks.clone(), Some(reply.wire));
        }
    }

    fn tell(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.add(Role::User, blocks.into_iter().collect(), None);
    }

    /// Adds blocks, joining them to the last message if it has the same role: the wires want roles to alternate.
    fn add(&mut self, role: Role, blocks: Vec<Block>, wire: Option<crate::model::Wire>) {
        if blocks.is_empty() {
            return;
        }
        match self.messages.last_mut() {
            Some(last) if last.role == role => match Arc::get_mut(last) {
                Some(last) => last.extend(blocks),
                None => {
                    let mut joined = last.blocks.clone();
                    joined.extend(blocks);
                    *last = Arc::new(ChatMessage::new(role, joined, wire));
                }
            },
            Some(_) | None => self
                .messages
                .push(Arc::new(ChatMessage::new(role, blocks, wire))),
        }
    }

    /// The messages of the next request.
    pub fn messages(&self) -> &[Arc<ChatMessage>] {
        &self.messages
    }

    /// Whether a message with this id is in the transcript.
    pub fn has_heard(&self, id: &MessageId) -> bool {
        self.heard.contains(id)
    }

    /// How many entries the transcript has; numbers the next one.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The entry that holds the last answer: numbers the calls it makes for ever.
    pub fn last_answer(&self) -> Option<u64> {
        self.last_reply.as_ref().map(|last| last.at)
    }

    /// Where things stand.
    pub fn standing(&self) -> Standing {
        if let Some(last) = &self.last_reply
            && !last.open.is_empty()
        {
            return Standing::Calls(last.open.clone());
        }
        if !self.rested {
            return if self.messages.is_empty() {
                Standing::Rest
            } else {
                Standing::Ask
            };
        }
        match &self.last_reply {
            Some(last) if last.at + 1 == self.length && last.stop != Stop::Pause => {
                Standing::Finished {
                    turn: last.at,
                    text: last.text.clone(),
                }
            }
            Some(_) | None => Standing::Rest,
        }
    }
}
