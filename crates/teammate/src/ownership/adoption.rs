//! Adopting a team's directory that nothing proves to be the user's: shown first, then sealed anew as theirs. Members,
//! conversations, mail and tasks are kept; what would run by itself is not: permissions, approvals, checks, jobs, unfinished turns.

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Clock as _, Disk, Record},
    team::{Command, Lapse, TeamState},
    transcript::{Entry, lapse_all},
};
use teammate_store::{
    clock::SystemClock,
    files::{FileJournal, FileTranscripts, HostLock, TeamDir},
};

use super::{KnownTeams, Proof, Unproven, put_back_journal};
use crate::{
    TeamError,
    existing::Existing,
    place::{Site, TeamPlace},
    project::UserDirs,
};

/// Why everything lapses at an adoption, in the journal.
const WHY: &str = "the team's directory was adopted";

/// A directory that nothing proves to be the user's, as it would be adopted. Looking changes nothing.
pub struct Found {
    teams: Arc<KnownTeams>,
    site: Site,
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    why: Unproven,
    records: Vec<Record>,
    team: TeamState,
    transcripts: Vec<(MemberName, Vec<Entry>)>,
    damaged: Vec<String>,
}

impl Found {
    /// Looks at a team; a workspace means its default team. `None` if it is the user's own. No file of more than
    /// `read_max` bytes is read.
    ///
    /// Errors: there is no team, its directory cannot be read, or a member's own command asks.
    pub async fn look(
        place: impl Into<TeamPlace>,
        user: &UserDirs,
        read_max: u64,
    ) -> Result<Option<Self>, TeamError> {
        let (place, user) = (place.into(), user.clone());
        tokio::task::spawn_blocking(move || Self::read(&place, &user, read_max))
            .await
            .map_err(|error| TeamError::Storage(error.to_string()))?
    }

    fn read(place: &TeamPlace, user: &UserDirs, read_max: u64) -> Result<Option<Self>, TeamError> {
        put_back_journal(place, read_max, user)?;
        let files = Existing::open(place, read_max)?;
        if files.is_asked_from_within() {
            return Err(TeamError::InsideMemberCommand);
        }
        let teams = Arc::new(KnownTeams::of_user(user, &files.site.workspace));
        match files.prove(&teams) {
            Ok(_) => Ok(None),
            Err(TeamError::NotProven { why, .. }) => Self::unproven(teams, files, why).map(Some),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn unproven(
        teams: Arc<KnownTeams>,
        files: Existing,
        why: Unproven,
    ) -> Result<Self, TeamError> {
        let Existing { site, disk, dir } = files;
        let journal = FileJournal::read_unproven(&*disk, &dir.journal()).map_err(broken(&dir))?;
        let team = TeamState::of(&journal.records);
        let mut damaged: Vec<String> = journal.damaged.iter().map(ToString::to_string).collect();
        let mut transcripts = Vec::new();
        for name in dir.owners(&*disk).map_err(broken(&dir))? {
            let read = FileTranscripts::read_unproven(&*disk, &dir.transcript(&name))
                .map_err(broken(&dir))?;
            damaged.extend(read.damaged);
            transcripts.push((name, read.entries));
        }
        Ok(Self {
            teams,
            site,
            disk,
            dir,
            why,
            records: journal.records,
            team,
            transcripts,
            damaged,
        })
    }

    /// Why it is not taken for the user's own.
    pub fn why(&self) -> &Unproven {
        &self.why
    }

    /// The team as its journal records it, if the journal is valid.
    pub fn team(&self) -> &TeamState {
        &self.team
    }

    /// Whose conversations there are, and how many entries each has.
    pub fn conversations(&self) -> impl Iterator<Item = (&MemberName, usize)> {
        let all = self.transcripts.iter();
        all.map(|(name, entries)| (name, entries.len()))
    }

    /// The lines that cannot be read and are left out; they stay in the files as they were found, which are kept.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Makes the directory the user's own. Until the last step nobody owns it, and a crash in between loses
    /// nothing. Each file as it was found is kept beside the new one, with the ending `found`.
    ///
    /// Errors: another process runs the team, a file cannot be written, or there is no key that the next process has, too.
    pub fn adopt(self) -> Result<(), TeamError> {
        if !self.teams.are_kept() {
            return Err(TeamError::NotProven {
                path: self.dir.path().to_owned(),
                why: self.why,
            });
        }
        let _lock = HostLock::take(&self.disk, &self.dir, SystemClock.now())?;
        self.seal_anew().map(|_| ())
    }

    /// Seals the team anew, for the process that has the host's lock.
    pub(crate) fn seal_anew(mut self) -> Result<Proof, TeamError> {
        let proof = Proof::begin(&self.teams, &self.site.key)?;
        let seal = &proof.seal;
        let broken = broken(&self.dir);
        for (name, mut entries) in std::mem::take(&mut self.transcripts) {
            let end = lapse_all(&entries);
            entries.extend(end);
            let (disk, seal) = (&*self.disk, seal.clone());
            replace(disk, &self.dir.transcript(&name), |new| {
                FileTranscripts::write_sealed(disk, new, &name, &entries, seal).map(|_| ())
            })
            .map_err(&broken)?;
        }
        // Last: a directory with a proven journal is opened.
        let records = lapsed(&self.team, std::mem::take(&mut self.records), WHY)?;
        replace(&*self.disk, &self.dir.journal(), |new| {
            FileJournal::write_sealed(&*self.disk, new, &records, seal.clone()).map(|_| ())
        })
        .map_err(&broken)?;
        Ok(proof)
    }
}

/// The records of a team, and what lapses in it because of `why`. They are numbered anew: foreign numbers may leave no room, and
/// one may be missing.
pub(crate) fn lapsed(
    team: &TeamState,
    mut records: Vec<Record>,
    why: &str,
) -> Result<Vec<Record>, TeamError> {
    let lapse = Command::Lapse {
        lapse: Lapse::Adoption,
        why: why.to_owned(),
    };
    let lapsed = team.decide(&lapse);
    let lapsed = lapsed.map_err(|refusal| TeamError::Storage(refusal.to_string()))?;
    records.push(Record::of(0, SystemClock.now(), lapsed.events));
    for (number, record) in (0..).zip(&mut records) {
        record.number = number;
    }
    Ok(records)
}

/// Puts a new file in the place of one that is kept with the ending `found`. At every moment one of them is there.
fn replace(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let new = path.with_extension("adopted");
    write(&new)?;
    if disk.exists(path) {
        copy(disk, path, &path.with_extension("jsonl.found"))?;
    }
    disk.rename(&new, path)?;
    path.parent().map_or(Ok(()), |dir| disk.sync_dir(dir))
}

/// Copies a file durably, in pieces. A copy that is there is replaced.
fn copy(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    let mut source = disk.open_read(from)?;
    disk.write(to, b"")?;
    let mut target = disk.open_append(to)?;
    let (mut offset, mut buffer) = (0, vec![0; 1 << 16]);
    loop {
        let count = source.read_at(offset, &mut buffer)?;
        if count == 0 {
            return target.sync();
        }
        target.append(&buffer[..count])?;
        offset += count as u64;
    }
}

fn broken(dir: &TeamDir) -> impl Fn(io::Error) -> TeamError + use<> {
    let path = dir.path().to_owned();
    move |why| TeamError::Directory {
        path: path.clone(),
        why,
    }
}
