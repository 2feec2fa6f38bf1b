//! Worktrees in real repositories.

use std::fs;

use teammate_core::port::{
    RemovalReason, Worktree, WorktreeError, WorktreeName, WorktreeOrigin, WorktreeStatus,
};
use teammate_git::TrustedPrograms;

use crate::repo::{Repo, commit, git, named, worktrees_in};

impl Repo {
    /// In no repository.
    pub(crate) fn without_git() -> Self {
        Self::below(tempfile::tempdir().unwrap())
    }

    async fn refused(&self, name: &str) -> WorktreeError {
        self.worktrees.create(&named(name)).await.unwrap_err()
    }

    pub(crate) async fn status(&self, name: &str) -> WorktreeStatus {
        self.worktrees.status(&named(name)).await.unwrap()
    }

    pub(crate) async fn remove(&self, name: &str) -> Result<Worktree, WorktreeError> {
        self.worktrees
            .remove(&named(name), RemovalReason::Asked)
            .await
    }

    /// Everything that a merge or its failure could have touched.
    pub(crate) fn standing(&self) -> (String, String, String) {
        let index = self.git(&["ls-files", "--stage"]);
        let status = self.git(&["status", "--porcelain", "--branch"]);
        (index, status, self.git(&["log", "--all", "--format=%H %D"]))
    }
}

#[tokio::test]
async fn a_worktree_begins_with_the_last_commit_and_disturbs_nothing() {
    let repo = Repo::new();
    repo.write("f.txt", "changed\n");
    repo.write("new.txt", "new\n");
    let prepared = repo.worktrees.create(&named("alice")).await.unwrap();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let WorktreeOrigin::Created {
        base,
        had_branch: false,
        left_out: 2,
        furnished,
    } = &prepared.origin
    else {
        panic!("{:?}", prepared.origin)
    };
    assert!(head.starts_with(base), "{base} {head}");
    assert!(furnished.is_empty(), "{furnished}");
    let Worktree { path, branch, .. } = prepared.worktree;
    assert_eq!(path, repo.root.join(".team/worktrees/alice"));
    assert_eq!(branch, "teammate/alice");
    assert_eq!(git(&path, &["branch", "--show-current"]), "teammate/alice");
    assert_eq!(
        fs::read_to_string(path.join("f.txt")).unwrap(),
        "one\ntwo\nthree\n"
    );
    assert_eq!(
        repo.git(&["status", "--porcelain"]),
        "M f.txt\n?? new.txt".replacen("M", " M", 1)
    );
    assert!(repo.read(".git/info/exclude").ends_with("\n/.team/\n"));
    assert!(!repo.root.join(".gitignore").exists());
}

#[tokio::test]
async fn a_worktree_that_is_there_is_left_as_it_is() {
    let repo = Repo::new();
    let worktree = repo.make("alice").await;
    fs::write(worktree.path.join("mine.txt"), "mine").unwrap();
    commit(&worktree.path, "mine");
    fs::write(worktree.path.join("f.txt"), "half-way").unwrap();
    let again = repo.worktrees.create(&named("alice")).await.unwrap();
    assert_eq!(
        (again.origin, &again.worktree),
        (WorktreeOrigin::Existing, &worktree)
    );
    assert_eq!(
        fs::read_to_string(worktree.path.join("f.txt")).unwrap(),
        "half-way"
    );
    assert_eq!(
        repo.worktrees.find(&named("alice")).await,
        Ok(worktree.clone())
    );
    let status = repo.status("alice").await;
    assert_eq!((status.ahead, status.behind), (1, 0));
    assert_eq!(status.uncommitted, ["f.txt"]);
    let exclude = repo.read(".git/info/exclude");
    assert_eq!(exclude.matches("/.team/").count(), 1, "{exclude}");
}

#[tokio::test]
async fn where_none_can_be_the_reason_is_said_and_nothing_is_left() {
    let repo = Repo::without_git();
    let error = repo.refused("alice").await;
    assert!(matches!(error, WorktreeError::NoRepository(_)), "{error}");
    assert!(error.to_string().contains("git init"), "{error}");
    assert_eq!(repo.worktrees.list().await, Ok(Vec::new()));

    repo.git(&["init", "-q", "-b", "main"]);
    assert_eq!(repo.refused("alice").await, WorktreeError::NoCommit);

    let repo = Repo::new();
    repo.git(&["branch", "teammate"]);
    let error = repo.refused("alice").await;
    assert!(error.to_string().contains("teammate"), "{error}");
    repo.git(&["branch", "-D", "teammate"]);

    let elsewhere = repo.root.parent().unwrap().join("elsewhere");
    let place = elsewhere.to_str().unwrap();
    repo.git(&["worktree", "add", "-q", "-b", "teammate/alice", place]);
    let error = repo.refused("alice").await;
    let branch = "teammate/alice".to_owned();
    let path = elsewhere.clone();
    assert_eq!(error, WorktreeError::Elsewhere { branch, path });

    let taken = repo.root.join(".team/worktrees/bob");
    fs::create_dir_all(&taken).unwrap();
    fs::write(taken.join("precious"), "x").unwrap();
    assert_eq!(
        repo.refused("bob").await,
        WorktreeError::Occupied(taken.clone())
    );
    assert!(taken.join("precious").exists());
    assert_eq!(repo.git(&["branch", "--list", "teammate/bob"]), "");
    assert!(!repo.root.join(".team/worktrees/alice").exists());
}

