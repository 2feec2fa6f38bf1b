//! The entries of a transcript.

use crate::{
    id::{ConversationId, Term},
    mail::{Message, MessageId},
    model::{Reply, Usage},
    tool::{CallId, Outcome},
};

/// One entry. Appended and synced before anything that follows from it happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The member's memory starts anew here: what is above is kept on disk but no longer sent.
    MemoryReset,
    /// The mark that the next entries belong to this conversation of the member, which continues where it was left. What
    /// comes before the first such entry belongs to the first conversation.
    Conversation(ConversationId),
    /// A worker took the member over under this term. From here on only that term's holder appends: an entry of an older one after
    /// it is an error of who wrote it, which [`check_terms`](super::check_terms) finds.
    Taken {
        term: Term,
    },
    /// Mail was heard. Writing this entry is the commit point of its delivery.
    Heard(Vec<Message>),
    Answered(Reply),
    /// Tools answered, in the order of the calls.
    ToolOutcomes(Vec<(CallId, Outcome)>),
    /// Text of the harness for the model (an answer was cut and should continue).
    Prompted(String),
    /// A turn that did not end with an answer of the model.
    TurnEnded(EndReason),
    /// A handover: mail that was heard goes to the external agent which answers the member. Appended before the agent gets
    /// it.
    HandedOver(Handover),
    /// From here on the outcomes of these calls and the attachments of these messages are sent as one line each; earlier requests
    /// had them in full.
    Shortened {
        /// Which outcomes.
        calls: Vec<CallId>,
        /// Whose attachments.
        mail: Vec<MessageId>,
        /// The tokens that the conversation took before.
        before: u64,
    },
    /// From here on a summary is sent in place of everything above.
    Compacted(Compacted),
    /// The model was asked for a summary and gave none that could be used.
    SummaryFailed {
        model: String,
        /// Tokens that it used.
        usage: Usage,
    },
}

/// The prompt that an external agent was given, as the transcript keeps it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Handover {
    /// The agent's own id of its conversation.
    pub session: String,
    /// It holds again what the one before it held, which has not reached the agent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// The text in the place of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Compacted {
    /// The model's summary of the conversation.
    pub summary: String,
    /// The recap of the harness: who the member is, who else is there, what is its own.
    pub recap: String,
    /// Mail that no answer has followed yet stays word for word, up to so many bytes.
    pub mail_bytes_max: u64,
    /// The tokens that the conversation took before.
    pub before: u64,
    /// The model that made the summary.
    pub model: String,
    pub usage: Usage,
}

impl Entry {
    /// The conversation that begins or continues with this entry.
    pub fn conversation(&self) -> Option<ConversationId> {
        match self {
            Self::Conversation(id) => Some(*id),
            Self::MemoryReset
            | Self::Taken { .. }
            | Self::Heard(_)
            | Self::Answered(_)
            | Self::ToolOutcomes(_)
            | Self::Prompted(_)
            | Self::TurnEnded(_)
            | Self::HandedOver(_)
            | Self::Shortened { .. }
            | Self::Compacted(_)
            | Self::SummaryFailed { .. } => None,
        }
    }

    /// The model and the usage of the model call that this entry records, if any. Everything that a
    /// member spends is recorded this way.
    pub fn usage(&self) -> Option<(&str, Usage)> {
        match self {
            Self::Answered(reply) => Some((&reply.model, reply.usage)),
            Self::Compacted(compacted) => Some((&compacted.model, compacted.usage)),
            Self::SummaryFailed { model, usage } => Some((model, *usage)),
            Self::MemoryReset
            | Self::Taken { .. }
            | Self::Conversation(_)
            | Self::Heard(_)
            | Self::ToolOutcomes(_)
            | Self::Prompted(_)
            | Self::TurnEnded(_)
            | Self::HandedOver(_)
            | Self::Shortened { .. } => None,
        }
    }
}

/// Why a member is idle.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum EndReason {
    Done,
    /// The user interrupted it.
    Interrupted,
    /// The model failed for good.
    Failed {
        what: String,
    },
    Limit {
        /// Which, and what to do.
        what: String,
    },
    /// The member called `idle`: it continues when what it waits for has come.
    Waiting {
        what: String,
    },
}
