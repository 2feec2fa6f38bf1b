//! A journal in memory.

use std::{
    future,
    sync::{Arc, Mutex, Weak},
};

use teammate_core::{
    Timestamp,
    port::{BoxFuture, Durability, Journal, JournalError, JournalRead, Record},
    team::TeamEvent,
};
use tokio::sync::Notify;

use crate::locked;

/// A journal that lives as long as a process that has it.
#[derive(Debug)]
pub struct MemoryJournal {
    kept: Arc<Mutex<Kept>>,
    grown: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Kept {
    records: Vec<Record>,
    /// One of each process.
    bells: Vec<Weak<Notify>>,
}

impl MemoryJournal {
    fn of(kept: &Arc<Mutex<Kept>>) -> Self {
        let grown = Arc::new(Notify::new());
        let bells = &mut locked(kept).bells;
        bells.retain(|bell| bell.strong_count() > 0);
        bells.push(Arc::downgrade(&grown));
        Self {
            kept: kept.clone(),
            grown,
        }
    }

    /// The same journal as another process has it, with a doorbell of its own.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self::of(&self.kept)
    }
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::of(&Arc::default())
    }
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
            let mut kept = locked(&self.kept);
            let length = kept.records.len() as u64;
            if length != expected {
                return Err(JournalError::Conflict { length });
            }
            kept.records.push(Record {
                number: expected,
                at,
                events,
            });
            for bell in kept.bells.iter().filter_map(Weak::upgrade) {
                bell.notify_one();
            }
            Ok(())
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let kept = locked(&self.kept);
        let skipped = usize::try_from(from).unwrap_or(usize::MAX);
        let found = JournalRead {
            records: kept.records.iter().skip(skipped).cloned().collect(),
            damaged: Vec::new(),
        };
        drop(kept);
        Box::pin(future::ready(Ok(found)))
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.grown.notified())
    }
}
