//! Commands do not decide what the user's git runs later: not in the workspace's repository, nor in those around it.
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::{fs, path::Path};

use serde_json::json;
use teammate_sandbox::{Level, SandboxRules};
use teammate_tools::ToolCatalogue;

use crate::{
    repo::git,
    support::{Bench, sandbox_in},
};

/// A workspace with a repository of its own, one below it, and a worktree of the user's. `None` where nothing holds them.
fn bench() -> Option<Bench> {
    let mut bench = Bench::new();
    let root = bench.root.clone();
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["config", "extensions.worktreeConfig", "true"]);
    commit(&root);
    git(&root, &["worktree", "add", "-q", "../theirs"]);
    git(&root, &["init", "-q", "vendor/lib"]);
    let mut sandbox = sandbox_in(&root, SandboxRules::default());
    let strength = sandbox.try_out(&root, root.parent()?).unwrap();
    if strength.level < Level::Full {
        println!("skipped: {strength}");
        return None;
    }
    bench.catalogue = ToolCatalogue::with_sandbox(sandbox);
    Some(bench)
}

fn commit(dir: &Path) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
    let what = ["commit", "-q", "--allow-empty", "-m", "begin"];
    git(dir, &[&who[..], &what].concat());
}

/// A repository in `g`, beside the workspace's own, that has git run a program.
fn prepare_another(root: &Path) {
    git(root, &["init", "-q", "other"]);
    fs::rename(root.join("other/.git"), root.join("g")).unwrap();
    let program = format!("touch {}", root.join("RAN").display());
    git(root, &["--git-dir=g", "config", "core.fsmonitor", &program]);
}

#[tokio::test]
async fn commands_cannot_have_the_user_s_git_run_programs() {
    let Some(bench) = bench() else { return };
    prepare_another(&bench.root);
    let program = format!(
        "printf '[core]\nfsmonitor = touch {}\n'",
        bench.root.join("RAN").display()
    );
    let attempts = [
        "echo ../g > .git/commondir".to_owned(),
        "echo ../g > c && mv -f c .git/commondir".to_owned(),
        "rm -f .git/commondir; ln -s ../c .git/commondir".to_owned(),
        format!("{program} > .git/config.worktree"),
        "echo ../../../g > .git/worktrees/theirs/commondir".to_owned(),
        format!("{program} > .git/worktrees/theirs/config.worktree"),
        format!("{program} >> vendor/lib/.git/config"),
        "echo ../../../g > vendor/lib/.git/commondir".to_owned(),
        "mv vendor away && mkdir -p vendor/lib && cp -r g vendor/lib/.git".to_owned(),
    ];
    for command in attempts {
        let outcome = bench.run("bash", json!({ "command": command })).await;
        let said = outcome.text();
        assert!(
            outcome.is_error || said.contains("Held back"),
            "{command}: {said}"
        );
        assert!(!said.contains("did not run"), "{command}: {said}");
        for dir in ["", "vendor/lib", "../theirs"] {
            git(&bench.root.join(dir), &["status", "-s"]);
        }
        assert!(!bench.root.join("RAN").exists(), "{command}");
    }
}

#[tokio::test]
async fn git_works_as_ever_where_commands_may_not_redirect_it() {
    let Some(bench) = bench() else { return };
    let work = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m more && git branch b && git gc -q \
        && git -C vendor/lib -c user.name=a -c user.email=a@b commit -q --allow-empty -m lib";
    bench.ok("bash", json!({ "command": work })).await;
    // The user's own git, at the same time.
    let log = git(&bench.root, &["log", "--oneline"]);
    assert_eq!(log.lines().count(), 2);
    assert!(git(&bench.root, &["worktree", "list"]).contains("theirs"));
    git(&bench.root, &["worktree", "add", "-q", "../more"]);
}

#[tokio::test]
async fn nothing_stands_at_absent_names_while_commands_run() {
    let Some(bench) = bench() else { return };
    let list = "ls -A . .git .git/worktrees/theirs vendor/lib/.git";
    let said = bench.ok("bash", json!({ "command": list })).await;
    assert!(
        !said.contains("commondir\nconfig\n") && !said.contains(".envrc"),
        "{said}"
    );
    for name in [
        ".git/commondir",
        ".git/config.worktree",
        "vendor/lib/.git/commondir",
        ".vscode",
    ] {
        assert!(!bench.root.join(name).exists(), "{name}");
    }
}
