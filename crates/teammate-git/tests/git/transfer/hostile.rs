//! A repository that would have git run things: saving and bringing run none of them.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc};

use teammate_core::port::{
    Bringing, ObjectStore, TransferError, WorkTransfer as _, WorktreeError, Worktrees as _,
};
use teammate_testkit::memory::MemoryObjects;

use super::{By, Land, Machine, alice, both};
use crate::repo::{commit, git, named};

/// Programs of every kind that leave a file, wherever git would run one here.
fn plant(machine: &Machine, mark: &Path) {
    let run = format!("touch '{}'", mark.display());
    let common = machine.root.join(".git");
    let hooks = common.join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "pre-push",
        "pre-commit",
        "post-rewrite",
        "update",
        "post-receive",
    ] {
        let path = hooks.join(hook);
        fs::write(&path, format!("#!/bin/sh\n{run}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let elsewhere = format!("ext::sh -c {}", run.replace(' ', "% "));
    for (key, value) in [
        ("core.fsmonitor", &*run),
        ("core.sshCommand", &run),
        ("core.pager", &run),
        ("diff.external", &run),
        ("uploadpack.packObjectsHook", &run),
        ("remote.origin.url", &elsewhere),
        ("remote.origin.uploadpack", &run),
        ("remote.origin.receivepack", &run),
        ("alias.status", &format!("!{run}")),
        ("gpg.program", &run),
        ("commit.gpgSign", "true"),
    ] {
        git(&machine.root, &["config", key, value]);
    }
}

#[tokio::test]
async fn nothing_that_a_repository_names_runs() {
    for by in both() {
        let land = Land::new(by);
        let (w1, w2) = (land.machine("w1").await, land.machine("w2").await);
        w1.take(1).await;
        w1.write("f.txt", "committed\n");
        commit(&w1.place(), "change");
        w1.write("f.txt", "saved\n");
        // Where alice's worktree is there already: making one asks hooks, and is refused.
        w2.worktrees.create(&named("alice")).await.unwrap();
        let mark = land.path("it-ran");
        plant(&w1, &mark);
        plant(&w2, &mark);
        w1.save(1).await.unwrap();
        assert!(!mark.exists(), "saving ran something");
        w2.take_what_came(2).await;
        assert!(!mark.exists(), "bringing ran something");
        assert_eq!(w2.read("f.txt"), "saved\n");
    }
}

#[tokio::test]
async fn what_an_untrusted_filter_would_change_is_not_carried_and_said() {
    let land = Land::new(By::Remote);
    let w1 = land.machine("w1").await;
    w1.take(1).await;
    let mark = land.path("it-ran");
    let clean = format!("touch '{}'; cat", mark.display());
    git(&w1.root, &["config", "filter.crypt.clean", &clean]);
    w1.write(".gitattributes", "*.key filter=crypt\n");
    w1.write("f.txt", "saved\n");
    w1.save(1).await.unwrap();
    w1.write("a.key", "secret\n");
    let refused = w1.save(1).await.unwrap_err();
    let TransferError::Worktree(WorktreeError::Untrusted(names)) = &refused else {
        panic!("{refused}");
    };
    assert_eq!(names, &["filter.crypt.clean"]);
    assert!(!mark.exists());
}

#[tokio::test]
async fn a_worktree_that_leads_to_another_repository_leads_nowhere() {
    let land = Land::new(By::Remote);
    let w1 = land.machine("w1").await;
    w1.take(1).await;
    w1.write("f.txt", "saved\n");
    let foreign = land.path("foreign");
    fs::create_dir(&foreign).unwrap();
    git(&foreign, &["init", "-q"]);
    fs::write(foreign.join("secret.txt"), "secret\n").unwrap();
    git(&foreign, &["config", "user.name", "x"]);
    git(&foreign, &["config", "user.email", "x@example.org"]);
    commit(&foreign, "secret");
    let link = format!("gitdir: {}\n", foreign.join(".git").display());
    fs::write(w1.place().join(".git"), link).unwrap();
    w1.save(1).await.unwrap();
    let w2 = land.machine("w2").await;
    w2.take_what_came(2).await;
    assert_eq!(w2.read("f.txt"), "saved\n");
    assert_eq!(w2.git(&["log", "--format=%s"]), "first");
    assert!(!w2.place().join("secret.txt").exists());
}

#[tokio::test]
async fn what_is_no_bundle_changes_nothing_here() {
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let land = Land::new(By::Objects(objects.clone()));
    let w1 = land.machine("w1").await;
    w1.take(1).await;
    w1.write("f.txt", "mine\n");
    let whole = {
        let w2 = land.machine("w2").await;
        w2.take(2).await;
        w2.write("f.txt", "theirs\n");
        w2.save(2).await.unwrap();
        objects.get("work/alice/2").await.unwrap().unwrap()
    };
    let cut = whole[..whole.len() - 20].to_vec();
    for bytes in [b"no bundle".to_vec(), cut] {
        objects.put("work/alice/2", bytes).await.unwrap();
        let why = Bringing::ToWork { delivered: None };
        let refused = w1.transfer.bring(&alice(3), why).await.unwrap_err();
        let refused = refused.to_string();
        let begins = "the saved work of 'alice' under term 2 cannot be read: ";
        assert!(refused.starts_with(begins), "{refused}");
        assert_eq!(w1.read("f.txt"), "mine\n");
    }
}
