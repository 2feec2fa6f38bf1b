//! The journal as every worker that may begin something has read it: what was appended just now may not have reached all.

use std::time::Duration;

use teammate_core::port::{BoxFuture, Durability, Journal, JournalError, JournalRead, Record};

use super::engine::Engine;

/// A worker that has heard nothing for longer begins nothing.
const BEHIND: Duration = Duration::from_secs(15);

/// The journal without what is new in it.
pub(crate) struct Earlier(pub(crate) Engine);

impl Journal for Earlier {
    fn append_record(&self, _: Record, _: Durability) -> BoxFuture<'_, Result<(), JournalError>> {
        unreachable!("who judges only reads")
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(async move {
            let mut read = self.0.journal.read(from).await?;
            let writers = self.0.writers();
            let old = writers.iter().filter(|by| by.at.elapsed() > BEHIND).count();
            read.records.retain(|record| record.number < old as u64);
            Ok(read)
        })
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}
