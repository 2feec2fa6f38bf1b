//! A copy of the user's own team under another name: what its members said and did goes on there, and the team itself stays as it is.
//! What would run by itself is left to the first: unread mail, unfinished turns, open questions, unused permissions, checks, jobs.

use std::{fs, io, path::PathBuf, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Disk, Record},
    team::{TeamEvent, TeamState},
    transcript::{Entry, lapse_all},
};
use teammate_store::files::{FileJournal, FileTranscripts, TeamDir};

use crate::{
    TeamError,
    existing::Existing,
    file_stores::directory,
    ownership::{KnownTeams, Proof, lapsed, put_back_journal},
    place::TeamPlace,
    project::UserDirs,
};

/// Why everything lapses in a copy, in its journal.
const WHY: &str = "this team is a copy of another";

/// Why a team is not copied.
#[derive(Debug, thiserror::Error)]
pub enum TeamCopyError {
    /// It cannot be read, or its copy cannot be written.
    #[error(transparent)]
    Team(#[from] TeamError),
    /// What is not committed in a worktree is in one place only.
    #[error(
        "members of it work in worktrees, which a copy would not have; merge or remove them first"
    )]
    Worktrees,
    /// There is one in its place.
    #[error("there is a team in {0} already")]
    Taken(PathBuf),
}

/// Copies a team that is the user's own to another place. It may be running: what was recorded until now is copied, and a turn that a
/// member is in has ended there. No file of more than `read_max` bytes is read.
///
/// # Errors
///
/// There is no such team, it is not the user's own, or something is in the other place.
pub async fn copy_team(
    from: &TeamPlace,
    to: &TeamPlace,
    user: &UserDirs,
    read_max: u64,
) -> Result<(), TeamCopyError> {
    put_back_journal(from, read_max, user)?;
    let files = Existing::open(from, read_max)?;
    if files.is_asked_from_within() {
        return Err(TeamError::InsideMemberCommand.into());
    }
    let worktrees = files.site.dir.join("worktrees");
    if fs::read_dir(worktrees).is_ok_and(|mut all| all.next().is_some()) {
        return Err(TeamCopyError::Worktrees);
    }
    let teams = Arc::new(KnownTeams::of_user(user, &files.site.workspace));
    let original = Original::read(&files, &files.prove(&teams)?).await?;
    let site = to.site().map_err(|why| TeamError::Workspace {
        path: to.workspace().to_owned(),
        why,
    })?;
    if site.dir.exists() {
        return Err(TeamCopyError::Taken(site.dir));
    }
    let original = original.lapsed(&site.name)?;
    let (disk, dir) = directory(&site, read_max)?;
    let proof = Proof::begin(&teams, &site.key)?;
    let written = original.written(&*disk, &dir, &proof);
    Ok(written.map_err(|why| TeamError::Directory {
        path: site.dir,
        why,
    })?)
}

/// What is proven of a team.
struct Original {
    records: Vec<Record>,
    transcripts: Vec<(MemberName, Vec<Entry>)>,
}

impl Original {
    async fn read(files: &Existing, proof: &Proof) -> Result<Self, TeamError> {
        let failed = |error: &dyn std::fmt::Display| TeamError::Storage(error.to_string());
        let store = proof.team_store(&files.disk, &files.dir).store;
        let read = store.journal.read(0).await;
        let records = read.map_err(|error| failed(&error))?.records;
        let owners = files.dir.owners(&*files.disk);
        let mut transcripts = Vec::new();
        for name in owners.map_err(|error| failed(&error))? {
            let entries = store.transcripts.peek(&name).await;
            transcripts.push((name, entries.map_err(|error| failed(&error))?));
        }
        Ok(Self {
            records,
            transcripts,
        })
    }

    /// The same as a team of this name, with what lapses in it.
    fn lapsed(self, name: &str) -> Result<Self, TeamError> {
        let Self {
            mut records,
            mut transcripts,
        } = self;
        for event in records.iter_mut().flat_map(|record| &mut record.events) {
            if let TeamEvent::Created { name: own, .. } = event {
                name.clone_into(own);
            }
        }
        let records = lapsed(&TeamState::of(&records), records, WHY)?;
        for (_, entries) in &mut transcripts {
            let end = lapse_all(entries);
            entries.extend(end);
        }
        Ok(Self {
            records,
            transcripts,
        })
    }

    /// Writes it, sealed anew.
    fn written(&self, disk: &dyn Disk, dir: &TeamDir, proof: &Proof) -> io::Result<()> {
        for (owner, entries) in &self.transcripts {
            let path = dir.transcript(owner);
            if let Some(above) = path.parent() {
                disk.create_dir_all(above)?;
            }
            FileTranscripts::write_sealed(disk, &path, owner, entries, proof.seal.clone())?;
        }
        // Last: a directory with a journal is a team.
        let path = dir.journal();
        FileJournal::write_sealed(disk, &path, &self.records, proof.seal.clone())?;
        disk.sync_dir(dir.path())
    }
}
