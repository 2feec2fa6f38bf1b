//! What an old holder does late, what a killed one leaves, and what was on a machine before.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use teammate_core::{
    MemberName,
    port::{BoxFuture, Bringing, BroughtWork, TransferError, WorkTransfer as _},
    team::{CommitId, Delivery, Term},
};
use teammate_git::transfer::{BundleStore, WorkBundle};

use super::{By, Land, alice, both};
use crate::repo::{commit, git};

// slow: many calls of git
#[tokio::test]
async fn a_late_push_of_an_old_term_changes_nothing() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        w1.take(1).await;
        w1.write("f.txt", "saved\n");
        w1.save(1).await.unwrap();
        w2.take_what_came(2).await;

        // It does not know that alice has moved.
        w1.write("f.txt", "late\n");
        w1.write("late.txt", "late\n");
        commit(&w1.place(), "late");
        w1.save(1).await.unwrap();

        let w3 = land.machine("w3").await;
        let came = w3.take_what_came(3).await;
        assert_eq!(came.uncommitted, 1);
        assert_eq!(w3.read("f.txt"), "saved\n");
        assert!(!w3.place().join("late.txt").exists());
        assert_eq!(w2.read("f.txt"), "saved\n");
    }
}

// slow: many calls of git
#[tokio::test]
async fn a_late_push_changes_nothing_where_the_next_holder_found_nothing() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        w1.take(1).await;
        assert_eq!(w2.take(2).await, BroughtWork::Nothing);
        w1.write("f.txt", "late\n");
        w1.save(1).await.unwrap();
        let w3 = land.machine("w3").await;
        assert_eq!(w3.take_what_came(3).await.uncommitted, 0);
        assert_eq!(w3.read("f.txt"), "one\n");
    }
}

// slow: many calls of git
#[tokio::test]
async fn who_comes_back_finds_the_newest_work_and_what_was_left_here_beside_it() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        w1.take(1).await;
        w1.write("f.txt", "saved\n");
        w1.save(1).await.unwrap();
        w1.write("unsaved.txt", "nobody saved this\n");
        w1.write("build.log", "ignored\n");

        w2.take_what_came(2).await;
        w2.write("f.txt", "newer\n");
        commit(&w2.place(), "newer");
        w2.save(2).await.unwrap();

        let came = w1.take_what_came(3).await;
        assert_eq!(w1.read("f.txt"), "newer\n");
        assert!(!w1.place().join("unsaved.txt").exists());
        assert_eq!(w1.read("build.log"), "ignored\n");
        let aside = came.aside.clone().unwrap();
        let kept = w1.git(&["show", &format!("{aside}:unsaved.txt")]);
        assert_eq!(kept, "nobody saved this");
        let told = came.to_string();
        assert!(told.contains(&format!("kept as {aside}")), "{told}");
    }
}

#[tokio::test]
async fn who_goes_on_where_it_was_keeps_everything() {
    let land = Land::new(By::Remote);
    let w1 = land.machine("w1").await;
    w1.take(1).await;
    w1.write("f.txt", "saved\n");
    w1.save(1).await.unwrap();
    w1.write("f.txt", "not saved\n");
    // The worker was started anew: another term, the same machine.
    assert_eq!(w1.take(2).await, BroughtWork::Here);
    assert_eq!(w1.read("f.txt"), "not saved\n");
    w1.save(2).await.unwrap();
    let w2 = land.machine("w2").await;
    w2.take_what_came(3).await;
    assert_eq!(w2.read("f.txt"), "not saved\n");
}

#[tokio::test]
async fn work_on_what_the_remote_has_got_since_the_clone_travels_too() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    let origin = land.path("origin");
    fs::write(origin.join("f.txt"), "upstream\n").unwrap();
    commit(&origin, "upstream");
    let remote = land.path("remote.git").display().to_string();
    git(&origin, &["push", "-q", &remote, "main"]);
    w1.take(1).await;
    git(&w1.root, &["fetch", "-q", "origin"]);
    w1.git(&["reset", "-q", "--hard", "origin/main"]);
    w1.write("new.txt", "new\n");
    w1.save(1).await.unwrap();
    w2.take_what_came(2).await;
    assert_eq!(w2.read("f.txt"), "upstream\n");
    assert_eq!(w2.read("new.txt"), "new\n");
}

