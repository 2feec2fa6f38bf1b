//! Where a member's files are: its worktree, or the workspace for the lead. Git gets the repository by name, so that no file
//! in it can send git to another one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use teammate_core::{
    MemberName,
    port::{TransferError, WorktreeError, WorktreeName, Worktrees as _},
    team::CommitId,
};

use super::GitWorkTransfer;
use crate::{
    git::{GitBytes, RunWith, failed},
    worktrees::{GitWorktrees, WorkspaceRepo},
};

/// Arguments, input and environment of a run of git in a place.
#[derive(Default)]
pub(super) struct RunIn<'a> {
    /// Another index than the place's.
    pub(super) index: Option<&'a Path>,
    /// Its standard input.
    pub(super) input: Vec<u8>,
}

/// A working tree.
pub(super) struct WorkPlace {
    /// Its topmost directory.
    pub(super) top: PathBuf,
    /// The directory that git keeps of it alone.
    pub(super) git_dir: PathBuf,
}

impl WorkPlace {
    /// The member's, which must be there.
    pub(super) async fn find(
        worktrees: &GitWorktrees,
        member: &MemberName,
    ) -> Result<Self, TransferError> {
        let site = &worktrees.site;
        let repository = site.repository().await?;
        if member.is_lead() {
            // Else the team's own files would be part of the work.
            site.exclude(&repository)?;
            return Ok(Self {
                top: repository.top,
                git_dir: repository.git_dir,
            });
        }
        let name = WorktreeName::of_member(member)?;
        worktrees.find(&name).await?;
        let top = site.path(&name);
        let git_dir = git_dir_of(&repository.common_dir, &top).ok_or_else(|| {
            let path = top.clone();
            WorktreeError::Occupied(path)
        })?;
        Ok(Self { top, git_dir })
    }

    /// The place, made if it is not there.
    pub(super) async fn prepare(
        worktrees: &GitWorktrees,
        member: &MemberName,
    ) -> Result<Self, TransferError> {
        if !member.is_lead() {
            let name = WorktreeName::of_member(member)?;
            worktrees.create(&name).await?;
        }
        Self::find(worktrees, member).await
    }
}

/// The directory that the repository keeps for the worktree in this directory. Members cannot change which one it names.
fn git_dir_of(common_dir: &Path, top: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(common_dir.join("worktrees")).ok()?;
    let mut dirs = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let dot = top.join(".git");
    dirs.find(|dir| {
        let named = fs::read_to_string(dir.join("gitdir")).unwrap_or_default();
        Path::new(named.trim_end_matches('\n')) == dot
    })
}

impl GitWorkTransfer {
    pub(super) fn site(&self) -> &WorkspaceRepo {
        &self.worktrees.site
    }

    /// Runs git in a place, with another index where one is named.
    pub(super) async fn git_with(
        &self,
        place: &WorkPlace,
        args: &[&str],
        RunIn { index, input }: RunIn<'_>,
    ) -> Result<GitBytes, WorktreeError> {
        let [git_dir, top] = [&place.git_dir, &place.top].map(|path| path.to_string_lossy());
        let index = index.map(|path| path.to_string_lossy());
        let mut variables = vec![
            ("GIT_DIR", &*git_dir),
            ("GIT_WORK_TREE", &*top),
            ("GIT_AUTHOR_NAME", "teammate"),
            ("GIT_AUTHOR_EMAIL", "teammate@localhost"),
            ("GIT_COMMITTER_NAME", "teammate"),
            ("GIT_COMMITTER_EMAIL", "teammate@localhost"),
            ("TZ", "UTC"),
        ];
        variables.extend(index.as_deref().map(|path| ("GIT_INDEX_FILE", path)));
        let with = RunWith {
            input,
            variables: &variables,
            repository: Some(&self.site().root),
        };
        self.site().git.run_with(&place.top, args, with).await
    }

    /// Runs git in a place; `what` says what could not be done if it fails.
    pub(super) async fn git(
        &self,
        what: &str,
        place: &WorkPlace,
        args: &[&str],
    ) -> Result<String, WorktreeError> {
        self.git_with(place, args, RunIn::default())
            .await?
            .text(what)
    }

    /// The commit that a name means in a place.
    pub(super) async fn commit_of(
        &self,
        place: &WorkPlace,
        name: &str,
    ) -> Result<CommitId, WorktreeError> {
        self.object(place, &format!("{name}^{{commit}}")).await
    }

    pub(super) async fn tree_of_commit(
        &self,
        place: &WorkPlace,
        commit: &CommitId,
    ) -> Result<CommitId, WorktreeError> {
        self.object(place, &format!("{commit}^{{tree}}")).await
    }

    async fn object(&self, place: &WorkPlace, name: &str) -> Result<CommitId, WorktreeError> {
        let what = "read a commit";
        let find = ["rev-parse", "--verify", name];
        id_of(what, &self.git(what, place, &find).await?)
    }
}

/// The full name that git printed.
pub(super) fn id_of(what: &str, text: &str) -> Result<CommitId, WorktreeError> {
    CommitId::parse(text.trim()).map_err(|error| failed(what, error))
}
