//! A record while it is decided: commands one after the other, each on what follows from those before.

use std::sync::Arc;

use super::names::Names;
use crate::{
    Timestamp,
    port::{Durability, Record, RecordWriter},
    team::{Command, CommandId, DecidedCommand, TeamEvent, TeamRefusal, TeamState},
};

/// Who may decide a command, and so what its record says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionOrigin {
    /// Nobody else decides it.
    Here,
    /// Another worker asks for it: a record that it changes something in lists it.
    Asked(CommandId),
    /// It was asked of another worker, who may have decided it and may still do so: a record lists it, whatever comes of it.
    Doubted(CommandId),
}

impl DecisionOrigin {
    fn id(self) -> Option<CommandId> {
        match self {
            Self::Here => None,
            Self::Asked(id) | Self::Doubted(id) => Some(id),
        }
    }
}

/// A record that is not in the journal yet, and the team with it.
pub(super) struct Draft {
    pub(super) team: Arc<TeamState>,
    pub(super) record: Record,
    pub(super) durability: Durability,
}

impl Draft {
    pub(super) fn new(
        team: Arc<TeamState>,
        (number, at): (u64, Timestamp),
        writer: RecordWriter,
    ) -> Self {
        Self {
            team,
            record: Record {
                writer,
                ..Record::of(number, at, Vec::new())
            },
            durability: Durability::Lazy,
        }
    }

    /// Decides a command; what follows is in the record.
    pub(super) fn decide(
        &mut self,
        names: &Names,
        (origin, command): &(DecisionOrigin, &Command),
    ) -> Result<Vec<TeamEvent>, TeamRefusal> {
        if origin.id().is_some_and(|id| names.has(id)) {
            return Ok(Vec::new());
        }
        let first = self.record.events.len();
        let decided = self.team.decide(command);
        if let Ok(decided) = &decided
            && !decided.events.is_empty()
        {
            let (writer, at) = (self.record.writer, self.record.at);
            let team = Arc::make_mut(&mut self.team);
            decided
                .events
                .iter()
                .for_each(|event| team.apply_by(writer, event, at));
            self.durability = self.durability.max(decided.durability);
            self.record.events.extend(decided.events.iter().cloned());
        }
        self.list(*origin, first);
        decided.map(|decided| decided.events)
    }

    /// Lists a command whose events begin at `first`, if the record must.
    fn list(&mut self, origin: DecisionOrigin, first: usize) {
        let count = self.record.events.len() - first;
        let id = match origin {
            DecisionOrigin::Asked(id) if count > 0 => id,
            DecisionOrigin::Doubted(id) => {
                self.durability = Durability::Synced;
                id
            }
            DecisionOrigin::Here | DecisionOrigin::Asked(_) => return,
        };
        // A record has nowhere near so many events.
        let place = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (first, count) = (place(first), place(count));
        self.record
            .commands
            .push(DecidedCommand { id, first, count });
    }
}
