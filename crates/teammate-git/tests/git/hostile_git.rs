//! Repositories whose configuration, attributes and hooks want things run: the program's own git runs nothing of it, and what
//! it would need is refused by name.

mod elsewhere;
mod refused;
mod switched_off;
mod trusted;

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::{RemovalReason, WorktreeError, Worktrees};
use teammate_git::{GitWorktrees, TrustedPrograms};
use teammate_process::TeamSandbox;

use crate::{
    repo::{Repo, commit, git, named, worktrees_in},
    support::knows_helper,
};

/// A repository with a worktree of alice's that has work to merge, and a place where whatever runs leaves a file.
struct Hostile {
    repo: Repo,
    ran: PathBuf,
}

/// What became of what is tried.
type Ends = Vec<(&'static str, Result<(), WorktreeError>)>;

impl Hostile {
    /// Both sides have changed the same file in different places. The attributes are in the tree.
    async fn new(attributes: &str) -> Self {
        let repo = Repo::new();
        let ran = repo.root.parent().unwrap().join("ran");
        fs::create_dir(&ran).unwrap();
        repo.write("f.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        repo.write(".gitattributes", attributes);
        repo.commit("lines");
        let alice = repo.make("alice").await;
        fs::write(alice.path.join("f.txt"), "one\n2\n3\n4\n5\n6\n7\n8\n9\n").unwrap();
        commit(&alice.path, "hers");
        repo.write("f.txt", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
        repo.commit("mine");
        Self { repo, ran }
    }

    /// A command that leaves a file, and fails.
    fn trap(&self, name: &str) -> String {
        let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
        format!("touch {}/{name}; false", self.ran.display())
    }

    fn set(&self, key: &str, value: &str) {
        self.repo.git(&["config", key, value]);
    }

    fn hook(&self, dir: &str, name: &str) {
        let path = self.repo.root.join(dir).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{}\n", self.trap(name))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// All that the program has git do.
    async fn tries(&self) -> Ends {
        let (alice, bob) = (named("alice"), named("bob"));
        let worktrees = &self.repo.worktrees;
        // Git has to look into the file again.
        let file = fs::File::options()
            .write(true)
            .open(self.repo.root.join("f.txt"));
        file.unwrap()
            .set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
        let ends = vec![
            ("list", worktrees.list().await.map(drop)),
            ("diff", worktrees.diff(&alice).await.map(drop)),
            ("create", worktrees.create(&bob).await.map(drop)),
            ("merge", worktrees.merge(&alice).await.map(drop)),
            (
                "remove",
                worktrees.remove(&bob, RemovalReason::Asked).await.map(drop),
            ),
        ];
        assert_eq!(self.has_run(), Vec::<String>::new());
        ends
    }

    fn has_run(&self) -> Vec<String> {
        let there = fs::read_dir(&self.ran).unwrap();
        there
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// Tries all, and sees one of them refused by this name; the others go well, or are refused so, too.
    async fn refuses(&self, wanted: &str, name: &str) {
        let mut refused = Vec::new();
        for (what, end) in self.tries().await {
            match end {
                // What was not made is not removed.
                Ok(()) | Err(WorktreeError::Unknown { .. }) => {}
                Err(WorktreeError::Untrusted(names)) => {
                    assert!(names.iter().any(|found| found == name), "{what}: {names:?}");
                    refused.push(what);
                }
                Err(error) => panic!("{name}: {what}: {error}"),
            }
        }
        assert!(
            refused.contains(&wanted),
            "{name}: only {refused:?} refused"
        );
        let status = self.repo.root.join(".git/MERGE_HEAD");
        assert!(!status.exists(), "{name}: half a merge");
        let text = self.repo.read("f.txt");
        assert!(text.contains("nine") && (refused.contains(&"merge") || text.contains("one")));
        let bob = self.repo.root.join(".team/worktrees/bob");
        assert!(!bob.exists(), "{name}: half a worktree");
    }
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

fn environment(home: &str) -> Vec<(String, String)> {
    let variables = [
        ("PATH", std::env::var("PATH").unwrap()),
        ("HOME", home.to_owned()),
    ];
    variables
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

/// The worktrees of a user with this home directory.
pub(crate) fn worktrees_of(
    repo: &Repo,
    home: &str,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
) -> Arc<dyn Worktrees> {
    knows_helper();
    let dirs = (repo.root.clone(), repo.root.join(".team"));
    Arc::new(GitWorktrees::new(dirs, environment(home), sandbox, trusted))
}
