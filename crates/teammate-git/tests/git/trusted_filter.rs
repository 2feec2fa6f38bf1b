//! What a filter reaches that the user trusts: the program's git runs it, in a sandbox.

use std::fs;

use teammate_git::TrustedPrograms;
use teammate_process::TeamSandbox;
use teammate_sandbox::{Level, Sandbox, SandboxRules};

use crate::{
    hostile_git::worktrees_of,
    repo::{Repo, named},
};

/// What a worktree has in a file whose filter runs this. The filter stands in `~/.gitconfig`, below `/tmp`.
async fn filtered_by(command: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".gitconfig").display().to_string();
    let repo = Repo::new();
    repo.git(&["config", "--file", &config, "filter.x.smudge", command]);
    repo.write(".gitattributes", "note filter=x\n");
    repo.write("note", "stored\n");
    repo.commit("note");
    let rules = SandboxRules {
        home: Some(home.path().canonicalize().unwrap()),
        ..SandboxRules::default()
    };
    let worktrees = worktrees_of(
        &repo,
        &home.path().display().to_string(),
        TeamSandbox::new(rules, []),
        TrustedPrograms::default(),
    );
    let alice = worktrees.create(&named("alice")).await.unwrap().worktree;
    fs::read_to_string(alice.path.join("note")).unwrap()
}

#[tokio::test]
async fn it_sees_nothing_that_others_keep_below_tmp() {
    let others = tempfile::NamedTempFile::new().unwrap();
    fs::write(others.path(), "theirs\n").unwrap();
    let command = format!("cat {} || echo unseen", others.path().display());
    let seen = filtered_by(&command).await;
    let has_walls = Sandbox::default().level().unwrap() == Level::Full;
    assert_eq!(seen, if has_walls { "unseen\n" } else { "theirs\n" });
}

/// Git LFS then takes what is in the repository's own store, and fetches nothing.
#[tokio::test]
async fn it_is_told_to_fetch_nothing() {
    let seen = filtered_by("echo \"skip: $GIT_LFS_SKIP_SMUDGE\"").await;
    assert_eq!(seen, "skip: 1\n");
}
