//! A member's work as others see it who are on another machine: listed, compared and merged from a copy.

use teammate_core::port::{Bringing, BroughtWork, WorkTransfer as _, Worktrees as _};

use super::{By, Land, alice, both};
use crate::repo::{commit, git, named};

// slow: many calls of git
#[tokio::test]
async fn a_copy_is_compared_and_merged_as_a_worktree_of_this_machine() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        w1.take(1).await;
        w1.write("f.txt", "committed\n");
        commit(&w1.place(), "change f");
        w1.write("half.txt", "half done\n");
        w1.save(1).await.unwrap();

        let alice = named("alice");
        let there = w2.seen_from_here();
        let diff = there.diff(&alice).await.unwrap();
        assert!(
            diff.contains("+committed") && diff.contains("half.txt"),
            "{diff}"
        );
        let refused = there.merge(&alice).await.unwrap_err().to_string();
        assert!(refused.contains("half.txt"), "{refused}");

        commit(&w1.place(), "finish half");
        w1.save(1).await.unwrap();
        let merged = there.merge(&alice).await.unwrap();
        assert_eq!(merged.commits, 2);
        let log = git(&w2.root, &["log", "--format=%s"]);
        assert_eq!(log, "finish half\nchange f\nfirst");

        // Alice's own machine has the newest: nothing is brought.
        w1.write("f.txt", "newer\n");
        let diff = w1.seen_from_here().diff(&alice).await.unwrap();
        assert!(diff.contains("+newer"), "{diff}");
        assert_eq!(w1.read("f.txt"), "newer\n");
    }
}

#[tokio::test]
async fn a_remote_that_does_not_answer_merges_nothing_old() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    w1.take(1).await;
    w1.write("f.txt", "committed\n");
    commit(&w1.place(), "change f");
    w1.save(1).await.unwrap();
    std::fs::rename(land.path("remote.git"), land.path("gone.git")).unwrap();
    let refused = w2.seen_from_here().merge(&named("alice")).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.starts_with("git could not fetch the newest work of 'alice': the repository "),
        "{refused}"
    );
    assert!(
        refused.ends_with("look whether this machine's user may read and push there"),
        "{refused}"
    );
}

#[tokio::test]
async fn where_nothing_was_ever_saved_nothing_is_made() {
    for by in both() {
        let land = Land::new(by);
        let w2 = land.machine("w2").await;
        let none = w2.transfer.bring(&alice(u64::MAX), Bringing::ToLook).await;
        assert_eq!(none, Ok(BroughtWork::Nothing));
        assert!(!w2.place().exists());
    }
}
