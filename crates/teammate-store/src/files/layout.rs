//! Checks a team's directory before use: each known name has the right kind and the right owner.
//!
//! Each use of a file is guarded by itself. This check finds what would only fail later, or fail
//! unseen: a view file, the event log, a directory that tools and git write into.

use std::{io, path::PathBuf};

use teammate_core::port::Disk as _;

use super::TeamDir;
use crate::disk::{FileKind, TeamDisk};

impl TeamDir {
    /// Checks the known directories and files. A missing one is fine; inboxes and other files of members
    /// are checked when they are used.
    ///
    /// Errors: [`UnfitFile`](crate::disk::UnfitFile) for the first of the wrong kind or owner.
    pub fn check(&self, disk: &TeamDisk) -> io::Result<()> {
        for dir in self.directories() {
            disk.expect(&dir, FileKind::Directory)?;
        }
        for of_members in [self.agents_dir(), self.claimed_dirs()] {
            for dir in disk.list(&of_members)? {
                // Other files may lie beside them, such as a file browser's.
                if disk.expect(&dir, FileKind::File).is_err() {
                    disk.expect(&dir, FileKind::Directory)?;
                }
            }
        }
        self.files()
            .iter()
            .try_for_each(|file| disk.expect(file, FileKind::File))
    }

    /// Outer directories first, so that a link is reported itself and not what is in it.
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
            self.journal_quarantine(),
            self.host_lock(),
            self.host_name(),
            self.config(),
            self.events(),
            self.old_events(),
        ]
    }
}
