//! A member's transcript as programs read it that know the Messages API: what its model answered, and what came of the calls.

use serde_json::Value;
use teammate_core::{
    MemberName,
    block::Block,
    model::{StopReason, Usage},
    port::ReadMark,
    transcript::Entry,
};

use super::TeamClient;
use crate::TeamError;

/// A passage of a transcript, in blocks of the Messages API.
#[derive(Debug, Clone, PartialEq)]
pub enum Passage {
    /// The model answered.
    Answer {
        /// The number of its entry, as long as none before it is missing.
        entry: u64,
        /// Its text, thinking and calls.
        blocks: Vec<Value>,
        /// Which model, as `PROVIDER:NAME`.
        model: String,
        /// Why it stopped.
        stop: StopReason,
        /// The tokens that it used.
        usage: Usage,
    },
    /// The outcomes of its calls, in their order.
    Outcomes(Vec<Value>),
}

/// How far a transcript was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadUpTo(ReadMark);

impl TeamClient {
    /// The passages of a member's transcript behind `from`, and how far it is read with them. Following a transcript costs what is new
    /// in it.
    ///
    /// Errors: the transcript cannot be read.
    pub async fn passages(
        &self,
        member: &MemberName,
        ReadUpTo(from): ReadUpTo,
    ) -> Result<(Vec<Passage>, ReadUpTo), TeamError> {
        let first = from.entries;
        let read = self.store.store.transcripts.peek_from(member, from).await;
        let (entries, up_to) = read.map_err(|error| TeamError::Storage(error.to_string()))?;
        let numbered = (first..).zip(&entries);
        let passages = numbered.filter_map(|(at, entry)| passage(at, entry));
        Ok((passages.collect(), ReadUpTo(up_to)))
    }
}

fn passage(at: u64, entry: &Entry) -> Option<Passage> {
    match entry {
        Entry::Answered(reply) => Some(Passage::Answer {
            entry: at,
            blocks: reply.blocks.iter().filter_map(value).collect(),
            model: reply.model.clone(),
            stop: reply.stop.clone(),
            usage: reply.usage,
        }),
        Entry::ToolOutcomes(outcomes) => {
            let blocks = outcomes
                .iter()
                .map(|(call, outcome)| Block::tool_result(call, outcome));
            Some(Passage::Outcomes(
                blocks.filter_map(|block| value(&block)).collect(),
            ))
        }
        Entry::MemoryReset
        | Entry::Conversation(_)
        | Entry::Taken { .. }
        | Entry::Heard(_)
        | Entry::Prompted(_)
        | Entry::TurnEnded(_)
        | Entry::HandedOver(_)
        | Entry::Shortened { .. }
        | Entry::Compacted(_)
        | Entry::SummaryFailed { .. } => None,
    }
}

fn value(block: &Block) -> Option<Value> {
    serde_json::from_str(block.json()).ok()
}
