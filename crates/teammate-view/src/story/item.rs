//! One entry of a member's story.

use serde::Serialize;
use teammate_core::{
    MessageId, MessageKind, Sender, Timestamp,
    event::{Compaction, Excerpt, FileChange, RefusedBy},
    tool::CallId,
    transcript::EndReason,
};

use super::StoryQuestion;

/// One entry, with its moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// When it happened or began.
    pub at: Timestamp,
    pub what: ItemKind,
}

/// Something that a member heard, said or did, or its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum ItemKind {
    Heard {
        id: MessageId,
        from: Sender,
        kind: MessageKind,
        /// The text; empty if no fact held it.
        text: String,
    },
    /// Its model answered with this text.
    Said {
        /// Markdown, whole.
        text: String,
    },
    Called(Box<Call>),
    Sent {
        id: MessageId,
        /// To whom; a broadcast has many.
        to: Vec<String>,
        text: String,
    },
    Subagent {
        /// Which kind of agent.
        kind: String,
        /// Its task, in a line.
        title: String,
        /// How it ended, once it has: whether with a result, and its first line.
        ended: Option<(bool, String)>,
    },
    /// It was spawned or woken.
    Began {
        role: String,
        /// Whether it kept its conversation.
        woken: bool,
    },
    /// Its turn ended.
    Rested {
        why: EndReason,
    },
    /// Its loop ended.
    Stopped {
        /// How it came to that.
        how: String,
    },
    /// Its conversation was made shorter.
    Compacted {
        how: Compaction,
        /// Tokens before.
        before: u64,
        /// Tokens after.
        after: u64,
    },
    /// Something about one of its requests.
    Request {
        /// In a line.
        text: String,
        /// The call that asks, where it is an entry, too: [`Call::asked`] has the question and its answer.
        call: Option<CallId>,
    },
    /// Something about a task.
    Task {
        /// In a line.
        text: String,
    },
    /// Its model was asked again, or another one.
    Model {
        /// In a line.
        text: String,
        /// The reason, if it is asked again: further tries for the same one change this entry.
        retries: Option<String>,
    },
    /// Something the person should know.
    Note {
        text: String,
    },
}

impl Item {
    /// The change of a file that a call made, if it is one that has ended with one.
    pub fn change(&self) -> Option<&FileChange> {
        self.call()?.change()
    }

    /// The reason, if its model was asked again.
    pub(super) fn retries(&self) -> Option<&String> {
        match &self.what {
            ItemKind::Model { retries, .. } => retries.as_ref(),
            _ => None,
        }
    }

    /// The call, if it is one.
    pub fn call(&self) -> Option<&Call> {
        match &self.what {
            ItemKind::Called(call) => Some(call),
            ItemKind::Heard { .. }
            | ItemKind::Said { .. }
            | ItemKind::Sent { .. }
            | ItemKind::Subagent { .. }
            | ItemKind::Began { .. }
            | ItemKind::Rested { .. }
            | ItemKind::Stopped { .. }
            | ItemKind::Compacted { .. }
            | ItemKind::Request { .. }
            | ItemKind::Task { .. }
            | ItemKind::Model { .. }
            | ItemKind::Note { .. } => None,
        }
    }
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    pub id: CallId,
    pub tool: String,
    /// The call's purpose, in a line.
    pub summary: String,
    /// Its arguments: JSON, cut; nothing in old logs.
    pub input: Option<String>,
    /// The kind of the subagent that made it.
    pub subagent: Option<String>,
    /// The questions to a person before it could go on, oldest first.
    pub asked: Vec<StoryQuestion>,
    /// Whether it was refused because nobody could be asked.
    pub is_unasked: bool,
    /// Whether the process that ran it ended before it did.
    pub is_cut: bool,
    /// How it ended, once it has.
    pub ended: Option<CallEnd>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallEnd {
    /// Whether it worked.
    pub ok: bool,
    /// The first line or so of its outcome.
    pub summary: String,
    /// Milliseconds from its begin, those included in which it waited for an answer.
    pub took_ms: u64,
    /// The exit status of its command.
    pub exit: Option<i32>,
    /// How many lines it printed.
    pub lines: Option<u64>,
    /// The file with all of them, if they are many.
    pub file: Option<String>,
    /// Beginning and end of what it printed.
    pub output: Option<Excerpt>,
    pub change: Option<Box<FileChange>>,
    /// The rule or person that said no, if it did not run for that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
}
