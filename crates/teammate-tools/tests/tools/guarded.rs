//! Names that decide what programs do later: git does there what it does outside, and what a member writes is the user's to allow.

use std::{
    collections::BTreeSet, fs, os::unix::fs::symlink, path::Path, sync::Arc, time::Duration,
};

use serde_json::json;
use teammate_core::{
    MemberName,
    port::{GuardedFile, OpenQuestions as _, UserAnswer, Workspace, WorktreeError},
};
use teammate_sandbox::SandboxRules;
use teammate_tools::{HeldBack, HeldState, ToolCatalogue};

use crate::{
    repo::{Repo, commit, git, named},
    support::{Bench, sandbox_in},
};

/// A repository with a remote. The branch `feat` adds guarded files, `more` changes, removes and renames some.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let root = bench.root.clone();
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["config", "user.name", "Somebody"]);
    git(&root, &["config", "user.email", "somebody@example.org"]);
    bench.file(".gitignore", ".team\n.gitconfig\norigin.git\n");
    bench.file("a.txt", "a\n");
    commit(&root, "first");
    git(&root, &["switch", "-q", "-c", "feat"]);
    for name in [
        ".vscode/settings.json",
        ".gitlab-ci.yml",
        ".envrc",
        ".pre-commit-config.yaml",
        ".github/workflows/ci.yml",
    ] {
        bench.file(name, format!("{name} of feat\n"));
    }
    commit(&root, "feat");
    git(&root, &["switch", "-q", "-c", "more"]);
    bench.file(".gitlab-ci.yml", "changed\n");
    git(&root, &["rm", "-q", ".envrc"]);
    git(&root, &["mv", ".pre-commit-config.yaml", "lefthook.yml"]);
    commit(&root, "more");
    git(&root, &["switch", "-q", "main"]);
    git(&root, &["clone", "-q", "--bare", ".", "origin.git"]);
    git(&root, &["remote", "add", "origin", "origin.git"]);
    git(&root, &["fetch", "-q", "origin"]);
    git(&root, &["branch", "-q", "-u", "origin/feat", "main"]);
    let mut sandbox = sandbox_in(&root, SandboxRules::default());
    sandbox.try_out(&root, &root.join(".team")).unwrap();
    bench.catalogue = ToolCatalogue::with_sandbox(sandbox);
    bench
}

impl Bench {
    /// As another process of the user's finds it.
    fn held(&self) -> HeldBack {
        let sandbox = sandbox_in(&self.root, SandboxRules::default());
        HeldBack::new(sandbox, (&self.root, &self.root.join(".team")))
    }
}

