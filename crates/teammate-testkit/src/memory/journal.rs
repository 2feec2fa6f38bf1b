//! A journal in memory.

use std::{
    future,
    sync::{Arc, Mutex},
};

use teammate_core::{
    name::WorkerName,
    port::{BoxFuture, Durability, Journal, JournalError, JournalRead, Record, RecordWriter},
};
use tokio::sync::Notify;

use super::bells::{Bells, Ring};
use crate::locked;

/// A journal that lives as long as a process that has it.
pub struct MemoryJournal {
    kept: Arc<Kept>,
    grown: Arc<Notify>,
    writer: RecordWriter,
    _ring: Arc<Ring>,
}

#[derive(Default)]
struct Kept {
    records: Mutex<Vec<Record>>,
    bells: Bells,
}

impl MemoryJournal {
    fn of(kept: Arc<Kept>, writer: RecordWriter) -> Self {
        let grown = Arc::new(Notify::new());
        let bell = grown.clone();
        let ring: Arc<Ring> = Arc::new(move || bell.notify_one());
        kept.bells.add(&ring);
        Self {
            kept,
            grown,
            writer,
            _ring: ring,
        }
    }

    /// The same journal as another process of the user's has it, with a doorbell of its own.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self::of(self.kept.clone(), RecordWriter::User)
    }

    /// The same journal as this worker has it, which appends in its own name.
    #[must_use]
    pub fn of_worker(&self, worker: &WorkerName) -> Self {
        Self::of(self.kept.clone(), RecordWriter::Worker(worker.clone()))
    }

    pub(super) fn bells(&self) -> &Bells {
        &self.kept.bells
    }
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::of(Arc::default(), RecordWriter::User)
    }
}

impl Journal for MemoryJournal {
    fn append_record(
        &self,
        record: Record,
        _durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            let mut records = locked(&self.kept.records);
            let length = records.len() as u64;
            if length != record.number {
                return Err(JournalError::Conflict { length });
            }
            records.push(record);
            drop(records);
            self.kept.bells.ring();
            Ok(())
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let records = locked(&self.kept.records);
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let found = JournalRead {
            records: records.iter().skip(skipped).cloned().collect(),
            damaged: Vec::new(),
        };
        drop(records);
        Box::pin(future::ready(Ok(found)))
    }

    fn writer(&self) -> RecordWriter {
        self.writer.clone()
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.grown.notified())
    }
}
