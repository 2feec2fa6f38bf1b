//! Whether a record counts. Any worker may become the steward, so any may write records; but it speaks only for members that it
//! holds, or that nobody holds. What it records for others must be what their workers asked of it, with their seal in the record.
//!
//! Everybody who reads the journal checks this against the team before the record, so all read alike. A record that does not count
//! changes nothing and keeps its number.

mod inspection;
mod reach;
mod scheduled;

use std::collections::BTreeMap;

use uuid::Uuid;

pub(crate) use self::inspection::Inspection;
use super::{CommandId, TeamEvent, TeamState};
use crate::{
    MemberName,
    name::WorkerName,
    team::{Record, RecordWriter},
};

/// Why a record does not count, as the end of a sentence about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnaskedRecord {
    /// It speaks for a member of another worker, which did not ask for that.
    #[error(
        "it speaks for '{member}', whom worker '{holder}' holds, and '{holder}' did not ask for that"
    )]
    Member {
        member: MemberName,
        holder: WorkerName,
    },
    /// It does in a member's name what is not that member's to do.
    #[error("it does in a member's name what is not that member's to do")]
    OutOfReach,
    /// It speaks for the user.
    #[error("it speaks for the user, and only a person's own process does")]
    User,
    /// It decides what another steward was asked, or the same under another term.
    #[error("what it decides was not asked of this steward")]
    OtherSteward,
    /// It decides again what was decided before.
    #[error("what it decides was decided before")]
    Repeated,
    /// Its list of commands does not fit its events.
    #[error("its list of commands does not fit it")]
    BadList,
    /// It changes who runs whom, and something else.
    #[error("it changes who runs whom beside something else")]
    Mixed,
}

/// The commands that workers have asked each other: for each session the number from which on none is decided yet. Has no bound: one
/// number for each life of a worker.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct AskedSoFar(BTreeMap<(WorkerName, Uuid), u64>);

impl AskedSoFar {
    fn next(&self, by: &WorkerName, session: Uuid) -> u64 {
        let known = self.0.get(&(by.clone(), session));
        known.copied().unwrap_or_default()
    }

    fn note(&mut self, by: &WorkerName, id: CommandId) {
        let next = self.0.entry((by.clone(), id.writer)).or_default();
        *next = (*next).max(id.number.saturating_add(1));
    }
}

impl TeamState {
    /// Whether a record counts, as the one that follows on this team.
    pub fn require_asked(&self, record: &Record) -> Result<(), UnaskedRecord> {
        match Inspection::of(self, &record.writer) {
            Some(mut inspection) => inspection.record(record),
            None => Ok(()),
        }
    }

    /// Takes note of the commands that a record decides.
    pub(super) fn note_asked(&mut self, record: &Record) {
        for decided in &record.commands {
            let question = record.question_of(decided.id);
            let by = question.map(|question| &question.by);
            self.note_command(&record.writer, by, decided.id);
        }
    }

    /// Takes note of a command that this worker asked for; without one, the writer of the record.
    pub(crate) fn note_command(
        &mut self,
        writer: &RecordWriter,
        by: Option<&WorkerName>,
        id: CommandId,
    ) {
        match writer {
            RecordWriter::Worker(writer) => self.asked.note(by.unwrap_or(writer), id),
            RecordWriter::User => {}
        }
    }
}

impl TeamEvent {
    /// Whether it changes who runs whom, or who decides. A worker's record does only that, or nothing of it.
    pub fn is_placing(&self) -> bool {
        match self {
            Self::Place(event) => event.is_placing(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