fn names(bench: &Bench) -> BTreeSet<String> {
    let names = fs::read_dir(&bench.root).unwrap();
    names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[tokio::test]
async fn git_works_over_branches_that_add_change_remove_and_rename_guarded_names() {
    let bench = bench();
    let same = "test -z \"$(git status --porcelain)\"";
    for command in [
        "git checkout -q feat && test -f .vscode/settings.json && git checkout -q more && git checkout -q main && test ! -e .vscode",
        "git switch -q more && test ! -e .envrc && test -f lefthook.yml && git switch -q feat && test -f .envrc && git switch -q main",
        "git switch -qc m1 && git merge -q feat && test -f .envrc && git merge -q more && test ! -e .envrc && git switch -q main",
        "git switch -qc m2 && echo b > b && git add b && git commit -qm b && git rebase -q more && test -f lefthook.yml && git switch -q main",
        "git switch -qc m3 && git cherry-pick feat more > /dev/null && test -f lefthook.yml && git switch -q main",
        "git switch -qc m4 && git pull -q origin feat && test -f .envrc && git switch -q main",
        "git switch -q feat && echo x >> a.txt && echo y > new && git stash -uq && git stash pop -q && git checkout -q a.txt && rm new && git switch -q main",
        "git switch -q more && git clean -fdxq -e .team -e .gitconfig -e origin.git && git switch -q main",
        "git worktree add -q side feat && test -f side/.envrc && git -C side switch -q more && git worktree remove side",
    ] {
        let said = bench
            .ok("bash", json!({ "command": format!("{command} && {same}") }))
            .await;
        assert!(
            !said.contains("warning") && !said.contains("Held back"),
            "{command}: {said}"
        );
    }
    let clean = [".git", ".gitignore", ".team", "a.txt", "origin.git"].map(str::to_owned);
    assert_eq!(names(&bench), BTreeSet::from(clean));
    assert_eq!(bench.team.asked(), "");
}

#[tokio::test]
async fn in_a_worktree_git_brings_what_commits_had_and_no_more() {
    let mut bench = bench();
    let side = bench.root.join(".team/worktrees/side");
    git(
        &bench.root,
        &[
            "worktree",
            "add",
            "-q",
            side.to_str().unwrap(),
            "-b",
            "side",
        ],
    );
    bench.context.workspace = Arc::new(Workspace {
        root: side.clone(),
        ..(*bench.context.workspace).clone()
    });
    let same = "test -z \"$(git status --porcelain)\"";
    for command in [
        "git switch -q feat && test -f .vscode/settings.json && git switch -q more && test -f lefthook.yml && git switch -q side",
        "git merge -q feat && test -f .envrc && git reset -q --hard main && test ! -e .envrc",
        "echo b > b && git add b && git commit -qm b && git rebase -q more && test -f lefthook.yml && git reset -q --hard main",
        "git cherry-pick feat more > /dev/null && test -f lefthook.yml && git reset -q --hard main",
        "git merge -q origin/feat && test -f .envrc && git reset -q --hard main",
        "git checkout -q feat && echo y > new && git stash -uq && git stash pop -q && rm new && git switch -q side",
        "git switch -q more && git clean -fdxq && git switch -q side",
    ] {
        let said = bench
            .ok("bash", json!({ "command": format!("{command} && {same}") }))
            .await;
        assert!(
            !said.contains("warning") && !said.contains("Held back"),
            "{command}: {said}"
        );
    }
    assert_eq!(bench.team.asked(), "");
    let said = bench
        .ok("bash", json!({ "command": "echo mine > .envrc" }))
        .await;
    assert!(said.contains("Held back: .envrc"), "{said}");
    assert!(!side.join(".envrc").exists());
}

#[tokio::test]
async fn a_commit_of_a_member_s_own_brings_nothing_in() {
    let bench = bench();
    let command = "echo evil > e && b=$(git hash-object -w e) && rm e && git update-index --add --cacheinfo 100644,$b,.envrc && \
         git commit -qm x && git checkout -q -- .envrc && cat .envrc";
    let said = bench.ok("bash", json!({ "command": command })).await;
    assert!(
        said.contains("evil") && said.contains("Held back: .envrc"),
        "{said}"
    );
    assert!(!bench.root.join(".envrc").exists());
    bench
        .ok("bash", json!({ "command": "git checkout -qf feat" }))
        .await;
    let said = bench
        .ok("bash", json!({ "command": "printf evil > .envrc" }))
        .await;
    assert!(said.contains("Held back: .envrc"), "{said}");
    assert_eq!(bench.read(".envrc"), ".envrc of feat\n");
    assert!(
        bench.team.asked().contains("+evil"),
        "{}",
        bench.team.asked()
    );
}

/// The notice that the member gets of the user's answer, once it has been carried out.
async fn told(bench: &Bench, count: usize) -> String {
    let mut told = bench.team.told.subscribe();
    let told = told.wait_for(|told| told.len() >= count).await.unwrap();
    told[count - 1].clone()
}

#[tokio::test]
async fn a_yes_puts_it_in_place() {
    let bench = bench();
    *bench.team.answer.lock().unwrap() = Some(UserAnswer::Yes("thanks".to_owned()));
    bench
        .ok("bash", json!({ "command": "echo mine > .envrc" }))
        .await;
    assert_eq!(
        told(&bench, 1).await,
        "The user said yes to .envrc: it stands there now. They add: thanks"
    );
    assert_eq!(bench.read(".envrc"), "mine\n");
    assert!(bench.held().list().is_empty());
    let said = bench
        .ok(
            "bash",
            json!({ "command": "cat .envrc; echo mine > x; mv x .envrc; rm .envrc; echo mine > .envrc" }),
        )
        .await;
    assert!(
        said.starts_with("mine\n") && !said.contains("Held back"),
        "{said}"
    );
}

#[tokio::test]
async fn a_no_leaves_it_held_and_the_member_reads_why() {
    let bench = bench();
    *bench.team.answer.lock().unwrap() = Some(UserAnswer::No("not now".to_owned()));
    bench
        .ok(
            "bash",
            json!({ "command": "mkdir .vscode && echo mine > .vscode/tasks.json" }),
        )
        .await;
    let said = told(&bench, 1).await;
    assert!(
        said.contains("no to .vscode/tasks.json (not now)"),
        "{said}"
    );
    assert!(!bench.root.join(".vscode").exists());
    let [held] = &bench.held().list()[..] else {
        panic!("nothing is held")
    };
    assert_eq!(held.state(), HeldState::Refused);
    assert_eq!(held.writer(), Some(&MemberName::lead()));
    assert_eq!(fs::read_to_string(held.held_at()).unwrap(), "mine\n");
    assert!(
        bench.held().left_open().await.is_empty(),
        "it is not asked again"
    );
}

#[tokio::test]
async fn what_nobody_has_answered_is_asked_again_at_the_next_opening() {
    let bench = bench();
    bench
        .ok(
            "bash",
            json!({ "command": "echo a > .envrc; echo b > .mcp.json" }),
        )
        .await;
    let asked = bench.team.asked();
    // Its deadline passes.
    while bench.held().left_open().await[0].caller.call == bench.context.caller.call {
        tokio::task::yield_now().await;
    }
    let [open] = &mut bench.held().left_open().await[..] else {
        panic!("one question")
    };
    assert_eq!(open.question.ask.text, asked, "the same question");
    assert_eq!(open.caller.call.as_str(), "turn-1/call:1/1", "a new one");

    let open = bench.held().left_open().await.remove(0);
    (open.question.settle)(UserAnswer::Yes(String::new())).await;
    assert_eq!(bench.read(".envrc"), "a\n");
    assert_eq!(bench.read(".mcp.json"), "b\n");
    assert!(bench.held().left_open().await.is_empty());
}

#[tokio::test]
async fn what_file_tools_write_stays_while_commands_run_and_in_a_worktree() {
    let mut bench = bench();
    bench.file(".mcp.json", "{}\n");
    bench.ok("read_file", json!({ "path": ".mcp.json" })).await;
    let command = json!({ "command": "until test -e done; do sleep 0.01; done" });
    let running = bench.ok("bash", command);
    let writing = async {
        // Not before it runs.
        let marks = bench.root.join(".team/held/records");
        while !fs::read_dir(&marks).is_ok_and(|marks| {
            let mut marks = marks.flatten().map(|mark| mark.path());
            marks.any(|mark| mark.extension().is_some_and(|it| it == "running"))
        }) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let write = json!({ "path": ".envrc", "content": "yes\n" });
        bench.ok("write_file", write).await;
        let edit = json!({ "path": ".mcp.json", "old_text": "{}", "new_text": "[]" });
        bench.ok("edit_file", edit).await;
        bench.file("done", "");
    };
    let (said, ()) = tokio::join!(running, writing);
    assert!(!said.contains("Held back"), "{said}");
    assert_eq!(bench.read(".envrc"), "yes\n");
    assert_eq!(bench.read(".mcp.json"), "[]\n");

    // The first command in a worktree looks at what is there.
    let side = bench.root.join(".team/worktrees/side");
    git(
        &bench.root,
        &[
            "worktree",
            "add",
            "-q",
            side.to_str().unwrap(),
            "-b",
            "side",
        ],
    );
    bench.context.workspace = Arc::new(Workspace {
        root: side.clone(),
        ..(*bench.context.workspace).clone()
    });
    let write = json!({ "path": ".gitlab-ci.yml", "content": "theirs\n" });
    bench.ok("write_file", write).await;
    let said = bench.ok("bash", json!({ "command": "true" })).await;
    assert!(!said.contains("Held back"), "{said}");
    let written = fs::read_to_string(side.join(".gitlab-ci.yml")).unwrap();
    assert_eq!(written, "theirs\n");
}

#[tokio::test]
async fn git_puts_files_in_the_place_of_empty_directories() {
    let bench = bench();
    let said = bench
        .ok(
            "bash",
            json!({ "command": "mkdir -p .envrc .gitlab-ci.yml .vscode/x .github/workflows" }),
        )
        .await;
    assert!(!said.contains("Held back"), "{said}");
    // A command's own directories stay, as others do.
    assert!(bench.root.join(".envrc").is_dir());
    let looked = "test -z \"$(git status --porcelain)\" && git checkout -q feat && cat .envrc .gitlab-ci.yml";
    let said = bench.ok("bash", json!({ "command": looked })).await;
    assert!(said.starts_with(".envrc of feat\n"), "{said}");
    git(&bench.root, &["checkout", "-q", "main"]);
    fs::create_dir_all(bench.root.join(".envrc")).unwrap();
    git(&bench.root, &["checkout", "-q", "feat"]);
    assert_eq!(bench.read(".envrc"), ".envrc of feat\n");
}

#[tokio::test]
async fn a_repository_that_leads_to_itself_is_looked_at_once() {
    type Made = fn(&Path);
    let repositories: [(&str, Made); 6] = [
        ("a file that names itself", |root| {
            fs::write(root.join(".git"), "gitdir: .git\n").unwrap();
        }),
        ("a link to itself", |root| {
            symlink(".git", root.join(".git")).unwrap();
        }),
        ("two files that name each other", |root| {
            fs::create_dir(root.join("sub")).unwrap();
            fs::write(root.join(".git"), "gitdir: sub/.git\n").unwrap();
            fs::write(root.join("sub/.git"), "gitdir: ../.git\n").unwrap();
        }),
        ("a common directory that is itself", |root| {
            fs::create_dir_all(root.join(".git/worktrees/x")).unwrap();
            fs::write(root.join(".git/commondir"), "../.git\n").unwrap();
            fs::write(root.join(".git/worktrees/x/commondir"), ".\n").unwrap();
            fs::write(root.join(".git/worktrees/x/gitdir"), "gitdir\n").unwrap();
        }),
        ("objects of its own", |root| {
            fs::create_dir_all(root.join(".git/objects/info")).unwrap();
            fs::write(root.join(".git/objects/info/alternates"), "../objects\n").unwrap();
        }),
        ("submodules in submodules", |root| {
            let mut dir = root.join(".git");
            for _ in 0..100 {
                dir = dir.join("modules/a");
                fs::create_dir_all(&dir).unwrap();
                fs::write(dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            }
            symlink("../..", dir.join("modules")).unwrap();
            for number in 0..1_100 {
                fs::create_dir(root.join(format!(".git/modules/{number}"))).unwrap();
            }
        }),
    ];
    for (which, make) in repositories {
        let mut bench = Bench::new();
        make(&bench.root);
        let mut sandbox = sandbox_in(&bench.root, SandboxRules::default());
        sandbox
            .try_out(&bench.root, &bench.root.join(".team"))
            .unwrap();
        bench.catalogue = ToolCatalogue::with_sandbox(sandbox);
        let command = "git status; echo x > .envrc; echo done";
        let said = bench.run("bash", json!({ "command": command })).await;
        let text = said.text();
        assert!(
            text.contains("done") && text.contains("Held back: .envrc"),
            "{which}: {text}"
        );
    }
}

#[tokio::test]
async fn git_s_settings_name_the_way_where_they_are_read_only() {
    let bench = bench();
    let before = bench.read(".git/config");
    for command in [
        "git remote add other https://example.org/x",
        "git remote set-url origin https://example.org/x",
        "git config user.name Other",
        "git config --unset user.name",
        "git branch -u origin/main main",
        "git branch --unset-upstream main",
        "git push -q -u origin main:other",
        "git config core.hooksPath /tmp",
    ] {
        let said = bench.run("bash", json!({ "command": command })).await;
        let text = said.text();
        assert!(text.contains("the user sets"), "{command}: {text}");
    }
    assert_eq!(bench.read(".git/config"), before);
    // What needs none of it works.
    bench
        .ok(
            "bash",
            json!({ "command": "git push -q origin main:another && git -c user.name=Other commit -q --allow-empty -m x" }),
        )
        .await;
}

#[tokio::test]
async fn a_merge_carries_guarded_files_after_a_yes_to_their_content() {
    let repo = Repo::new();
    let alice = repo.make("alice").await;
    fs::write(alice.path.join(".gitlab-ci.yml"), "alice's\n").unwrap();
    fs::write(alice.path.join("g.txt"), "g\n").unwrap();
    commit(&alice.path, "hers");
    let refused = repo.worktrees.merge(&named("alice")).await.unwrap_err();
    let WorktreeError::Guarded { files, .. } = &refused else {
        panic!("{refused}")
    };
    let told = refused.to_string();
    assert!(told.contains(&format!("--carry '{}'", files[0])), "{told}");
    assert!(!repo.root.join("g.txt").exists());
    let changes = repo.worktrees.guarded(&named("alice")).await.unwrap();
    assert!(changes[0].diff.contains("+alice's"), "{changes:?}");

    let yes = GuardedFile::parse(&files[0].to_string()).unwrap();
    fs::write(alice.path.join(".gitlab-ci.yml"), "another\n").unwrap();
    commit(&alice.path, "later");
    let refused = repo
        .worktrees
        .merge_with(&named("alice"), vec![yes])
        .await
        .unwrap_err();
    let WorktreeError::Guarded { files, .. } = refused else {
        panic!("{refused}")
    };
    repo.worktrees
        .merge_with(&named("alice"), files)
        .await
        .unwrap();
    let merged = fs::read_to_string(repo.root.join(".gitlab-ci.yml")).unwrap();
    assert_eq!(merged, "another\n");
}
