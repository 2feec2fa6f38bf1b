//! A member's transcript as programs read it that know the Messages API: what its model answered, and what came of the calls.

use serde_json::Value;
use teammate_core::{
    MemberName,
    block::Block,
    model::{StopReason, Usage},
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadUpTo(usize);

impl TeamClient {
    /// The passages of a member's transcript behind `from`, and how far it is read with them.
    ///
    /// Errors: the transcript cannot be read.
    pub async fn passages(
        &self,
        member: &MemberName,
        ReadUpTo(from): ReadUpTo,
    ) -> Result<(Vec<Passage>, ReadUpTo), TeamError> {
        let entries = self.transcript(member).await?;
        let numbered = (0_u64..).zip(&entries).skip(from);
        let passages = numbered.filter_map(|(at, entry)| passage(at, entry));
        let passages = passages.collect();
        Ok((passages, ReadUpTo(entries.len().max(from))))
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
