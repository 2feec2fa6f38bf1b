//! Members' own git: it does what they want, takes nothing for a repository that merely looks like one, and no rule covers it
//! where a repository brings programs.

use std::{fs, path::Path};

use serde_json::json;
use teammate_core::{
    permission::{Mode, Rule, RuleOrigin, RuleVerdict, Rules, rule_for_exactly},
    port::{Action, Target},
    tool::EffectClass,
};
use teammate_git::{Programs, TrustedPrograms};
use teammate_process::TeamSandbox;
use teammate_tools::ToolCatalogue;

use crate::{repo::git, support::Bench};

fn repository(root: &Path) {
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["config", "user.name", "Somebody"]);
    git(root, &["config", "user.email", "somebody@example.org"]);
}

fn action(bench: &Bench, command: &str) -> Action {
    bench.action("bash", json!({ "command": command })).unwrap()
}

/// What `rule` makes of it in mode `accept-edits`.
fn verdict(rule: &str, action: &Action) -> RuleVerdict {
    let rules = Rules {
        allow: vec![Rule::parse(rule, RuleOrigin::User).unwrap()],
        ..Rules::default()
    };
    rules.decide(
        Mode::AcceptEdits,
        "bash",
        EffectClass::Executes,
        &action.target,
    )
}

fn untrusted(action: &Action) -> &[String] {
    match &action.target {
        Target::Command(command) => &command.untrusted,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn clone_commit_and_push_work_with_hooks_filters_and_the_user_s_configuration() {
    let bench = Bench::new();
    // The workspace is the user's home here.
    bench.file(".gitconfig", "[user]\nname = A\nemail = a@b\n[alias]\nci = commit -q\n[filter \"up\"]\nclean = tr a-z A-Z\n");
    bench
        .ok(
            "bash",
            json!({ "command": "git init -q --bare -b main ../origin.git" }),
        )
        .await;
    let work = "git clone -q ../origin.git mine 2>/dev/null && cd mine && git switch -q -c main && \
        echo '*.up filter=up' > .gitattributes && echo text > a.up && \
        printf '#!/bin/sh\\ntouch ../hook-ran\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push && \
        git add -A && git ci -m first && git push -q origin main && \
        git --git-dir=../../origin.git cat-file -p main:a.up && git -C ../../origin.git --bare log --format=%s";
    let told = bench.ok("bash", json!({ "command": work })).await;
    assert!(told.starts_with("TEXT\nfirst\n"), "{told}");
    assert!(bench.root.join("hook-ran").exists());
}

#[tokio::test]
async fn what_looks_like_a_repository_is_none_for_members() {
    let bench = Bench::new();
    fs::create_dir_all(bench.root.join("sub/objects")).unwrap();
    fs::create_dir_all(bench.root.join("sub/refs/heads")).unwrap();
    let trap = format!("touch {}", bench.root.join("ran").display());
    bench.file("sub/HEAD", "ref: refs/heads/main\n");
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = {trap}\n\tpager = {trap}\n"
    );
    bench.file("sub/config", config);
    let told = bench
        .error("bash", json!({ "command": "cd sub && git status" }))
        .await;
    assert!(told.contains("safe.bareRepository"), "{told}");
    // A program that watches files is not started, also in a real one.
    repository(&bench.root);
    git(&bench.root, &["config", "core.fsmonitor", &trap]);
    bench
        .ok("bash", json!({ "command": "git status --short" }))
        .await;
    assert!(!bench.root.join("ran").exists());
}

#[test]
fn no_rule_covers_git_where_the_repository_brings_programs() {
    for (key, value) in [
        ("core.editor", "vim"),
        ("gpg.program", "x"),
        ("core.pager", "x"),
        ("core.fsmonitor", "x"),
        ("core.hookspath", ".husky"),
        ("filter.x.clean", "x"),
        ("alias.st", "status"),
        ("merge.x.driver", "x"),
        ("includeif.gitdir:/a/.path", "x"),
    ] {
        let bench = Bench::new();
        repository(&bench.root);
        assert_eq!(
            verdict("bash(git:*)", &action(&bench, "git status")),
            RuleVerdict::Allow
        );
        git(&bench.root, &["config", key, value]);
        for command in [
            "git status",
            "git branch --list",
            "git tag -l",
            "git add . && git log",
        ] {
            let action = action(&bench, command);
            for rule in ["bash(git:*)", "bash(*)", "bash", "*"] {
                assert_eq!(
                    verdict(rule, &action),
                    RuleVerdict::Ask,
                    "{key} {command} {rule}"
                );
            }
            assert_eq!(untrusted(&action), [key]);
            assert!(
                action.shows.starts_with(command) && action.shows.contains(key),
                "{}",
                action.shows
            );
            assert_eq!(rule_for_exactly("bash", &action), None);
        }
        assert_eq!(
            verdict("bash(ls:*)", &action(&bench, "ls")),
            RuleVerdict::Allow
        );
    }
}

#[test]
fn the_repository_that_git_is_told_of_is_looked_at() {
    let bench = Bench::new();
    for dir in ["plain", "hostile"] {
        fs::create_dir(bench.root.join(dir)).unwrap();
        repository(&bench.root.join(dir));
    }
    git(&bench.root.join("hostile"), &["config", "core.pager", "x"]);
    bench.file("hostile/.git/hooks/pre-commit", "#!/bin/sh\n");
    let hook = bench.root.join("hostile/.git/hooks/pre-commit");
    fs::set_permissions(hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for command in [
        "git -C hostile status",
        "git --git-dir=hostile/.git log",
        "git --git-dir hostile/.git --work-tree . diff",
        "cd hostile && git status",
        "git -C plain status && git -C hostile status",
    ] {
        let found = action(&bench, command);
        assert_eq!(
            untrusted(&found),
            ["core.pager", "hooks/pre-commit"],
            "{command}"
        );
    }
    assert_eq!(untrusted(&action(&bench, "git -C plain status")), [""; 0]);
}

#[test]
fn a_submodule_is_a_part_of_the_repository() {
    let bench = Bench::new();
    let (theirs, root) = (bench.root.join("../theirs"), &bench.root);
    fs::create_dir(&theirs).unwrap();
    for dir in [&theirs, root] {
        repository(dir);
    }
    let (from, file) = (theirs.display().to_string(), "protocol.file.allow=always");
    git(&theirs, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(
        root,
        &["-c", file, "submodule", "--quiet", "add", &from, "a/sub"],
    );
    assert_eq!(untrusted(&action(&bench, "git status")), [""; 0]);
    git(&root.join("a/sub"), &["config", "filter.x.clean", "x"]);
    assert_eq!(
        untrusted(&action(&bench, "git status")),
        ["a/sub/: filter.x.clean"]
    );
    assert_eq!(
        untrusted(&action(&bench, "git -C a/sub status")),
        ["filter.x.clean"]
    );
}

#[test]
fn what_the_user_said_yes_to_is_covered_until_it_changes() {
    let mut bench = Bench::new();
    repository(&bench.root);
    git(&bench.root, &["config", "core.pager", "less -R"]);
    let environment = bench.context.environment.to_vec();
    let programs = Programs::read(&bench.root, &environment)
        .unwrap()
        .into_set();
    let trusted = TrustedPrograms::asking(move || programs.clone());
    bench.catalogue = ToolCatalogue::trusting(TeamSandbox::default(), trusted);
    let status = || verdict("bash(git status:*)", &action(&bench, "git status"));
    assert_eq!(status(), RuleVerdict::Allow);
    git(&bench.root, &["config", "core.pager", "touch ran"]);
    assert_eq!(status(), RuleVerdict::Ask);
}
