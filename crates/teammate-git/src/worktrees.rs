//! Worktrees with git: one directory below the team's own for each name, on the branch `teammate/<name>`, or
//! `teammate-<team>/<name>` of a team that is not the default one.
//!
//! Everything is done by the git program, as the user would, but contained like a member's command, without questions, and
//! without the untrusted programs of the repository. What changes something is done
//! one after the other and to its end, also if nobody waits for it any more. Nothing here forces git to drop work.

mod create;
mod exclude;
mod extras;
mod guarded;
mod merge;
mod missing;
mod remove;
mod repository;
mod status;
mod submodules;
mod unfetched;
mod wanted;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    permission::Rule,
    port::{
        BoxFuture, DEFAULT_TEAM, GuardedChange, GuardedFile, Merged, PreparedWorktree,
        RemovalReason, Worktree, WorktreeError, WorktreeName, WorktreeSetup, WorktreeStatus,
        Worktrees, branches_of,
    },
};
use teammate_process::{TeamSandbox, WORKTREES, blocking::finished};
use tokio::sync::Mutex;

use self::wanted::Extras;
use crate::{git::Git, programs::TrustedPrograms};

/// The worktrees of one team. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct GitWorktrees {
    pub(crate) site: Arc<WorkspaceRepo>,
    /// Git's locks fail instead of waiting.
    turn: Arc<Mutex<()>>,
    extras: Arc<Extras>,
}

/// Where they are.
pub(crate) struct WorkspaceRepo {
    pub(crate) git: Git,
    /// The workspace that they are copies of.
    pub(crate) root: PathBuf,
    pub(crate) team_dir: PathBuf,
    /// The beginning of its branches' names, without a slash.
    branches: String,
}

impl GitWorktrees {
    /// For the workspace `root`, both paths resolved. `environment` is what git gets. It is held as `sandbox` says, and
    /// runs those of the repository's programs that are `trusted`.
    pub fn new(
        dirs: (PathBuf, PathBuf),
        environment: Vec<(String, String)>,
        sandbox: TeamSandbox,
        trusted: TrustedPrograms,
    ) -> Self {
        Self::of_team(DEFAULT_TEAM, dirs, environment, sandbox, trusted)
    }

    /// Worktrees of the team of that name: its branches are `teammate-<team>/<name>`, those of the team `default`
    /// `teammate/<name>`.
    pub fn of_team(
        team: &str,
        (root, team_dir): (PathBuf, PathBuf),
        environment: Vec<(String, String)>,
        sandbox: TeamSandbox,
        trusted: TrustedPrograms,
    ) -> Self {
        let dirs = (root.clone(), team_dir.clone());
        let git = Git::new(environment, dirs, sandbox, trusted);
        Self {
            site: Arc::new(WorkspaceRepo {
                git,
                root,
                team_dir,
                branches: branches_of(team),
            }),
            turn: Arc::default(),
            extras: Arc::default(),
        }
    }

    /// Has new worktrees get what this names besides the files of their commit, but for what these rules deny to read. Its
    /// commands are not run here.
    #[must_use]
    pub fn furnishing(mut self, setup: WorktreeSetup, deny: &[Rule]) -> Self {
        let deny = deny.to_vec();
        self.extras = Arc::new(Extras { setup, deny });
        self
    }

    /// The addresses of the remotes of the workspace's repository.
    ///
    /// # Errors
    ///
    /// The workspace is in no repository, or git cannot be used.
    pub async fn remotes(&self) -> Result<Vec<String>, WorktreeError> {
        self.site.remotes().await
    }

    /// Does what changes something: after whatever was begun before, and to its end.
    async fn exclusively<R: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<WorkspaceRepo>) -> BoxFuture<'static, Result<R, WorktreeError>>
        + Send
        + 'static,
    ) -> Result<R, WorktreeError> {
        let (site, turn) = (self.site.clone(), self.turn.clone());
        let task = tokio::spawn(async move {
            let _turn = turn.lock().await;
            work(site).await
        });
        finished(task).await
    }
}

impl WorkspaceRepo {
    fn dir(&self) -> PathBuf {
        self.team_dir.join(WORKTREES)
    }

    pub(crate) fn path(&self, name: &WorktreeName) -> PathBuf {
        self.dir().join(name.as_str())
    }

    fn worktree(&self, name: &WorktreeName, prefix: &Path) -> Worktree {
        // No slash at the end, also if there is no prefix.
        let path = self.path(name).join(prefix).components().collect();
        Worktree {
            name: name.clone(),
            path,
            branch: self.branch(name),
        }
    }

    /// How a worktree is named to git: by path. A bare name could mean another worktree whose path ends
    /// like it; a team outside of the workspace is in no repository.
    fn git_location(&self, name: &WorktreeName) -> (PathBuf, String) {
        if self.team_dir.starts_with(&self.root) {
            (self.dir(), format!("./{name}"))
        } else {
            let path = self.path(name).to_string_lossy().into_owned();
            (self.root.clone(), path)
        }
    }

    fn branch(&self, name: &WorktreeName) -> String {
        format!("{}/{name}", self.branches)
    }
}

impl Worktrees for GitWorktrees {
    fn create<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<PreparedWorktree, WorktreeError>> {
        let (name, extras) = (name.clone(), self.extras.clone());
        Box::pin(
            self.exclusively(move |site| {
                Box::pin(async move { site.create(&name, &extras).await })
            }),
        )
    }

    fn find<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        Box::pin(self.site.find(name))
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<WorktreeStatus>, WorktreeError>> {
        Box::pin(self.site.list())
    }

    fn status<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<WorktreeStatus, WorktreeError>> {
        Box::pin(self.site.status(name))
    }

    fn diff<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<String, WorktreeError>> {
        Box::pin(self.site.diff(name))
    }

    fn merge<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        let name = name.clone();
        Box::pin(self.exclusively(|site| Box::pin(async move { site.merge(&name, &[]).await })))
    }

    fn guarded<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Vec<GuardedChange>, WorktreeError>> {
        Box::pin(self.site.guarded(name))
    }

    fn merge_with<'a>(
        &'a self,
        name: &'a WorktreeName,
        accepted: Vec<GuardedFile>,
    ) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        let name = name.clone();
        Box::pin(
            self.exclusively(move |site| {
                Box::pin(async move { site.merge(&name, &accepted).await })
            }),
        )
    }

    fn keep<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        let name = name.clone();
        Box::pin(self.exclusively(|site| Box::pin(async move { site.keep(&name).await })))
    }

    fn remove<'a>(
        &'a self,
        name: &'a WorktreeName,
        why: RemovalReason,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        let name = name.clone();
        Box::pin(
            self.exclusively(move |site| Box::pin(async move { site.remove(&name, why).await })),
        )
    }

    fn tree<'a>(&'a self, place: &'a Path) -> BoxFuture<'a, Option<String>> {
        Box::pin(self.site.tree(place))
    }

    fn files<'a>(&'a self, place: &'a Path) -> BoxFuture<'a, Option<String>> {
        Box::pin(self.site.files(place))
    }

    fn path(&self, name: &WorktreeName) -> PathBuf {
        self.site.path(name)
    }
}
