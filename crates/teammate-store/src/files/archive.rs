//! Archives the files of members whose group ended: transcript, unread mail, quarantined lines.

use std::{io, path::Path, sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    port::{Archive, BoxFuture, Disk},
};

use super::{
    Heads, blocking,
    dir::{TeamDir, durable_dir},
};
use crate::wire::chain::Log;

/// How long to wait for another process that holds a mailbox's lock.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The archive in `archive/` of a team's directory.
pub struct FileArchive {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    heads: Arc<Heads>,
}

impl FileArchive {
    /// The archive of the team in `dir`. `heads` forgets archived transcripts.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir, heads: Arc<Heads>) -> Self {
        Self { disk, dir, heads }
    }
}

impl Archive for FileArchive {
    fn archive<'a>(
        &'a self,
        label: &'a str,
        members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>> {
        let (disk, dir) = (self.disk.clone(), self.dir.clone());
        let (place, members) = (dir.archive().join(label), members.to_vec());
        let heads = self.heads.clone();
        Box::pin(async move {
            blocking(move || {
                let shown = place.display().to_string();
                for member in &members {
                    heads.forget(&Log::transcript_name(member));
                }
                archive_member(&*disk, &dir, &place, &members).map_err(|error| {
                    format!("{shown} could not be filled: {error}; nothing was lost")
                })?;
                Ok(shown)
            })
            .await
            .unwrap_or_else(|why| Err(why.to_string()))
        })
    }
}

fn archive_member(
    disk: &dyn Disk,
    dir: &TeamDir,
    place: &Path,
    members: &[MemberName],
) -> io::Result<()> {
    durable_dir(disk, &dir.archive())?;
    durable_dir(disk, place)?;
    for member in members {
        let kept = place.join(member.as_str());
        durable_dir(disk, &kept)?;
        let _held = disk.lock(&dir.inbox_lock(member), LOCK_WAIT)?;
        let moves = [
            (dir.agent_dir(member), kept.join("agent")),
            (dir.inbox(member), kept.join("inbox.jsonl")),
            (dir.claimed_dir(member), kept.join("claimed")),
            (dir.inbox_quarantine(member), kept.join("inbox.bad.jsonl")),
        ];
        for (from, to) in moves {
            // After a crash, some files have been moved already.
            if disk.exists(&from) && !disk.exists(&to) {
                disk.rename(&from, &to)?;
            }
        }
        disk.sync_dir(&kept)?;
    }
    for above in [
        dir.inbox_dir(),
        dir.claimed_dirs(),
        dir.inbox_dir().join(".bad"),
        dir.agents_dir(),
    ] {
        disk.sync_dir(&above)?;
    }
    disk.sync_dir(place)
}
