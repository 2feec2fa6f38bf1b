//! The files of a team that is opened, locked for this process, and what another program may have left in its directory.

mod takeover;

use std::{io, path::Path, sync::Arc};

pub(crate) use self::takeover::take_over;

use teammate_core::{
    next_step::{NextStep, Wording},
    port::{Clock, Disk},
    team::TeamState,
};
use teammate_process::Leftovers;
use teammate_store::{
    clock::SystemClock,
    disk::TeamDisk,
    files::{HostLock, TeamDir},
};

use crate::{
    TeamError,
    existing::Existing,
    ownership::{Found, KnownTeams, Proof, put_back_journal},
    place::{Site, TeamPlace, is_of_another_program, of_other_programs},
    project::UserDirs,
    store::{KeptIn, NoDoorbells, TeamStore},
    unaddressed_mail::unaddressed_mail,
};

/// A team's files, locked for this process.
pub(crate) struct FileStores {
    pub(crate) site: Site,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) dir: TeamDir,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) lock: HostLock,
    /// The ports to what is in them.
    pub(crate) store: TeamStore,
    pub(crate) proof: Proof,
    /// True if this opening made the directory: no command of a team has run there.
    is_made: bool,
    /// Warnings about the ownership of the files.
    pub(crate) warnings: Vec<String>,
}

/// The ways to treat a directory that nothing proves to be the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    Refuse,
    Adopt,
    /// Nothing in it is read.
    Ignore,
}

impl FileStores {
    /// Opens the files of a team. A directory that is not proven to be the user's is
    /// not touched unless it is to be adopted.
    pub(crate) fn open(
        place: &TeamPlace,
        read_max: u64,
        user: &UserDirs,
        unknown: Unknown,
        wording: Wording,
    ) -> Result<Self, TeamError> {
        let site = place.site().map_err(|why| TeamError::Workspace {
            path: place.workspace().to_owned(),
            why,
        })?;
        let put_back = match unknown {
            Unknown::Ignore => None,
            Unknown::Refuse | Unknown::Adopt => put_back_journal(place, read_max, user)?,
        };
        let teams = Arc::new(KnownTeams::of_user(user, &site.workspace));
        let there = match unknown {
            Unknown::Ignore => Err(TeamError::NoTeam(site.dir.clone())),
            Unknown::Refuse | Unknown::Adopt => {
                Existing::open(place, read_max).and_then(|files| files.prove(&teams))
            }
        };
        let is_new = matches!(there, Err(TeamError::NoTeam(_)));
        let why = match (there, unknown) {
            (Ok(_) | Err(TeamError::NoTeam(_)), _) => None,
            (Err(TeamError::NotProven { why, .. }), Unknown::Adopt) => Some(why),
            (Err(error), _) => return Err(error),
        };
        let was_there = site.dir.symlink_metadata().is_ok();
        let (disk, dir) = directory(&site, read_max)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let lock = HostLock::take(&disk, &dir, clock.now())?;
        // Under the lock: another process may have made it meanwhile, and run a team.
        let is_made = !was_there && !disk.exists(&dir.journal());
        let mut notices: Vec<String> = teams.notice().map(str::to_owned).into_iter().collect();
        notices.extend(put_back);
        let proof = match why {
            None if unknown == Unknown::Ignore => Proof::begin_unknown(&teams, &site.key),
            Some(why) => {
                let files = Existing {
                    site: site.clone(),
                    disk: disk.clone(),
                    dir: dir.clone(),
                };
                Found::unproven(teams, files, why)?.seal_anew()?
            }
            // Once more: another process may have made the team meanwhile.
            None => match Proof::find(&teams, &*disk, &dir, &site.key)? {
                Some(proof) => proof,
                None if !site.is_kept => Proof::begin_unknown(&teams, &site.key),
                None => {
                    notices.extend(teams.lost_team(&site.key)?);
                    begin(&teams, &site.key, wording, &mut notices)
                }
            },
        };
        if is_new && site.is_kept {
            notices.extend(of_other_programs(&site.workspace, wording));
        }
        Ok(Self {
            site,
            store: proof.team_store(&disk, &dir),
            proof,
            is_made,
            warnings: notices,
            disk,
            dir,
            clock,
            lock,
        })
    }

    /// The ports of the store that the team is kept in. What a store of the program's own has not, the directory has.
    pub(crate) fn team_store(&self, kept_in: &KeptIn) -> TeamStore {
        match kept_in {
            KeptIn::Files => self.store.clone(),
            KeptIn::Own(store) => TeamStore {
                store: store.clone(),
                doorbells: Arc::new(NoDoorbells),
                ..self.store.clone()
            },
            KeptIn::Shared(store) => store.open(),
        }
    }

    /// Mail that no member will hear, in a sentence each.
    pub(crate) fn unaddressed_mail(&self, team: &TeamState) -> Vec<String> {
        unaddressed_mail(&*self.disk, &self.dir, team)
    }

    /// Ends what a killed host of this team left running. To look for it, all processes are looked at.
    pub(crate) fn end_strays(&self) -> Option<String> {
        let has_ended = !self.is_made && Leftovers::end_strays(self.dir.path());
        has_ended.then(|| "ended processes that a killed run had left behind".to_owned())
    }
}

/// A new team begins, also where that cannot be written down.
fn begin(
    teams: &Arc<KnownTeams>,
    key: &Path,
    wording: Wording,
    notices: &mut Vec<String>,
) -> Proof {
    Proof::begin(teams, key).unwrap_or_else(|error| {
        notices.push(format!(
            "{error}: the next time, nothing will prove that this team is yours; then you can {}",
            wording.words(&NextStep::AdoptTeam)
        ));
        Proof::begin_unknown(teams, key)
    })
}

/// The team's directory, made if it is not there, checked and held open.
pub(crate) fn directory(site: &Site, read_max: u64) -> Result<(Arc<dyn Disk>, TeamDir), TeamError> {
    let path = site.dir.clone();
    if is_of_another_program(&path) {
        return Err(TeamError::OtherProgram(path));
    }
    let made = || {
        let disk = TeamDisk::create(&site.root)?.reading_at_most(read_max);
        TeamDir::at(&path).check(&disk)?;
        let dir = TeamDir::create(&disk, &path)?;
        io::Result::Ok((Arc::new(disk) as Arc<dyn Disk>, dir))
    };
    made().map_err(|why| TeamError::Directory {
        path: path.clone(),
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_directory_that_was_there_may_have_strays() {
        let home = tempfile::tempdir().unwrap();
        let work = home.path().join("work");
        std::fs::create_dir_all(&work).unwrap();
        let user = UserDirs {
            config: None,
            state: Some(home.path().join("state")),
        };
        let open = || {
            let (place, unknown) = (TeamPlace::from(work.as_path()), Unknown::Adopt);
            FileStores::open(&place, 1 << 20, &user, unknown, Wording::default()).unwrap()
        };
        assert!(open().is_made);
        // Also where no journal is in it.
        assert!(!open().is_made);
    }
}
