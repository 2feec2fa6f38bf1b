//! A line of the journal as what it proves: who wrote the record, and which workers asked for what it decides.
//!
//! A question is sealed for the subject on which it was asked, which names the team, the asker and the asked. So it proves nothing in
//! another team, of another asker, or where another worker decides it.

use std::sync::Arc;

use teammate_core::{
    port::{AskedQuestion, FleetQuestion, Record, RecordWriter, Seal},
    team::TeamEvent,
};
use teammate_wire::{
    chain::Log,
    record::{self, KeptQuestion},
};

use crate::layout::NatsPlace;

/// Reads the lines of one journal.
pub(crate) struct ProvenRecords {
    pub(crate) log: Log,
    pub(crate) seal: Arc<dyn Seal>,
    pub(crate) place: NatsPlace,
}

impl ProvenRecords {
    /// The record of a line that opens.
    ///
    /// Errors: what is wrong with it, in words for the user.
    pub(crate) fn read(&self, line: &[u8]) -> Result<Record, String> {
        let (record, kept) = record::read_kept(line)?;
        let writer = self.log.writer(line);
        let writer = writer.ok_or_else(|| "nobody has sealed it".to_owned())?;
        let proven = kept
            .into_iter()
            .filter_map(|kept| self.prove(&writer, kept));
        Ok(Record {
            questions: proven.map(Arc::new).collect(),
            writer,
            ..record
        })
    }

    /// The question, if the worker asked it of the writer.
    fn prove(&self, writer: &RecordWriter, (by, evidence): KeptQuestion) -> Option<AskedQuestion> {
        let RecordWriter::Worker(writer) = writer else {
            return None;
        };
        let (subject, text) = (self.place.question(writer, &by), evidence.text.as_bytes());
        if !self.seal.verifies(&subject, text, &evidence.seal) {
            return None;
        }
        match serde_json::from_slice(text).ok()? {
            FleetQuestion::Decide(asked) => Some(AskedQuestion {
                by,
                asked,
                evidence: Some(evidence),
            }),
            FleetQuestion::Ping | FleetQuestion::Rest { .. } | FleetQuestion::Job { .. } => None,
        }
    }
}

/// The events that change who runs whom, if the record may count: a worker's does nothing else beside it.
pub(crate) fn placing<'a>(writer: &RecordWriter, events: &'a [TeamEvent]) -> &'a [TeamEvent] {
    match writer {
        RecordWriter::Worker(_) if !events.iter().all(TeamEvent::is_placing) => &[],
        RecordWriter::Worker(_) | RecordWriter::User => events,
    }
}
