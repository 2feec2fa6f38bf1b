//! A record while it is decided: commands one after the other, each on what follows from those before.

use std::sync::Arc;

use super::names::CommandNames;
use crate::{
    Timestamp,
    team::{
        AskedQuestion, Command, CommandId, DecidedCommand, Durability, Inspection, PlaceRefusal,
        Record, RecordWriter, TeamEvent, TeamRefusal, TeamState,
    },
};

/// The one who may decide a command, and so the mark of its record.
#[derive(Debug, Clone, PartialEq)]
pub enum DecisionOrigin {
    /// Nobody else decides it.
    Here,
    /// Another worker asks for it, in this question: a record that it changes something in lists it.
    Asked(CommandId, Arc<AskedQuestion>),
    /// It was asked of another worker, who may have decided it and may still do so: a record lists it, whatever comes of it.
    Doubted(CommandId),
}

impl DecisionOrigin {
    fn id(&self) -> Option<CommandId> {
        match self {
            Self::Here => None,
            Self::Asked(id, _) | Self::Doubted(id) => Some(*id),
        }
    }

    fn question(&self) -> Option<(&AskedQuestion, CommandId)> {
        match self {
            Self::Asked(id, question) => Some((question, *id)),
            Self::Here | Self::Doubted(_) => None,
        }
    }
}

/// A record that is not in the journal yet, and the team with it.
pub(super) struct RecordDraft<'a> {
    pub(super) team: Arc<TeamState>,
    /// The team before the record, and as whom it is written.
    before: (&'a TeamState, &'a RecordWriter),
    /// Whether others will count it.
    inspection: Option<Inspection<'a>>,
    pub(super) record: Record,
    pub(super) durability: Durability,
}

impl<'a> RecordDraft<'a> {
    /// `team` is the value before the record, to be changed.
    pub(super) fn new(
        team: Arc<TeamState>,
        before: (&'a TeamState, &'a RecordWriter),
        (number, at): (u64, Timestamp),
    ) -> Self {
        Self {
            team,
            before,
            inspection: Inspection::of(before.0, before.1),
            record: Record {
                writer: before.1.clone(),
                ..Record::of(number, at, Vec::new())
            },
            durability: Durability::Lazy,
        }
    }

    /// Decides a command; what follows is in the record.
    pub(super) fn decide(
        &mut self,
        names: &CommandNames,
        (origin, command): &(DecisionOrigin, &Command),
    ) -> Result<Vec<TeamEvent>, TeamRefusal> {
        if origin.id().is_some_and(|id| names.has(id)) {
            return Ok(Vec::new());
        }
        let first = self.record.events.len();
        let decided = self.team.decide(command).and_then(|decided| {
            self.require_counted(&decided.events, origin)?;
            Ok(decided)
        });
        if let Ok(decided) = &decided
            && !decided.events.is_empty()
        {
            let (writer, at) = (&self.record.writer, self.record.at);
            let team = Arc::make_mut(&mut self.team);
            decided
                .events
                .iter()
                .for_each(|event| team.apply_by(writer, event, at));
            self.durability = self.durability.max(decided.durability);
            self.record.events.extend(decided.events.iter().cloned());
        }
        self.list(origin, first);
        decided.map(|decided| decided.events)
    }

    /// Others would not count a record with these events: then nothing of them is in it.
    fn require_counted(
        &mut self,
        events: &[TeamEvent],
        origin: &DecisionOrigin,
    ) -> Result<(), PlaceRefusal> {
        let Some(inspection) = &mut self.inspection else {
            return Ok(());
        };
        inspection.run(events, origin.question()).map_err(|why| {
            let mut again = Inspection::of(self.before.0, self.before.1);
            // It was found to count before.
            let _ = again.as_mut().map(|again| again.record(&self.record));
            self.inspection = again;
            PlaceRefusal::NotToRecord(why.to_string())
        })
    }

    /// Lists a command whose events begin at `first`, if the record must.
    fn list(&mut self, origin: &DecisionOrigin, first: usize) {
        let count = self.record.events.len() - first;
        let id = match origin {
            DecisionOrigin::Asked(id, question) if count > 0 => {
                let questions = &mut self.record.questions;
                // Whose record needs no proof keeps none.
                let is_needed = self.inspection.is_some();
                if is_needed && !questions.iter().any(|known| Arc::ptr_eq(known, question)) {
                    questions.push(question.clone());
                }
                *id
            }
            DecisionOrigin::Doubted(id) => {
                self.durability = Durability::Synced;
                *id
            }
            DecisionOrigin::Here | DecisionOrigin::Asked(..) => return,
        };
        let by = origin.question().map(|(question, _)| &question.by);
        Arc::make_mut(&mut self.team).note_command(&self.record.writer, by, id);
        // A record has nowhere near so many events.
        let place = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (first, count) = (place(first), place(count));
        self.record
            .commands
            .push(DecidedCommand { id, first, count });
    }
}
