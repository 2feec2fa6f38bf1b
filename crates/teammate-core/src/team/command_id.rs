//! Names of commands that workers ask of each other, so that each is decided once however often it is asked.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Names a command for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CommandId {
    /// The asker: one session of a worker.
    pub writer: Uuid,
    /// Counts what it has asked.
    pub number: u64,
}

/// A command that a record decides, and what of the record follows from it. Serialised as short as it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Uuid, u64, u32, u32)", into = "(Uuid, u64, u32, u32)")]
pub struct DecidedCommand {
    pub id: CommandId,
    /// The place of its first event in the record.
    pub first: u32,
    /// How many events follow from it; none if it was refused or changed nothing.
    pub count: u32,
}

impl From<(Uuid, u64, u32, u32)> for DecidedCommand {
    fn from((writer, number, first, count): (Uuid, u64, u32, u32)) -> Self {
        let id = CommandId { writer, number };
        Self { id, first, count }
    }
}

impl From<DecidedCommand> for (Uuid, u64, u32, u32) {
    fn from(DecidedCommand { id, first, count }: DecidedCommand) -> Self {
        (id.writer, id.number, first, count)
    }
}
