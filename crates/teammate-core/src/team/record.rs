//! A record of the journal, and the questions that it decides.

use std::sync::Arc;

use super::{AskedQuestion, CommandId, DecidedCommand, RecordWriter, TeamEvent};
use crate::Timestamp;

/// One atomic append: all of its events or none.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its place in the journal, from 0.
    pub number: u64,
    /// When it was decided.
    pub at: Timestamp,
    pub events: Vec<TeamEvent>,
    /// In whose name it was written, as its seal proves.
    pub writer: RecordWriter,
    /// The commands with names that it decides: those that workers asked of each other. Where one process runs the team there
    /// are none.
    pub commands: Vec<DecidedCommand>,
    /// The questions in which other workers asked for them. Of a record that was read, those that are proven.
    pub questions: Vec<Arc<AskedQuestion>>,
}

impl Record {
    /// A record in the name of the user that lists no commands.
    pub fn of(number: u64, at: Timestamp, events: Vec<TeamEvent>) -> Self {
        Self {
            number,
            at,
            events,
            writer: RecordWriter::User,
            commands: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// The question in which another worker asked for a command, if it is there.
    pub fn question_of(&self, id: CommandId) -> Option<&Arc<AskedQuestion>> {
        let mut questions = self.questions.iter();
        questions.find(|question| question.command(id).is_some())
    }

    /// The events that followed from a command, if this record decides it.
    pub fn events_of(&self, id: CommandId) -> Option<&[TeamEvent]> {
        let decided = self.commands.iter().find(|decided| decided.id == id)?;
        let (first, count) = (decided.first as usize, decided.count as usize);
        let events = self.events.get(first..first.checked_add(count)?);
        Some(events.unwrap_or_default())
    }
}
