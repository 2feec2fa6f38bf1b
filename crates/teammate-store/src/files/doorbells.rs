//! How processes of a team in files hear of each other: the kernel reports writes.

use std::sync::Arc;

use teammate_core::port::{Doorbells, Listening};

use super::{FileJournal, FileMailbox, ring_on_change, watch};

/// The doorbells of these mailboxes and this journal. Works on a real disk only.
pub struct FileDoorbells {
    mailbox: Arc<FileMailbox>,
    journal: Arc<FileJournal>,
}

impl FileDoorbells {
    /// Those that this process uses.
    pub fn new(mailbox: Arc<FileMailbox>, journal: Arc<FileJournal>) -> Self {
        Self { mailbox, journal }
    }
}

impl Doorbells for FileDoorbells {
    fn listen(&self) -> Listening {
        Box::new(watch(self.mailbox.clone(), self.journal.clone()))
    }

    fn on_change(&self, ring: Box<dyn Fn() + Send + Sync>) -> Option<Listening> {
        let dir = self.journal.dir();
        let watch = ring_on_change(dir.path(), &[dir.journal(), dir.events()], ring)?;
        Some(Box::new(watch))
    }
}
