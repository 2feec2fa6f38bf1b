//! All that a team keeps, in memory, for several processes at once.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{Archive, BoxFuture, Doorbells, Listening},
};

use super::{
    MemoryEvents, MemoryJournal, MemoryMailbox, MemoryPresence, MemoryTranscripts, bells::Ring,
};

/// The store of one team as one process sees it.
#[derive(Clone, Default)]
pub struct MemoryStore {
    /// The team's journal.
    pub journal: Arc<MemoryJournal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<MemoryMailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<MemoryTranscripts>,
    /// The team's events.
    pub events: Arc<MemoryEvents>,
    /// Who runs the team.
    pub presence: MemoryPresence,
}

impl MemoryStore {
    /// The same store as another process sees it.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self {
            journal: Arc::new(self.journal.another_process()),
            ..self.clone()
        }
    }

    /// The same store as this worker sees it, which writes records in its own name.
    #[must_use]
    pub fn of_worker(&self, worker: &WorkerName) -> Self {
        Self {
            journal: Arc::new(self.journal.of_worker(worker)),
            ..self.clone()
        }
    }
}

/// What is archived here is gone: nobody reads it again.
impl Archive for MemoryStore {
    fn archive<'a>(
        &'a self,
        label: &'a str,
        members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>> {
        for member in members {
            self.transcripts.forget(member);
            self.mailbox.forget(member);
        }
        Box::pin(async move { Ok(format!("memory ({label})")) })
    }
}

/// Journal and mailboxes ring by themselves.
impl Doorbells for MemoryStore {
    fn on_change(&self, ring: Box<dyn Fn() + Send + Sync>) -> Option<Listening> {
        let ring: Arc<Ring> = Arc::from(ring);
        self.journal.bells().add(&ring);
        self.events.bells().add(&ring);
        Some(Box::new(ring))
    }
}
