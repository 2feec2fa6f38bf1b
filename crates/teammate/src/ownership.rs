//! Proves who owns a team's directory. A workspace may have come with a clone, an archive or another user, so a team's
//! records count only if the user's state directory proves that this user's program wrote them here: it holds the key that
//! seals them, and for each workspace a number that goes into that key.
//!
//! A directory without such a proof is never opened. It can be adopted: see [`Found`].

mod adoption;
mod key;
mod known;
mod lost_journal;
mod recovery;
mod store;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::{Disk, Seal};
use teammate_store::files::{FileJournal, Head, Heads, JournalCopy, Provenance, TeamDir};

use self::known::KnownTeam;
pub use adoption::Found;
pub(crate) use adoption::lapsed;
pub(crate) use known::KnownTeams;
pub(crate) use lost_journal::put_back_journal;
pub use recovery::{Recoverable, RecoveredMember, RecoveredTask, Recovery};

use crate::{
    TeamError,
    error::Unproven,
    existing::Existing,
    project::{UserDirs, UserStateError},
};

/// The journal's name among the heads.
const JOURNAL: &str = "journal";

/// The proof of a team's records: its seal, and how far its logs went.
#[derive(Clone)]
pub(crate) struct Proof {
    teams: Arc<KnownTeams>,
    workspace: PathBuf,
    known: KnownTeam,
    pub(crate) seal: Arc<dyn Seal>,
    pub(crate) heads: Arc<Heads>,
    /// Where the second copy of the journal is kept, if the next process knows the team.
    copy: Option<JournalCopy>,
}

impl Proof {
    fn of(teams: &Arc<KnownTeams>, workspace: &Path, known: KnownTeam) -> Self {
        Self {
            teams: teams.clone(),
            workspace: workspace.to_owned(),
            seal: teams.seal(&known),
            heads: known.heads(),
            copy: teams.journal_copy(workspace),
            known,
        }
    }

    /// A new team begins in a workspace. What an earlier one left there does not count for it.
    pub(crate) fn begin(teams: &Arc<KnownTeams>, workspace: &Path) -> Result<Self, TeamError> {
        Ok(Self::of(teams, workspace, teams.begin(workspace)?))
    }

    /// A new team begins that no other process can prove, since the state directory takes nothing.
    pub(crate) fn begin_unknown(teams: &Arc<KnownTeams>, workspace: &Path) -> Self {
        Self {
            copy: None,
            ..Self::of(teams, workspace, KnownTeam::new(workspace))
        }
    }

    /// Proves that the team in a workspace, which must be resolved, is the user's own. `None` if there is no team: nothing
    /// was ever written to its journal.
    ///
    /// Errors: [`TeamError::NotProven`].
    pub(crate) fn find(
        teams: &Arc<KnownTeams>,
        disk: &dyn Disk,
        dir: &TeamDir,
        workspace: &Path,
    ) -> Result<Option<Self>, TeamError> {
        let not_proven = |why| TeamError::NotProven {
            path: dir.path().to_owned(),
            why,
        };
        let (known, damage) = match teams.get(workspace) {
            Err(UserStateError::Unusable(why)) => (None, Some(why)),
            known => (known?, teams.damaged_key().map(str::to_owned)),
        };
        let proof = known.map(|known| Self::of(teams, workspace, known));
        let seal = proof.as_ref().map(|proof| proof.seal.clone());
        let provenance = FileJournal::provenance(disk, &dir.journal(), seal).map_err(|why| {
            TeamError::Directory {
                path: dir.journal(),
                why,
            }
        })?;
        match (provenance, proof) {
            (Provenance::Empty, _) => Ok(None),
            (Provenance::Proven, proof) => Ok(proof),
            (Provenance::Unproven, Some(_)) => Err(not_proven(Unproven::Replaced)),
            (Provenance::Unproven, None) if let Some(why) = damage => {
                Err(not_proven(Unproven::Damaged(why)))
            }
            (Provenance::Unproven, None) if teams.are_kept() => Err(not_proven(Unproven::Unknown)),
            (Provenance::Unproven, None) => Err(not_proven(Unproven::NoState)),
        }
    }

    /// The user whose team it is.
    pub(crate) fn user(&self) -> &UserDirs {
        self.teams.user()
    }

    /// Writes down how far the logs went, for the process that runs the team.
    pub(crate) fn remember(&self) -> Result<(), UserStateError> {
        self.sync_copy()?;
        let heads = self.heads.snapshot();
        self.teams
            .remember(&self.workspace, &self.known, |_| heads.clone())
    }

    /// Makes the second copy of the journal durable.
    fn sync_copy(&self) -> Result<(), UserStateError> {
        let synced = self.copy.as_ref().map(JournalCopy::sync).transpose();
        Ok(synced.map(drop)?)
    }

    /// Remembers how far the journal went, for a process that has appended to nothing else.
    pub(crate) fn remember_journal(&self) -> Result<(), UserStateError> {
        self.sync_copy()?;
        let mine = self.heads.snapshot();
        self.teams.remember(&self.workspace, &self.known, |known| {
            let mut heads = known.clone();
            let is_ahead = |head: &Head| {
                heads
                    .get(JOURNAL)
                    .is_none_or(|known| known.number < head.number)
            };
            if let Some(head) = mine.get(JOURNAL).filter(|head| is_ahead(head)) {
                heads.insert(JOURNAL.to_owned(), *head);
            }
            heads
        })
    }
}

impl Existing {
    /// The proof that the records are the user's own.
    ///
    /// Errors: [`TeamError::NotProven`]; there is no team if nothing was ever written to its journal.
    pub(crate) fn prove(&self, teams: &Arc<KnownTeams>) -> Result<Proof, TeamError> {
        let proof = Proof::find(teams, &*self.disk, &self.dir, &self.site.key)?;
        proof.ok_or_else(|| TeamError::NoTeam(self.site.workspace.clone()))
    }
}
