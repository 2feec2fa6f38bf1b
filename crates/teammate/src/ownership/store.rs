//! Files as a store: the ports to the files of a team, which its proof seals.

use std::sync::Arc;

use teammate_core::port::Disk;
use teammate_store::{
    clock::SystemClock,
    files::{
        FileArchive, FileDoorbells, FileEvents, FileJournal, FileMailbox, FilePresence,
        FileTranscripts, TeamDir,
    },
};

use super::Proof;
use crate::store::{Store, TeamStore};

impl Proof {
    /// The store of the team that this proves, in `dir`.
    pub(crate) fn team_store(&self, disk: &Arc<dyn Disk>, dir: &TeamDir) -> TeamStore {
        let (seal, heads) = (|| self.seal.clone(), || self.heads.clone());
        let (disk, dir) = (|| disk.clone(), || dir.clone());
        let mailbox = FileMailbox::new(disk(), dir(), Arc::new(SystemClock), seal());
        let mailbox = Arc::new(mailbox);
        let journal = FileJournal::copied(disk(), dir(), (seal(), heads()), self.copy.clone());
        let journal = Arc::new(journal);
        TeamStore {
            events: Arc::new(FileEvents::new(disk(), dir())),
            presence: Arc::new(FilePresence::new(disk(), dir())),
            doorbells: Arc::new(FileDoorbells::new(mailbox.clone(), journal.clone())),
            store: Store {
                journal,
                mailbox,
                transcripts: Arc::new(FileTranscripts::new(disk(), dir(), seal(), heads())),
                archive: Arc::new(FileArchive::new(disk(), dir(), heads())),
            },
        }
    }
}
