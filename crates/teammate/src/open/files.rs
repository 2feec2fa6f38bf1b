//! The files of a team that is opened, locked for this process, and what another program may have left in its directory.

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Clock, Disk},
};
use teammate_store::{
    clock::SystemClock,
    disk::TeamDisk,
    files::{FileArchive, FileJournal, FileMailbox, FileTranscripts, HostLock, TeamDir},
    teaching::{self, ConfigFile},
};
use teammate_tools::Leftovers;

use crate::{
    TeamError,
    outside::{Existing, TEAM_DIR},
    ownership::{Found, KnownTeams, Proof},
    texts::UserDirs,
};

/// A team's files, locked for this process.
pub(super) struct Files {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) dir: TeamDir,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) lock: HostLock,
    pub(super) journal: Arc<FileJournal>,
    pub(super) mailbox: Arc<FileMailbox>,
    pub(super) proof: Proof,
    /// What the user should know about whose files they are.
    pub(super) notices: Vec<String>,
}

/// What another program's roster held.
#[derive(Default)]
pub(super) struct Adopted {
    pub(super) members: Vec<(MemberName, String, bool)>,
    pub(super) notices: Vec<String>,
}

/// What becomes of a directory that nothing proves to be the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Refuse,
    Adopt,
}

impl Files {
    /// Opens the files of the team in a workspace, which must be resolved. A directory that is not proven to be the user's is
    /// not touched unless it is to be adopted.
    pub(super) fn open(
        workspace: &Path,
        read_max: u64,
        user: &UserDirs,
        unknown: Unknown,
    ) -> Result<Self, TeamError> {
        let teams = Arc::new(KnownTeams::of_user(user, workspace));
        let there = Existing::open(workspace, read_max).and_then(|files| files.prove(&teams));
        let why = match (there, unknown) {
            (Ok(_) | Err(TeamError::NoTeam(_)), _) => None,
            (Err(TeamError::NotProven { why, .. }), Unknown::Adopt) => Some(why),
            (Err(error), _) => return Err(error),
        };
        let (disk, dir) = directory(workspace, read_max)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let lock = HostLock::take(&disk, &dir, clock.now())?;
        let mut notices: Vec<String> = teams.notice().map(str::to_owned).into_iter().collect();
        let proof = match why {
            Some(why) => {
                let files = Existing {
                    workspace: workspace.to_owned(),
                    disk: disk.clone(),
                    dir: dir.clone(),
                };
                Found::unproven(teams, files, why)?.seal_anew()?
            }
            // Once more: another process may have made the team meanwhile.
            None => match Proof::find(&teams, &*disk, &dir, workspace)? {
                Some(proof) => proof,
                None => {
                    notices.extend(teams.lost_team(workspace)?);
                    begin(&teams, workspace, &mut notices)
                }
            },
        };
        let (seal, heads) = (proof.seal.clone(), proof.heads.clone());
        Ok(Self {
            journal: Arc::new(FileJournal::new(
                disk.clone(),
                dir.clone(),
                seal.clone(),
                heads,
            )),
            mailbox: Arc::new(FileMailbox::new(
                disk.clone(),
                dir.clone(),
                clock.clone(),
                seal,
            )),
            proof,
            notices,
            disk,
            dir,
            clock,
            lock,
        })
    }

    /// The transcripts of its members.
    pub(super) fn transcripts(&self) -> FileTranscripts {
        let Proof { seal, heads, .. } = &self.proof;
        FileTranscripts::new(
            self.disk.clone(),
            self.dir.clone(),
            seal.clone(),
            heads.clone(),
        )
    }

    /// Where the files of ended teams go.
    pub(super) fn archive(&self) -> FileArchive {
        let heads = self.proof.heads.clone();
        FileArchive::new(self.disk.clone(), self.dir.clone(), heads)
    }

    /// Ends what a killed host of this team left running.
    pub(super) fn end_strays(&self) -> Option<String> {
        Leftovers::end_strays(self.dir.path())
            .then(|| "processes that a killed run had left were ended".to_owned())
    }

    /// The roster of a directory that another program left: only where there is no journal yet.
    pub(super) fn adopted(&self) -> Result<Adopted, TeamError> {
        if self.disk.exists(&self.dir.journal()) {
            return Ok(Adopted::default());
        }
        let config =
            teaching::read_config(&*self.disk, &self.dir).map_err(|why| TeamError::Directory {
                path: self.dir.config(),
                why,
            })?;
        let roster = match config {
            ConfigFile::Missing => return Ok(Adopted::default()),
            ConfigFile::Damaged { why, kept_in } => {
                let text = format!(
                    "config.json could not be read ({why}); it is kept in {}",
                    kept_in.display()
                );
                return Ok(Adopted {
                    members: Vec::new(),
                    notices: vec![text],
                });
            }
            ConfigFile::Roster(roster) => roster,
        };
        let mut adopted = Adopted {
            members: Vec::new(),
            notices: roster.damaged,
        };
        for member in roster.members {
            match MemberName::teammate(&member.name) {
                Ok(name) => adopted.members.push((name, member.role, member.stopped)),
                Err(error) => adopted
                    .notices
                    .push(format!("config.json: {error}; left out")),
            }
        }
        Ok(adopted)
    }
}

/// A new team begins, also where that cannot be written down.
fn begin(teams: &Arc<KnownTeams>, workspace: &Path, notices: &mut Vec<String>) -> Proof {
    Proof::begin(teams, workspace).unwrap_or_else(|error| {
        notices.push(format!(
            "{error}: this team cannot be proven to be yours when it is opened again, and takes `teammate trust --team` then"
        ));
        Proof::begin_unknown(teams, workspace)
    })
}

/// The team's directory, made if it is not there, checked and held open.
fn directory(workspace: &Path, read_max: u64) -> Result<(Arc<dyn Disk>, TeamDir), TeamError> {
    let path = workspace.join(TEAM_DIR);
    let made = || {
        let disk = TeamDisk::create(&path)?.reading_at_most(read_max);
        TeamDir::at(&path).check(&disk)?;
        let dir = TeamDir::create(&disk, &path)?;
        io::Result::Ok((Arc::new(disk) as Arc<dyn Disk>, dir))
    };
    made().map_err(|why| TeamError::Directory {
        path: path.clone(),
        why,
    })
}
