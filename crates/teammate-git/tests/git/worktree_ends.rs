//! What becomes of worktrees: differences, merges, removals.

use std::fs;

use teammate_core::port::{RemovalReason, WorktreeError};

use crate::repo::{Repo, commit, git, named};

#[tokio::test]
async fn what_one_does_is_unseen_by_the_other_until_it_is_merged() {
    let repo = Repo::new();
    let (alice, bob) = (repo.make("alice").await, repo.make("bob").await);
    fs::write(alice.path.join("f.txt"), "ONE\ntwo\nthree\n").unwrap();
    fs::write(bob.path.join("f.txt"), "First\ntwo\nthree\n").unwrap();
    assert_eq!(repo.read("f.txt"), "one\ntwo\nthree\n");
    commit(&alice.path, "alice's");
    commit(&bob.path, "bob's");

    let merged = repo.worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(
        (merged.into.as_str(), merged.commits),
        ("main", 1),
        "{merged:?}"
    );
    let merged = repo.worktrees.merge(&named("bob")).await;
    let error = merged.unwrap_err();
    assert!(
        matches!(&error, WorktreeError::Conflict { files, .. } if files == &["f.txt"]),
        "{error}"
    );
    let again = repo.worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(again.commits, 0);
    assert_eq!(repo.read("f.txt"), "ONE\ntwo\nthree\n");
}

#[tokio::test]
async fn changes_in_different_places_are_put_together() {
    let repo = Repo::new();
    repo.write("g.txt", "g\n");
    repo.commit("g");
    let (alice, bob) = (repo.make("alice").await, repo.make("bob").await);
    fs::write(alice.path.join("f.txt"), "F\n").unwrap();
    fs::write(bob.path.join("g.txt"), "G\n").unwrap();
    commit(&alice.path, "alice's");
    commit(&bob.path, "bob's");
    repo.worktrees.merge(&named("alice")).await.unwrap();
    repo.worktrees.merge(&named("bob")).await.unwrap();
    assert_eq!(
        (repo.read("f.txt"), repo.read("g.txt")),
        ("F\n".to_owned(), "G\n".to_owned())
    );
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_conflict_leaves_everything_as_it_was() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    fs::write(alice.path.join("f.txt"), "hers\n").unwrap();
    commit(&alice.path, "hers");
    repo.write("f.txt", "mine\n");
    repo.commit("mine");
    repo.write("unrelated.txt", "not committed\n");
    let before = repo.standing();
    let error = repo.worktrees.merge(&named("alice")).await.unwrap_err();
    assert!(
        error.to_string().contains("the same lines in f.txt"),
        "{error}"
    );
    assert_eq!(repo.standing(), before);
    assert_eq!(repo.read("f.txt"), "mine\n");
    assert_eq!(repo.read("unrelated.txt"), "not committed\n");
    assert!(!repo.root.join(".git/MERGE_HEAD").exists());
}

#[tokio::test]
async fn what_stands_in_the_way_of_a_merge_is_named() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    fs::write(alice.path.join("f.txt"), "hers\n").unwrap();
    fs::write(alice.path.join("new.txt"), "hers\n").unwrap();
    let merge = async || {
        let merged = repo.worktrees.merge(&named("alice")).await;
        merged.unwrap_err().to_string()
    };
    let error = merge().await;
    assert!(
        error.contains("2 uncommitted files") && error.contains("new.txt"),
        "{error}"
    );
    commit(&alice.path, "hers");

    repo.write("f.txt", "mine, not committed\n");
    assert!(merge().await.contains("overwritten: f.txt;"));
    repo.git(&["checkout", "-q", "f.txt"]);
    repo.write("new.txt", "mine, unknown to git\n");
    assert!(merge().await.contains("overwritten: new.txt;"));
    repo.git(&["add", "new.txt"]);
    assert!(merge().await.contains("overwritten: new.txt;"));
    assert_eq!(repo.read("new.txt"), "mine, unknown to git\n");
    repo.git(&["rm", "-qf", "new.txt"]);

    git(&alice.path, &["switch", "-q", "-c", "other"]);
    assert!(merge().await.contains("git switch teammate/alice"));
    git(&alice.path, &["switch", "-q", "teammate/alice"]);
    repo.git(&["switch", "-q", "--detach"]);
    assert!(merge().await.contains("on no branch"));
    repo.git(&["switch", "-q", "main"]);

    // What is not in the way stays where it is.
    repo.write("unrelated.txt", "mine\n");
    repo.worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(
        (repo.read("f.txt"), repo.read("unrelated.txt")),
        ("hers\n".to_owned(), "mine\n".to_owned())
    );
}

#[tokio::test]
async fn a_merge_that_cannot_be_committed_is_taken_back() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    fs::write(alice.path.join("new.txt"), "hers\n").unwrap();
    commit(&alice.path, "hers");
    repo.write("f.txt", "mine\n");
    repo.commit("mine");
    repo.git(&["config", "--unset", "user.name"]);
    repo.git(&["config", "--unset", "user.email"]);
    repo.git(&["config", "user.useConfigOnly", "true"]);
    let before = repo.standing();
    let error = repo.worktrees.merge(&named("alice")).await.unwrap_err();
    assert!(error.to_string().contains("user.email"), "{error}");
    assert_eq!(repo.standing(), before);
    assert!(!repo.root.join("new.txt").exists());
}

