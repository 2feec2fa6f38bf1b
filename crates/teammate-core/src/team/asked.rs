//! Questions of workers that the steward decides, and its answers. What follows from a command that was accepted is not in
//! the answer but in the journal, where the asker reads it.

use serde::{Deserialize, Serialize};

use crate::{
    id::Term,
    name::WorkerName,
    team::{Command, CommandId, TeamRefusal},
};

/// Commands that the steward decides one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedCommands {
    /// Under which term the asked is the steward. If it no longer is, it decides nothing.
    pub steward: Term,
    /// How long the journal was, as far as the asker knew, when it named the commands: none of them is listed before.
    pub journal: u64,
    /// The name of the first; the others are counted from it.
    pub first: CommandId,
    pub commands: Vec<Command>,
}

/// A question for the steward, and who asked it. The record that decides its commands keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedQuestion {
    /// The asker, as the wire or its seal proves.
    pub by: WorkerName,
    pub asked: AskedCommands,
    /// The proof of it for those that did not hear it. A wire without keys gives none: there nobody lies.
    pub proof: Option<QuestionProof>,
}

/// A question as it came over the wire, with the asker's seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionProof {
    pub text: String,
    pub seal: String,
}

impl AskedQuestion {
    /// A command of it by its name.
    pub fn command(&self, id: CommandId) -> Option<&Command> {
        let place = id.number.checked_sub(self.asked.first.number)?;
        let place = usize::try_from(place).ok()?;
        let is_of_it = id.writer == self.asked.first.writer;
        self.asked.commands.get(place).filter(|_| is_of_it)
    }
}

/// The verdicts on asked commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedCommands {
    /// How long the journal is with all that was accepted.
    pub journal: u64,
    pub verdicts: Vec<CommandVerdict>,
}

/// The verdict on one command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandVerdict {
    /// It is in the journal, now or since before; or it changes nothing.
    Accepted,
    /// The team's rules refuse it.
    Refused(TeamRefusal),
    /// The asked is not the steward under that term, and has not decided it.
    NotSteward,
    /// It may be decided or not.
    Unknown,
}
