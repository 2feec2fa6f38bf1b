//! Saves a member's work: a commit on top of its last one, made through an index of its own, and a bundle of it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    port::{LeftOut, SavedWork, TransferError, WorkOf, WorktreeError},
    team::{CommitId, Term},
};
use uuid::Uuid;

use super::{
    BUNDLE_BYTES_MAX, GitWorkTransfer, WorkBundle,
    choose::Chosen,
    held::{HeldWork, Holder, LastSeen},
    place::{WorkPlace, id_of, text_of},
};
use crate::git::failed;

/// The name of a throw-away index, before a number.
const INDEX: &str = "teammate-save-";

/// After what time nobody uses such an index any more.
const LEFT_AFTER: Duration = Duration::from_secs(3600);

/// The content of a place at a moment.
pub(super) struct Snapshot {
    /// The last commit.
    pub(super) head: CommitId,
    /// All files, committed or not, as a tree.
    pub(super) tree: CommitId,
    pub(super) left_out: Vec<LeftOut>,
}

/// The JSON in the last line of the message of a saving commit.
#[derive(Serialize, Deserialize)]
pub(super) struct Said {
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

    /// All that is in a place, as a tree of the repository. Index, files and branch stay as they are.
    pub(super) async fn snapshot(&self, place: &WorkPlace) -> Result<Snapshot, WorktreeError> {
        let head = self.commit_of(place, "HEAD").await?;
        let status = [
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        ];
        let what = "look for changes";
        let status = self.git_with(place, &status, (None, Vec::new())).await?;
        if !status.is_ok {
            text_of(what, status)?;
            return Err(failed(what, "it printed nothing"));
        }
        let chosen = Chosen::of(&status.out, &place.top);
        let tree = if chosen.is_empty() {
            let tree = ["rev-parse", "--verify", "HEAD^{tree}"];
            id_of(what, &self.git(what, place, &tree).await?)?
        } else {
            let index = ThrowAway::new(&place.git_dir);
            self.tree_of(place, &chosen, &index.0).await?
        };
        Ok(Snapshot {
            head,
            tree,
            left_out: chosen.left_out,
        })
    }

    /// The last commit's tree with the chosen changes.
    async fn tree_of(
        &self,
        place: &WorkPlace,
        chosen: &Chosen,
        index: &Path,
    ) -> Result<CommitId, WorktreeError> {
        let what = "save what is not committed";
        let run = |args: &'static [&'static str], input| async move {
            text_of(
                what,
                self.git_with(place, args, (Some(index), input)).await?,
            )
        };
        run(&["read-tree", "HEAD"], Vec::new()).await?;
        if !chosen.gone.is_empty() {
            let remove = &["update-index", "-z", "--force-remove", "--stdin"];
            run(remove, chosen.gone.clone()).await?;
        }
        if !chosen.there.is_empty() {
            let add = &[
                "update-index",
                "-z",
                "--add",
                "--replace",
                "--remove",
                "--stdin",
            ];
            run(add, chosen.there.clone()).await?;
        }
        id_of(what, &run(&["write-tree"], Vec::new()).await?)
    }

    /// A commit of what a place holds, on top of its last one.
    pub(super) async fn commit(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        snapshot: &Snapshot,
    ) -> Result<CommitId, WorktreeError> {
        let said = Said {
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
        let said = self.git_with(place, &bundle, (None, Vec::new())).await;
        let said = said.map_err(|error| match &error {
            WorktreeError::Failed { why, .. } if why.contains("printed more than") => {
                let max = BUNDLE_BYTES_MAX >> 20;
                TransferError::TooLarge { max }
            }
            _ => error.into(),
        })?;
        if !said.is_ok {
            text_of("bundle the work", said)?;
            return Err(failed("bundle the work", "it printed nothing").into());
        }
        let bundle = WorkBundle {
            reference,
            head: format!("{saved}^"),
            bytes: said.out,
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
    pub(super) fn work_of(member: &teammate_core::MemberName, term: Term) -> WorkOf {
        WorkOf {
            member: member.clone(),
            term,
        }
    }
}

/// An index that is removed again. One that a killed program left is never read.
struct ThrowAway(PathBuf);

impl ThrowAway {
    fn new(git_dir: &Path) -> Self {
        // What an earlier save left that was killed; another process may be at one of its own.
        let is_old = |entry: &fs::DirEntry| {
            let modified = entry.metadata().and_then(|found| found.modified());
            modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFT_AFTER))
        };
        let found = fs::read_dir(git_dir).into_iter().flatten().flatten();
        for entry in found {
            if entry.file_name().to_string_lossy().starts_with(INDEX) && is_old(&entry) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Self(git_dir.join(format!("{INDEX}{}", Uuid::now_v7().simple())))
    }
}

impl Drop for ThrowAway {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