#[tokio::test]
async fn nothing_is_removed_that_would_be_lost() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    for i in 0..2 {
        fs::write(alice.path.join(format!("{i}.txt")), "hers\n").unwrap();
        commit(&alice.path, "hers");
    }
    fs::write(alice.path.join("draft.txt"), "draft\n").unwrap();
    let lost = |uncommitted, unmerged| {
        Err(WorktreeError::WouldLose {
            uncommitted,
            unmerged,
        })
    };
    assert_eq!(repo.remove("alice").await, lost(1, 2));
    let cleaning = RemovalReason::CleaningUp;
    let cleaned = repo.worktrees.remove(&named("alice"), cleaning).await;
    assert_eq!(cleaned, lost(1, 2));
    assert!(alice.path.join("draft.txt").exists());
    fs::remove_file(alice.path.join("draft.txt")).unwrap();
    assert_eq!(repo.remove("alice").await, lost(0, 2));

    // Not by being on another branch or on none, and not by a vanished directory.
    git(&alice.path, &["switch", "-q", "--detach", "main"]);
    assert_eq!(repo.remove("alice").await, lost(0, 2));
    fs::write(alice.path.join("detached.txt"), "hers\n").unwrap();
    commit(&alice.path, "on no branch");
    assert_eq!(repo.remove("alice").await, lost(0, 3));
    git(&alice.path, &["switch", "-q", "teammate/alice"]);
    fs::remove_dir_all(&alice.path).unwrap();
    assert_eq!(repo.remove("alice").await, lost(0, 2));

    repo.worktrees.merge(&named("alice")).await.unwrap();
    repo.remove("alice").await.unwrap();
    assert_eq!(repo.git(&["branch", "--list", "teammate/*"]), "");
    assert!(matches!(
        repo.remove("alice").await,
        Err(WorktreeError::Unknown { .. })
    ));
}

#[tokio::test]
async fn one_that_is_kept_goes_only_when_asked_for() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    repo.worktrees.keep(&named("alice")).await.unwrap();
    assert!(repo.status("alice").await.is_kept);
    let kept = Err(WorktreeError::Kept(named("alice")));
    let cleaning = RemovalReason::CleaningUp;
    assert_eq!(repo.worktrees.remove(&named("alice"), cleaning).await, kept);
    repo.remove("alice").await.unwrap();
    assert!(!alice.path.exists());

    repo.make("bob").await;
    let removed = repo.worktrees.remove(&named("bob"), cleaning).await;
    removed.unwrap();
}

#[tokio::test]
async fn a_stranger_s_worktree_of_the_same_name_is_left_alone() {
    let repo = Repo::new();
    let other = repo.root.parent().unwrap().join("mine/alice");
    repo.git(&["worktree", "add", "-q", "-b", "x", other.to_str().unwrap()]);
    fs::write(other.join("draft.txt"), "draft").unwrap();
    let alice = repo.make("alice").await;
    repo.remove("alice").await.unwrap();
    assert!(!alice.path.exists());
    assert!(other.join("draft.txt").exists());
    let error = repo.remove("alice").await.unwrap_err();
    assert!(error.to_string().ends_with("there are: none"), "{error}");
}

#[tokio::test]
async fn a_diff_shows_what_is_committed_and_what_is_not() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    assert_eq!(
        repo.worktrees.diff(&named("alice")).await,
        Ok(String::new())
    );
    fs::write(alice.path.join("g.txt"), "committed\n").unwrap();
    commit(&alice.path, "g");
    fs::write(alice.path.join("f.txt"), "not committed\n").unwrap();
    fs::write(alice.path.join("unknown.txt"), "x\n").unwrap();
    repo.write("f.txt", "of main\n");
    repo.commit("of main");
    let diff = repo.worktrees.diff(&named("alice")).await.unwrap();
    for part in ["+committed", "+not committed", "unknown.txt", "2 files"] {
        assert!(diff.contains(part), "{part}: {diff}");
    }
    assert!(!diff.contains("of main"), "{diff}");
}

#[tokio::test]
async fn a_tag_of_the_same_name_is_not_merged_in_the_place_of_the_branch() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    repo.git(&["tag", "teammate/alice"]);
    repo.git(&["tag", "main"]);
    fs::write(alice.path.join("hers.txt"), "hers").unwrap();
    commit(&alice.path, "hers");
    repo.write("f.txt", "mine\n");
    repo.commit("mine");
    let merged = repo.worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(
        merged.to_string(),
        "Merged teammate/alice into main: 1 commit"
    );
    assert_eq!(repo.read("hers.txt"), "hers");
    let subject = repo.git(&["log", "-1", "--format=%s"]);
    assert_eq!(subject, "Merge branch 'teammate/alice'");
    repo.remove("alice").await.unwrap();
}