#[tokio::test]
async fn a_link_in_the_place_of_the_directory_is_not_followed() {
    let repo = Repo::new();
    let before = repo.standing();
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(repo.root.join(".team")).unwrap();
    std::os::unix::fs::symlink(outside.path(), repo.root.join(".team/worktrees")).unwrap();
    let refused = repo.refused("alice").await.to_string();
    assert!(
        refused.contains("/.team/worktrees is not a directory"),
        "{refused}"
    );
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    assert_eq!(repo.standing(), before);
}

#[tokio::test]
async fn a_disk_that_takes_no_worktree_leaves_no_branch() {
    let repo = Repo::new();
    fs::write(repo.root.join(".team/worktrees"), "no directory").unwrap();
    let error = repo.refused("alice").await;
    assert!(matches!(error, WorktreeError::Failed { .. }), "{error}");

    // Git itself fails half-way, when the branch is made and files are written. A stranger's worktree of that name stays.
    let repo = Repo::new();
    let other = repo.root.parent().unwrap().join("mine/alice");
    repo.git(&["worktree", "add", "-q", "-b", "x", other.to_str().unwrap()]);
    repo.write(".gitattributes", "f.txt filter=broken\n");
    repo.commit("attributes");
    repo.git(&["config", "filter.broken.smudge", "false"]);
    repo.git(&["config", "filter.broken.required", "true"]);
    let error = repo.refused("alice").await;
    assert!(matches!(error, WorktreeError::Untrusted(_)), "{error}");
    assert_eq!(repo.git(&["branch", "--list", "teammate/*"]), "");
    assert!(!repo.root.join(".team/worktrees/alice").exists());
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 2);
    assert!(other.join("f.txt").exists());
}

#[tokio::test]
async fn many_at_once_do_not_fail_on_git_s_locks() {
    let repo = Repo::new();
    let names: Vec<WorktreeName> = (0..8).map(|i| named(&format!("m{i}"))).collect();
    let makings = names.iter().map(|name| {
        let (worktrees, name) = (repo.worktrees.clone(), name.clone());
        tokio::spawn(async move { worktrees.create(&name).await.map(drop) })
    });
    for making in makings.collect::<Vec<_>>() {
        making.await.unwrap().unwrap();
    }
    let list = repo.worktrees.list().await.unwrap();
    let listed: Vec<WorktreeName> = list.into_iter().map(|s| s.worktree.name).collect();
    assert_eq!(listed, names);
}

#[tokio::test]
async fn one_that_vanished_is_told_and_made_anew_from_its_branch() {
    let repo = Repo::new();
    let worktree = repo.make("alice").await;
    fs::write(worktree.path.join("mine.txt"), "mine").unwrap();
    commit(&worktree.path, "mine");
    repo.worktrees.keep(&named("alice")).await.unwrap();
    fs::remove_dir_all(&worktree.path).unwrap();
    let error = repo.worktrees.find(&named("alice")).await.unwrap_err();
    assert!(matches!(error, WorktreeError::Gone { .. }), "{error}");
    assert!(!repo.status("alice").await.is_there);

    // A directory of that name in the repository is not the worktree.
    fs::create_dir(&worktree.path).unwrap();
    assert!(repo.worktrees.find(&named("alice")).await.is_err());
    assert!(matches!(
        repo.refused("alice").await,
        WorktreeError::Occupied(_)
    ));
    fs::remove_dir(&worktree.path).unwrap();

    let again = repo.worktrees.create(&named("alice")).await.unwrap();
    assert!(
        matches!(
            again.origin,
            WorktreeOrigin::Created {
                had_branch: true,
                ..
            }
        ),
        "{:?}",
        again.origin
    );
    assert!(worktree.path.join("mine.txt").exists());
}

#[tokio::test]
async fn one_whose_making_was_cut_off_is_made_anew() {
    let repo = Repo::new();
    let worktree = repo.make("alice").await;
    let path = worktree.path.to_str().unwrap();
    repo.git(&["worktree", "lock", "--reason", "initializing", path]);
    fs::remove_file(worktree.path.join("f.txt")).unwrap();
    let again = repo.worktrees.create(&named("alice")).await.unwrap();
    assert_ne!(again.origin, WorktreeOrigin::Existing);
    assert!(worktree.path.join("f.txt").exists());
}

#[tokio::test]
async fn it_works_in_a_linked_worktree_and_in_a_part_of_a_repository() {
    let repo = Repo::new();
    let linked = repo.root.parent().unwrap().join("linked");
    let place = linked.to_str().unwrap();
    repo.git(&["worktree", "add", "-q", "-b", "feature", place]);
    fs::create_dir_all(linked.join("a part/.team")).unwrap();
    fs::write(linked.join("a part/g.txt"), "g\n").unwrap();
    git(&linked, &["add", "-A"]);
    git(&linked, &["commit", "-q", "-m", "part"]);

    let worktrees = worktrees_in(&linked.join("a part"), TrustedPrograms::default());
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    let top = linked.join("a part/.team/worktrees/alice");
    assert_eq!(alice.path, top.join("a part"));
    assert!(alice.path.join("g.txt").exists());
    assert_eq!(git(&linked, &["status", "--porcelain"]), "");
    let exclude = repo.read(".git/info/exclude");
    assert!(exclude.ends_with("\n/a\\ part/.team/\n"), "{exclude}");

    fs::write(alice.path.join("g.txt"), "hers\n").unwrap();
    commit(&alice.path, "hers");
    let merged = worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(merged.into, "feature");
    assert_eq!(
        fs::read_to_string(linked.join("a part/g.txt")).unwrap(),
        "hers\n"
    );
    worktrees
        .remove(&named("alice"), RemovalReason::Asked)
        .await
        .unwrap();
    assert!(!top.exists());
}
