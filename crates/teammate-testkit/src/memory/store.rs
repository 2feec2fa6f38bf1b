//! All that a team keeps, in memory, for several processes at once.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{Archive, BoxFuture},
};

use super::{MemoryJournal, MemoryMailbox, MemoryTranscripts};

/// The store of one team as one process sees it.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    /// The team's journal.
    pub journal: Arc<MemoryJournal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<MemoryMailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<MemoryTranscripts>,
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
