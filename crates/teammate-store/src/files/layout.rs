//! What must be true of a team's directory before it is used: each known name is what it should be, and the user's.
//!
//! Each use of a file is guarded by itself. This finds what would only fail later, or fail unseen: a view, the event log, a
//! directory that tools and git write into.

use std::{io, path::PathBuf};

use teammate_core::port::Disk as _;

use super::TeamDir;
use crate::disk::{Kind, TeamDisk};

impl TeamDir {
    /// Checks directories and files by their names. What is not there is well; inboxes and other files of members are looked at
    /// when they are used.
    ///
    /// Errors: [`Unfit`](crate::disk::Unfit) about the first that is something else, or somebody else's.
    pub fn check(&self, disk: &TeamDisk) -> io::Result<()> {
        for dir in self.directories() {
            disk.expect(&dir, Kind::Directory)?;
        }
        for of_members in [self.agents_dir(), self.claimed_dirs()] {
            for dir in disk.list(&of_members)? {
                // Something else may lie beside them, such as what a file browser left.
                if disk.expect(&dir, Kind::File).is_err() {
                    disk.expect(&dir, Kind::Directory)?;
                }
            }
        }
        self.files()
            .iter()
            .try_for_each(|file| disk.expect(file, Kind::File))
    }

    /// From the outside in: one that is a link is named itself, and not what is in it.
    fn directories(&self) -> [PathBuf; 10] {
        let inbox = self.inbox_dir();
        let (locks, bad) = (inbox.join(".lock"), inbox.join(".bad"));
        [
            inbox,
            locks,
            bad,
            self.claimed_dirs(),
            self.agents_dir(),
            self.tasks_dir(),
            self.plans_dir(),
            self.outputs_dir(),
            self.archive(),
            self.worktrees_dir(),
        ]
    }

    fn files(&self) -> [PathBuf; 9] {
        [
            self.ignore(),
            self.journal(),
            self.journal_lock(),
            self.journal_bad(),
            self.host_lock(),
            self.host_name(),
            self.config(),
            self.events(),
            self.old_events(),
        ]
    }
}
