//! Where a story is told: a store, and the processes that use it.

use std::{any::Any, sync::Arc};

use teammate_core::port::{Archive, BoxFuture, Journal, Mailbox, TranscriptStore};

use crate::memory::MemoryStore;

/// The store of one team, empty when the world is new.
pub trait World: Send + Sync {
    /// What failures call it.
    fn name(&self) -> &str;

    /// The store as one more process sees it, which begins now. Those that are there go on.
    fn process(&self) -> BoxFuture<'_, Process>;
}

/// A world that can lose what is not durable.
pub trait CrashingWorld: World {
    /// Cuts the power: every process ends in the middle of what it does, and what was not durable may be lost. Another value of
    /// `seed` may lose something else.
    fn crash(&self, seed: u64) -> BoxFuture<'_, ()>;
}

/// One process: its ways into the store. It ends when it is dropped.
pub struct Process {
    /// The team's journal.
    pub journal: Arc<dyn Journal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<dyn Mailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<dyn TranscriptStore>,
    /// Where ended groups' members leave what they had.
    pub archive: Arc<dyn Archive>,
    /// What lives as long as the process: a connection, a watch of files.
    pub alive: Box<dyn Any + Send + Sync>,
}

impl World for MemoryStore {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn process(&self) -> BoxFuture<'_, Process> {
        let store = self.another_process();
        Box::pin(async {
            Process {
                journal: store.journal.clone(),
                mailbox: store.mailbox.clone(),
                transcripts: store.transcripts.clone(),
                archive: Arc::new(store),
                alive: Box::new(()),
            }
        })
    }
}
