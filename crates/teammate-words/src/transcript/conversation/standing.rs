//! Where a conversation stands: what its last answer left open, and what is to be done next.

use super::{Conversation, LastReply};
use crate::{
    model::StopReason,
    tool::{CallId, ToolCall},
};

/// The state of a conversation; what to do next follows from it.
#[derive(Debug, Clone, PartialEq)]
pub enum ResumePoint {
    /// Nothing to answer: empty, or the turn is over.
    Idle,
    /// The model has ended the turn; `turn` is its number.
    Finished {
        /// The entry that holds it.
        turn: u64,
        text: String,
    },
    /// Tool calls have no outcome yet.
    OpenCalls(Vec<ToolCall>),
    /// The model is to be asked.
    CallModel,
}

impl Conversation {
    /// Whether it ends with an answer that ended only because the context was full.
    pub fn ends_unfinished(&self) -> bool {
        let is_cut = |last: &LastReply| last.stop == StopReason::ContextFull;
        !self.has_entries_after_reply && self.last_reply.as_ref().is_some_and(is_cut)
    }

    /// The entry that holds the last answer: numbers the calls it makes for ever.
    pub fn last_answer(&self) -> Option<u64> {
        self.last_reply.as_ref().map(|last| last.at)
    }

    /// Calls of the last answer that have no outcome.
    pub fn open_calls(&self) -> Vec<CallId> {
        let open = self.last_reply.as_ref().map(|last| &last.open);
        let open = open.into_iter().flatten();
        open.map(|call| call.id.clone()).collect()
    }

    /// Where the conversation stands.
    pub fn resume_point(&self) -> ResumePoint {
        if let Some(last) = &self.last_reply
            && !last.open.is_empty()
        {
            return ResumePoint::OpenCalls(last.open.clone());
        }
        if self.in_turn {
            return if self.messages.is_empty() {
                ResumePoint::Idle
            } else {
                ResumePoint::CallModel
            };
        }
        match &self.last_reply {
            Some(last) if !self.has_entries_after_reply && last.stop != StopReason::Pause => {
                ResumePoint::Finished {
                    turn: last.at,
                    text: last.text.clone(),
                }
            }
            Some(_) | None => ResumePoint::Idle,
        }
    }
}
