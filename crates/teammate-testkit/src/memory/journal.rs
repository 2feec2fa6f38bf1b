//! A journal in memory.

use std::{future, sync::Mutex};

use teammate_core::{
    Timestamp,
    port::{BoxFuture, Durability, Journal, JournalError, JournalRead, Record},
    team::TeamEvent,
};
use tokio::sync::Notify;

use crate::locked;

/// A journal that lives as long as the value.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    records: Mutex<Vec<Record>>,
    grown: Notify,
}

impl Journal for MemoryJournal {
    fn append(
        &self,
        expected: u64,
        at: Timestamp,
        events: Vec<TeamEvent>,
        _durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            let mut records = locked(&self.records);
            let length = records.len() as u64;
            if length != expected {
                return Err(JournalError::Conflict { length });
            }
            records.push(Record {
                number: expected,
                at,
                events,
            });
            drop(records);
            self.grown.notify_one();
            Ok(())
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let records = locked(&self.records);
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let found = JournalRead {
            records: records.iter().skip(skipped).cloned().collect(),
            damaged: Vec::new(),
        };
        drop(records);
        Box::pin(future::ready(Ok(found)))
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.grown.notified())
    }
}
