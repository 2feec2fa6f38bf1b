//! A member's work as others see it who are on another machine: listed, compared and merged from a copy.

use teammate_core::port::{Bringing, BroughtWork, WorkTransfer as _, Worktrees as _};

use super::{Land, alice, both};
use crate::worktrees::{commit, git, named};

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

        let look = |machine: &super::Machine| {
            let transfer = machine.transfer.clone();
            async move {
                transfer
                    .bring(&alice(u64::MAX), Bringing::ToLook)
                    .await
                    .unwrap()
            }
        };
        assert!(matches!(look(&w2).await, BroughtWork::Came(_)));
        let diff = w2.worktrees.diff(&named("alice")).await.unwrap();
        assert!(
            diff.contains("+committed") && diff.contains("half.txt"),
            "{diff}"
        );
        let refused = w2.worktrees.merge(&named("alice")).await.unwrap_err();
        assert!(refused.to_string().contains("half.txt"), "{refused}");

        w1.git(&["add", "-A"]);
        commit(&w1.place(), "finish half");
        w1.save(1).await.unwrap();
        assert!(matches!(look(&w2).await, BroughtWork::Came(_)));
        let merged = w2.worktrees.merge(&named("alice")).await.unwrap();
        assert_eq!(merged.commits, 2);
        let log = git(&w2.root, &["log", "--format=%s"]);
        assert_eq!(log, "finish half\nchange f\nfirst");

        // Alice's own machine has the newest: nothing is brought.
        w1.write("f.txt", "newer\n");
        assert_eq!(look(&w1).await, BroughtWork::Here);
        assert_eq!(w1.read("f.txt"), "newer\n");
    }
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
