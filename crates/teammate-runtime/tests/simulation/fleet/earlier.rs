//! The journal as every worker that may begin something has read it: what was appended just now may not have reached all.

use std::time::Duration;

use teammate_core::{
    Timestamp,
    port::{BoxFuture, Durability, Journal, JournalError, JournalRead},
    team::TeamEvent,
};

use super::engine::Engine;

/// A worker that has heard nothing for longer begins nothing.
const BEHIND: Duration = Duration::from_secs(15);

/// The journal without what is new in it.
pub(crate) struct Earlier(pub(crate) Engine);

impl Journal for Earlier {
    fn append(
        &self,
        _: u64,
        _: Timestamp,
        _: Vec<TeamEvent>,
        _: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
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
