//! What runs because the user said yes to it, or set it.

use teammate_git::Programs;
use teammate_sandbox::{Level, Sandbox, SandboxRules};

use super::*;
use teammate_testkit::{is_running, sleep_mark as mark};

use crate::support::sandbox_in;

/// All that is in the repository now.
fn trusting(root: &Path) -> TrustedPrograms {
    let (root, environment) = (root.to_owned(), environment("/nowhere"));
    let programs = Programs::read(&root, &environment).unwrap().into_set();
    TrustedPrograms::asking(move || programs.clone())
}

/// A file that is stored in capitals.
fn stores_capitals(repo: &Repo) -> [(&'static str, &'static str); 3] {
    repo.write(".gitattributes", "*.big filter=big\n");
    repo.commit("attributes");
    [
        ("filter.big.clean", "tr a-z A-Z"),
        ("filter.big.smudge", "tr A-Z a-z"),
        ("filter.big.required", "true"),
    ]
}

#[tokio::test]
async fn a_filter_works_after_a_yes_until_it_changes() {
    let repo = Repo::new();
    for (key, value) in stores_capitals(&repo) {
        repo.git(&["config", key, value]);
    }
    repo.write("x.big", "text\n");
    repo.commit("x");
    assert_eq!(repo.git(&["cat-file", "-p", "HEAD:x.big"]), "TEXT");
    let both = ["filter.big.clean", "filter.big.smudge"]
        .map(str::to_owned)
        .to_vec();
    let refused = repo.worktrees.create(&named("alice")).await.unwrap_err();
    assert_eq!(refused, WorktreeError::Untrusted(both));

    let worktrees = worktrees_in(&repo.root, trusting(&repo.root));
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    assert_eq!(
        fs::read_to_string(alice.path.join("x.big")).unwrap(),
        "text\n"
    );
    fs::write(alice.path.join("y.big"), "more\n").unwrap();
    commit(&alice.path, "more");
    worktrees.merge(&named("alice")).await.unwrap();
    assert_eq!(repo.read("y.big"), "more\n");
    assert_eq!(repo.git(&["cat-file", "-p", "HEAD:y.big"]), "MORE");

    repo.git(&["config", "filter.big.smudge", "touch ran"]);
    let refused = worktrees.create(&named("bob")).await.unwrap_err();
    assert_eq!(
        refused,
        WorktreeError::Untrusted(vec!["filter.big.smudge".to_owned()])
    );
    assert!(!repo.root.join("ran").exists());
}

#[tokio::test]
async fn the_user_s_own_configuration_is_the_user_s() {
    let repo = Repo::new();
    let home = repo.root.join("../home");
    fs::create_dir(&home).unwrap();
    let config = home.join(".gitconfig").display().to_string();
    let settings = stores_capitals(&repo);
    for (key, value) in settings {
        repo.git(&["config", "--file", &config, key, value]);
    }
    fs::write(repo.root.join("x.big"), "TEXT\n").unwrap();
    repo.commit("stored without the filter");
    fs::write(repo.root.join("x.big"), "text\n").unwrap();
    let home = home.canonicalize().unwrap().display().to_string();
    let worktrees = worktrees_of(
        &repo,
        &home,
        TeamSandbox::default(),
        TrustedPrograms::default(),
    );
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    assert_eq!(
        fs::read_to_string(alice.path.join("x.big")).unwrap(),
        "text\n"
    );
    // The same words in the repository make no difference; other words do.
    for (key, value) in settings {
        repo.git(&["config", key, value]);
    }
    worktrees.create(&named("bob")).await.unwrap();
    repo.git(&["config", "filter.big.smudge", "touch ran"]);
    let refused = worktrees.create(&named("carol")).await.unwrap_err();
    assert_eq!(
        refused,
        WorktreeError::Untrusted(vec!["filter.big.smudge".to_owned()])
    );
}

#[tokio::test]
async fn what_git_runs_after_a_yes_is_held_like_a_command() {
    knows_helper();
    let has_walls = Sandbox::default().level().unwrap() == Level::Full;
    let hostile = Hostile::new("").await;
    let (repo, away) = (&hostile.repo, mark(931));
    let secret = repo.root.join("../state");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("key"), "key\n").unwrap();
    let secret = secret.canonicalize().unwrap();
    let hook = repo.root.join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let text = format!(
        "#!/bin/sh\ncat {0}/key > {2}/read; touch {1}/outside {2}/.team/forged; setsid sleep {away} & exit 0\n",
        secret.display(),
        hostile.ran.display(),
        repo.root.display()
    );
    fs::write(&hook, text).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let sandbox = sandbox_in(&repo.root, SandboxRules::default().hiding(secret));
    let worktrees = worktrees_of(repo, "/nowhere", sandbox, trusting(&repo.root));
    worktrees.create(&named("bob")).await.unwrap();
    assert!(!is_running(&away));
    assert!(repo.root.join("read").exists());
    if has_walls {
        assert_eq!(fs::read_to_string(repo.root.join("read")).unwrap(), "");
        assert_eq!(hostile.has_run(), Vec::<String>::new());
        assert!(!repo.root.join(".team/forged").exists());
    }
}
