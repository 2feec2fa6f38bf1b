//! Locks that a killed git left in worktrees of the team: removed if no process uses them, named in any case.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use teammate_core::port::{Worktree, WorktreeName};
use teammate_git::locks::{LockState, locks, remove_stale_locks};

use crate::repo::Repo;

async fn worktree(repo: &Repo, name: &str) -> (Worktree, PathBuf) {
    let name = WorktreeName::parse(name).unwrap();
    let made = repo.worktrees.create(&name).await.unwrap().worktree;
    let git_dir = fs::read_to_string(made.path.join(".git")).unwrap();
    let git_dir = git_dir.strip_prefix("gitdir: ").unwrap().trim_end();
    (made.clone(), PathBuf::from(git_dir))
}

fn team_dir(repo: &Repo) -> PathBuf {
    repo.root.join(".team")
}

fn standings(repo: &Repo) -> Vec<(String, LockState)> {
    let locks = locks(&team_dir(repo)).into_iter();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    locks
        .map(|lock| (name(&lock.path), lock.standing))
        .collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_lock_that_a_killed_git_left_is_removed_and_commits_work_again() {
    let repo = Repo::new();
    let (alice, git_dir) = worktree(&repo, "alice").await;
    let (_bob, _) = worktree(&repo, "bob").await;
    for name in ["index.lock", "HEAD.lock"] {
        fs::write(git_dir.join(name), "").unwrap();
    }
    fs::write(alice.path.join("new.txt"), "new\n").unwrap();
    let add = || {
        let mut git = Command::new("git");
        git.args(["add", "new.txt"]).current_dir(&alice.path);
        git.stderr(Stdio::null()).status().unwrap().success()
    };
    assert!(!add(), "the lock is in the way");

    let said = remove_stale_locks(&team_dir(&repo));
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("git was killed in the worktree 'alice' and left")
            && said[0].contains("HEAD.lock"),
        "{said:?}"
    );
    assert!(add());
    assert!(remove_stale_locks(&team_dir(&repo)).is_empty());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_lock_that_a_process_uses_is_left_and_named() {
    let repo = Repo::new();
    let (_, git_dir) = worktree(&repo, "alice").await;
    let lock = git_dir.join("index.lock");
    let held = File::create(&lock).unwrap();
    let mut holder = Command::new("sleep")
        .arg("1000")
        .stdin(held)
        .spawn()
        .unwrap();
    assert_eq!(
        standings(&repo),
        [("index.lock".to_owned(), LockState::InUse)]
    );
    let said = remove_stale_locks(&team_dir(&repo));
    assert!(said[0].contains("a git command uses it"), "{said:?}");
    assert!(lock.exists());
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert_eq!(
        standings(&repo),
        [("index.lock".to_owned(), LockState::Stale)]
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn git_that_waits_for_an_editor_keeps_its_lock_although_it_has_closed_it() {
    let repo = Repo::new();
    let (alice, git_dir) = worktree(&repo, "alice").await;
    fs::write(alice.path.join("f.txt"), "changed\n").unwrap();
    let mut git = Command::new("git")
        .args(["commit", "-a"])
        .env("GIT_EDITOR", "sh -c 'echo ready; read line; exit 1'")
        .current_dir(&alice.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The editor has begun.
    let mut first = [0; 1];
    std::io::Read::read_exact(git.stdout.as_mut().unwrap(), &mut first).unwrap();
    let lock = git_dir.join("index.lock");
    assert!(lock.exists(), "git keeps a lock while the editor runs");
    remove_stale_locks(&team_dir(&repo));
    assert!(lock.exists());
    drop(git.stdin.take());
    git.wait().unwrap();
}

#[tokio::test]
async fn locks_of_the_user_s_own_repository_are_never_removed() {
    let repo = Repo::new();
    let (_, git_dir) = worktree(&repo, "alice").await;
    let own = repo.root.join(".git/index.lock");
    let branch = repo.root.join(".git/refs/heads/teammate/alice.lock");
    for lock in [&own, &branch] {
        fs::write(lock, "").unwrap();
    }
    // A worktree of somebody else's that a member made its own: it does not name this one in turn.
    let foreign = repo.root.join(".git/worktrees/foreign");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("index.lock"), "").unwrap();
    let place = team_dir(&repo).join("worktrees/mallory");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join(".git"), format!("gitdir: {}", foreign.display())).unwrap();

    let said = remove_stale_locks(&team_dir(&repo));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("alice.lock")
            && said[0].contains("if no git command is running, remove it"),
        "{said:?}"
    );
    assert!(own.exists() && branch.exists() && foreign.join("index.lock").exists());
    assert!(git_dir.exists());
}
