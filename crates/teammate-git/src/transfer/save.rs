//! Saves a member's work: a commit on top of its last one, and a bundle of it. Besides, what this machine remembers of a
//! member's place: under which term its work is here, and how it was when it was last saved or brought. That is kept in the
//! team's directory, where members do not see it.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    MemberName,
    port::{LeftOut, SavedWork, TransferError, WorkOf, WorktreeError},
    team::{CommitId, Term},
};
use teammate_process::resolved;

use super::{
    BUNDLE_BYTES_MAX, GitWorkTransfer, WorkBundle,
    place::{RunIn, WorkPlace, id_of},
    snapshot::Snapshot,
};

/// The directory below the team's own.
const CARRIED: &str = "carried";

/// The JSON in the last line of the message of a saving commit.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedNote {
    pub(super) left_out: Vec<LeftOut>,
}

impl GitWorkTransfer {
    pub(super) async fn save_now(&self, of: &WorkOf) -> Result<SavedWork, TransferError> {
        let place = WorkPlace::find(&self.worktrees, &of.member).await?;
        let snapshot = self.snapshot(&place).await?;
        let held = self.held(&of.member);
        let last = held.read().filter(|known| known.term == of.term);
        if let Some(last) = last.and_then(|known| known.last)
            && last.is(&snapshot)
        {
            return Ok(SavedWork {
                commit: snapshot.head,
                saved: last.saved,
                left_out: snapshot.left_out,
            });
        }
        let saved = self.commit(&place, of, &snapshot).await?;
        self.store(&place, of, &saved).await?;
        held.write(&HeldWork {
            term: of.term,
            holder: Holder::Here,
            last: Some(LastSeen {
                head: snapshot.head.clone(),
                tree: snapshot.tree,
                saved: saved.clone(),
            }),
        })?;
        Ok(SavedWork {
            commit: snapshot.head,
            saved,
            left_out: snapshot.left_out,
        })
    }

    /// A commit of what a place holds, on top of its last one.
    pub(super) async fn commit(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        snapshot: &Snapshot,
    ) -> Result<CommitId, WorktreeError> {
        let said = SavedNote {
            left_out: snapshot.left_out.clone(),
        };
        let said = serde_json::to_string(&said).expect("texts and numbers are JSON");
        let WorkOf { member, term } = of;
        let subject = format!("Save the work of {member} under term {term}");
        let (head, tree) = (snapshot.head.as_str(), snapshot.tree.as_str());
        let commit = ["commit-tree", tree, "-p", head, "-m", &subject, "-m", &said];
        let what = "save what is not committed";
        id_of(what, &self.git(what, place, &commit).await?)
    }

    /// Puts a saving commit where others find it.
    pub(super) async fn store(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        saved: &CommitId,
    ) -> Result<(), TransferError> {
        let reference = self.reference(&of.member, of.term);
        self.name(place, &reference, saved).await?;
        let bundle = [
            "bundle",
            "create",
            "--quiet",
            "-",
            &reference,
            "--not",
            "--remotes",
        ];
        let said = self.git_with(place, &bundle, RunIn::default()).await;
        let said = said.map_err(|error| match &error {
            WorktreeError::Failed { why, .. } if why.contains("printed more than") => {
                let max = BUNDLE_BYTES_MAX >> 20;
                TransferError::TooLarge { max }
            }
            _ => error.into(),
        })?;
        let bundle = WorkBundle {
            reference,
            head: format!("{saved}^"),
            bytes: said.bytes("bundle the work")?,
        };
        self.bundles.put(&of.member, of.term, bundle).await
    }

    /// Names a commit by one of the program's own references.
    pub(super) async fn name(
        &self,
        place: &WorkPlace,
        reference: &str,
        commit: &CommitId,
    ) -> Result<(), WorktreeError> {
        let update = ["update-ref", reference, commit.as_str()];
        self.git("name the saved work", place, &update).await?;
        Ok(())
    }

    /// The words that tell the terms of one member apart.
    pub(super) fn work_of(member: &MemberName, term: Term) -> WorkOf {
        WorkOf {
            member: member.clone(),
            term,
        }
    }
}

/// Where this machine remembers one member's place.
pub(super) struct HeldPlace {
    path: PathBuf,
}

/// Whose the files in a place are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Holder {
    /// The member works or worked here under that term.
    Here,
    /// It works elsewhere: they are a copy.
    Elsewhere,
}

/// The record of a place, kept beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HeldWork {
    pub(super) term: Term,
    pub(super) holder: Holder,
    /// How it was, if it was ever saved or brought.
    pub(super) last: Option<LastSeen>,
}

/// How a place was when it was last saved or brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastSeen {
    pub(super) head: CommitId,
    pub(super) tree: CommitId,
    pub(super) saved: CommitId,
}

impl LastSeen {
    /// Whether nothing has changed since.
    pub(super) fn is(&self, snapshot: &Snapshot) -> bool {
        (&self.head, &self.tree) == (&snapshot.head, &snapshot.tree)
    }
}

impl HeldPlace {
    pub(super) fn of(team_dir: &Path, member: &MemberName) -> Self {
        let path = team_dir.join(CARRIED).join(format!("{member}.json"));
        Self { path }
    }

    /// Nothing if the member never worked here, or if it cannot be read: then what is here is put aside before other work comes.
    pub(super) fn read(&self) -> Option<HeldWork> {
        let mut file = resolved::open_file(&self.path).ok()?;
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    pub(super) fn write(&self, known: &HeldWork) -> Result<(), TransferError> {
        let text = serde_json::to_string(known).expect("names and numbers are JSON");
        let beside = self.path.with_extension("new");
        let write = || {
            let mut file = resolved::new_file(&beside)?;
            file.write_all(text.as_bytes())?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|error| TransferError::Io {
            what: format!("{} cannot be written", self.path.display()),
            why: error.to_string(),
        })
    }
}
