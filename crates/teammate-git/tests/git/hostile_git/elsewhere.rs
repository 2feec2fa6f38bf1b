//! What leads out of the repository: into others, to servers, through links.

use super::*;

#[tokio::test]
async fn what_looks_like_a_repository_is_none() {
    let outer = Hostile::new("").await;
    let sub = outer.repo.root.join("sub");
    let written = outer.repo.root.parent().unwrap().join("written");
    for dir in [&sub, &written] {
        fs::create_dir_all(dir.join("refs")).unwrap();
        fs::create_dir_all(dir.join("tree/.team")).unwrap();
        symlink(outer.repo.root.join(".git/objects"), dir.join("objects")).unwrap();
        fs::copy(outer.repo.root.join(".git/HEAD"), dir.join("HEAD")).unwrap();
        let trap = outer.trap("bare");
        let config = format!(
            "[core]\n\tbare = false\n\tworktree = {}\n\tfsmonitor = \"{trap}\"\n[filter \"x\"]\n\tsmudge = \"{trap}\"\n",
            dir.display()
        );
        fs::write(dir.join("config"), config).unwrap();
        for root in [dir.clone(), dir.join("tree")] {
            let worktrees = worktrees_in(&root, TrustedPrograms::default());
            assert!(worktrees.create(&named("bob")).await.is_err());
            assert!(worktrees.list().await.is_err(), "{}", root.display());
        }
    }
    assert_eq!(outer.has_run(), Vec::<String>::new());
}

#[tokio::test]
async fn nothing_is_fetched_for_a_promise() {
    let hostile = Hostile::new("").await;
    let origin = hostile.repo.root.parent().unwrap().join("origin.git");
    let root = hostile.repo.root.display().to_string();
    let to = origin.display().to_string();
    hostile.repo.git(&["clone", "-q", "--bare", &root, &to]);
    let blob = hostile.repo.git(&["rev-parse", "HEAD:f.txt"]);
    fs::remove_file(
        hostile
            .repo
            .root
            .join(".git/objects")
            .join(&blob[..2])
            .join(&blob[2..]),
    )
    .unwrap();
    for (url, key) in [
        (to, "remote.origin.uploadpack"),
        (format!("ext::{}", hostile.trap("ext")), "core.pager"),
        ("ssh://a.invalid/b".to_owned(), "core.sshCommand"),
    ] {
        hostile.set("remote.origin.url", &url);
        hostile.set("remote.origin.promisor", "true");
        hostile.set("remote.origin.partialclonefilter", "blob:none");
        hostile.set("extensions.partialClone", "origin");
        hostile.set("protocol.ext.allow", "always");
        hostile.set(key, &hostile.trap(key));
        let error = hostile
            .repo
            .worktrees
            .create(&named("bob"))
            .await
            .unwrap_err();
        assert!(matches!(error, WorktreeError::Failed { .. }), "{error}");
        assert_eq!(hostile.has_run(), Vec::<String>::new());
        assert!(!hostile.repo.root.join(".team/worktrees/bob").exists());
    }
}

#[tokio::test]
async fn a_git_that_leads_to_somebody_else_s_repository_is_refused() {
    let theirs = Repo::new();
    let (their_git, before) = (theirs.root.join(".git"), theirs.standing());
    let at = |prepare: &dyn Fn(&Path)| {
        let repo = Repo::beside_others();
        prepare(&repo.root);
        repo
    };
    let file = at(&|root| {
        fs::write(
            root.join(".git"),
            format!("gitdir: {}\n", their_git.display()),
        )
        .unwrap();
    });
    let link = at(&|root| {
        symlink(&their_git, root.join(".git")).unwrap();
    });
    let common = at(&|root| {
        git(root, &["init", "-q"]);
        fs::write(root.join(".git/commondir"), their_git.display().to_string()).unwrap();
    });
    let elsewhere = at(&|root| {
        git(root, &["init", "-q", "-b", "main"]);
        git(
            root,
            &[
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "x",
            ],
        );
        git(
            root,
            &[
                "config",
                "core.worktree",
                &theirs.root.display().to_string(),
            ],
        );
    });
    for repo in [file, link, common, elsewhere] {
        let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
        assert!(matches!(error, WorktreeError::LeadsAway { .. }), "{error}");
        assert!(!repo.root.join(".team/worktrees/bob").exists());
    }
    assert_eq!(theirs.standing(), before);
    assert!(!their_git.join("worktrees").exists());
}

#[tokio::test]
async fn a_submodule_and_borrowed_objects_are_nobody_else_s() {
    let (theirs, ours) = (Repo::new(), Repo::new());
    let from = theirs.root.display().to_string();
    ours.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &from,
        "sub",
    ]);
    ours.commit("sub");
    let root = ours.root.join("sub");
    fs::create_dir(root.join(".team")).unwrap();
    git(&root, &["config", "user.name", "A"]);
    let worktrees = worktrees_in(&root, TrustedPrograms::default());
    worktrees.create(&named("bob")).await.unwrap();
    assert!(root.join(".team/worktrees/bob/f.txt").exists());

    let borrower = theirs.root.parent().unwrap().join("borrower");
    let to = borrower.display().to_string();
    theirs.git(&["clone", "-q", "--shared", &from, &to]);
    fs::create_dir(borrower.join(".team")).unwrap();
    let worktrees = worktrees_in(&borrower, TrustedPrograms::default());
    worktrees.create(&named("bob")).await.unwrap();
}

#[tokio::test]
async fn the_exclude_file_is_a_file_of_the_repository() {
    let repo = Repo::new();
    let (exclude, theirs) = (
        repo.root.join(".git/info/exclude"),
        repo.root.join("../theirs"),
    );
    fs::write(&theirs, "theirs\n").unwrap();
    fs::remove_file(&exclude).unwrap();
    symlink(&theirs, &exclude).unwrap();
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(error.to_string().contains("'exclude' is a link"), "{error}");
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs\n");
    fs::remove_file(&exclude).unwrap();
    make_pipe(&exclude);
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(error.to_string().contains("it is no file"), "{error}");
}
