//! A repository of a test, and the worktrees of the team in it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use teammate_core::port::{Worktree, WorktreeName, Worktrees};
use teammate_git::{GitWorktrees, TrustedPrograms};
use teammate_process::TeamSandbox;
use teammate_sandbox::SandboxRules;

use crate::support::knows_helper;

/// A workspace that is a repository with one commit, and the worktrees of the team in it.
pub(crate) struct Repo {
    pub(crate) root: PathBuf,
    pub(crate) worktrees: Arc<dyn Worktrees>,
    _dir: tempfile::TempDir,
}

impl Repo {
    pub(crate) fn new() -> Self {
        let repo = Self::beside_others();
        repo.git(&["init", "-q", "-b", "main"]);
        repo.git(&["config", "user.name", "Somebody"]);
        repo.git(&["config", "user.email", "somebody@example.org"]);
        repo.write("f.txt", "one\ntwo\nthree\n");
        repo.commit("first");
        repo
    }

    /// Where the program's git sees also what is not this repository's: not below `/tmp`.
    pub(crate) fn beside_others() -> Self {
        Self::below(tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    pub(crate) fn below(dir: tempfile::TempDir) -> Self {
        let root = dir.path().canonicalize().unwrap().join("work");
        fs::create_dir_all(root.join(".team")).unwrap();
        let worktrees = worktrees_in(&root, TrustedPrograms::default());
        Self {
            root,
            worktrees,
            _dir: dir,
        }
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git(&self.root, args)
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        fs::write(self.root.join(path), content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    pub(crate) fn commit(&self, what: &str) {
        commit(&self.root, what);
    }

    pub(crate) async fn make(&self, name: &str) -> Worktree {
        let name = named(name);
        self.worktrees.create(&name).await.unwrap().worktree
    }
}

pub(crate) fn worktrees_in(root: &Path, trusted: TrustedPrograms) -> Arc<dyn Worktrees> {
    Arc::new(own_worktrees(root, trusted))
}

/// The same, to be set up.
pub(crate) fn own_worktrees(root: &Path, trusted: TrustedPrograms) -> GitWorktrees {
    let environment = vec![
        ("PATH".to_owned(), std::env::var("PATH").unwrap()),
        ("HOME".to_owned(), "/nowhere".to_owned()),
    ];
    knows_helper();
    GitWorktrees::new(
        (root.to_owned(), root.join(".team")),
        environment,
        // What git had run in the sandbox would leave its file, too.
        TeamSandbox::new(
            SandboxRules {
                write: root.parent().map(Path::to_owned).into_iter().collect(),
                ..SandboxRules::default()
            },
            [],
        ),
        trusted,
    )
}

/// Git as the user has it; hooks run.
pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap())
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&done.stdout).into_owned(),
        String::from_utf8_lossy(&done.stderr).into_owned(),
    );
    assert!(done.status.success(), "git {args:?}: {out}{err}");
    out.trim_end().to_owned()
}

pub(crate) fn commit(dir: &Path, what: &str) {
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", what]);
}

pub(crate) fn named(name: &str) -> WorktreeName {
    WorktreeName::parse(name).unwrap()
}