#[tokio::test]
async fn what_cannot_be_put_aside_is_named_and_left_alone() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    w1.take(1).await;
    w1.save(1).await.unwrap();
    let big = fs::File::create(w1.place().join("big.bin")).unwrap();
    big.set_len(20 << 20).unwrap();
    w2.take_what_came(2).await;
    w2.write("f.txt", "newer\n");
    w2.save(2).await.unwrap();
    let why = Bringing::ToWork { delivered: None };
    let refused = w1.transfer.bring(&alice(3), why).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("big.bin (20 MiB)); move them away"),
        "{refused}"
    );
    assert_eq!(w1.read("f.txt"), "one\n");
}

#[tokio::test]
async fn a_delivery_that_the_work_does_not_have_is_named() {
    let land = Land::new(By::Remote);
    let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
    w1.take(1).await;
    w1.write("f.txt", "saved\n");
    let saved = w1.save(1).await.unwrap();
    let delivery = |commit: &CommitId| Delivery {
        term: Term(1),
        commit: commit.clone(),
    };
    let other = delivery(&CommitId::parse(&"0a".repeat(20)).unwrap());
    let why = Bringing::ToWork {
        delivered: Some(&other),
    };
    let Ok(BroughtWork::Came(came)) = w2.transfer.bring(&alice(2), why).await else {
        panic!("nothing came");
    };
    assert!(
        came.to_string()
            .contains("The delivered commit 0a0a0a0a0 is not in it.")
    );
    let w3 = land.machine("w3").await;
    let known = delivery(&saved.commit);
    let why = Bringing::ToWork {
        delivered: Some(&known),
    };
    let Ok(BroughtWork::Came(came)) = w3.transfer.bring(&alice(3), why).await else {
        panic!("nothing came");
    };
    assert_eq!(came.missing, None);
}

/// A store whose worker dies when a bundle is to be kept.
struct Dies {
    inner: Arc<dyn BundleStore>,
    dies: Arc<AtomicBool>,
}

impl BundleStore for Dies {
    fn put<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        bundle: WorkBundle,
    ) -> BoxFuture<'a, Result<(), TransferError>> {
        match self.dies.load(Ordering::SeqCst) {
            true => Box::pin(std::future::pending()),
            false => self.inner.put(member, term, bundle),
        }
    }

    fn terms<'a>(
        &'a self,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Term>, TransferError>> {
        self.inner.terms(member)
    }

    fn get<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        has: &'a [CommitId],
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, TransferError>> {
        self.inner.get(member, term, has)
    }
}

// slow: many calls of git
#[tokio::test]
async fn a_kill_in_the_middle_of_a_save_leaves_the_last_one() {
    for by in both() {
        let land = Land::new(by);
        let dies = Arc::new(AtomicBool::new(false));
        let around = |inner| -> Arc<dyn BundleStore> {
            let dies = dies.clone();
            Arc::new(Dies { inner, dies })
        };
        let w1 = land.machine_with("w1", around).await;
        w1.take(1).await;
        w1.write("f.txt", "saved\n");
        w1.save(1).await.unwrap();
        w1.write("f.txt", "on its way\n");
        dies.store(true, Ordering::SeqCst);
        let save = w1.save(1);
        let cut = tokio::time::timeout(std::time::Duration::from_millis(1500), save).await;
        assert!(cut.is_err(), "it never ends");

        let w2 = land.machine("w2").await;
        w2.take_what_came(2).await;
        assert_eq!(w2.read("f.txt"), "saved\n");

        // The killed worker's machine comes back: a lock of its throw-away index is in nobody's way.
        let git_dir = w1.git(&["rev-parse", "--absolute-git-dir"]);
        fs::write(format!("{git_dir}/teammate-save-0.lock"), "").unwrap();
        let again = land.machine("w1").await;
        let came = again.take_what_came(3).await;
        assert_eq!(again.read("f.txt"), "saved\n");
        let aside = came.aside.unwrap();
        assert_eq!(
            again.git(&["show", &format!("{aside}:f.txt")]),
            "on its way"
        );
    }
}
