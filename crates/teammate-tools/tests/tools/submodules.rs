//! Git updates submodules in a member's command as outside, and what their repositories have git run stays the user's.

use std::{fs, path::Path, sync::Arc};

use serde_json::json;
use teammate_core::port::{Workspace, WorktreeOrigin};
use teammate_sandbox::SandboxRules;
use teammate_tools::ToolCatalogue;

use crate::{
    repo::{Repo, commit, git, named},
    support::{Bench, sandbox_in},
};

/// A local repository is fetched from, as the user allows it.
const LOCAL: [&str; 2] = ["-c", "protocol.file.allow=always"];

/// A repository whose branch `sub` has the submodule `lib`, `newer` a newer commit of it, `moved` the same at another place; `main`
/// has none.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let root = bench.root.clone();
    let lib = root.join("../lib");
    fs::create_dir(&lib).unwrap();
    begin(&lib);
    fs::write(lib.join("a"), "1\n").unwrap();
    commit(&lib, "one");
    begin(&root);
    bench.file(".gitignore", ".team\n.gitconfig\n");
    bench.file("a.txt", "a\n");
    commit(&root, "first");
    git(&root, &["clone", "-q", "--bare", "../lib", ".git/lib.git"]);
    let from = root.join(".git/lib.git").display().to_string();
    git(&root, &["switch", "-q", "-c", "sub"]);
    let add = ["submodule", "--quiet", "add", &from, "lib"];
    git(&root, &[&LOCAL[..], &add].concat());
    commit(&root, "with lib");
    fs::write(lib.join("a"), "2\n").unwrap();
    commit(&lib, "two");
    git(&lib, &["push", "-q", &from, "main"]);
    git(&root, &["switch", "-q", "-c", "newer"]);
    git(&root.join("lib"), &["pull", "-q", "origin", "main"]);
    commit(&root, "newer lib");
    git(&root, &["switch", "-q", "-c", "moved"]);
    fs::create_dir(root.join("vendor")).unwrap();
    git(&root, &["mv", "lib", "vendor/lib"]);
    commit(&root, "moved lib");
    git(&root, &["switch", "-q", "sub"]);
    fs::remove_dir_all(root.join("vendor")).unwrap();
    git(&root, &["submodule", "--quiet", "update"]);
    open(&mut bench);
    bench
}

fn begin(dir: &Path) {
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["config", "user.name", "Somebody"]);
    git(dir, &["config", "user.email", "somebody@example.org"]);
}

/// The team is begun with all that is there.
fn open(bench: &mut Bench) {
    let mut sandbox = sandbox_in(&bench.root, SandboxRules::default());
    sandbox
        .try_out(&bench.root, &bench.root.join(".team"))
        .unwrap();
    bench.catalogue = ToolCatalogue::with_sandbox(sandbox);
}

/// Runs each of these without a question.
async fn passes(bench: &Bench, commands: &[&str]) {
    for command in commands {
        let said = bench
            .run("bash", json!({ "command": command }))
            .await
            .text();
        assert!(
            said.contains("exit status 0") && !said.contains("Held back"),
            "{command}: {said}"
        );
    }
    assert_eq!(bench.team.asked(), "");
}

const UPDATE: &str = "git -c protocol.file.allow=always submodule --quiet update";

#[tokio::test]
async fn submodules_are_updated_over_branches_that_add_change_move_and_remove_them() {
    let bench = bench();
    let update = |branch, then| format!("git checkout -q {branch} && {UPDATE} && {then}");
    for command in [
        update("newer", "grep -qx 2 lib/a"),
        update("sub", "grep -qx 1 lib/a"),
        update("moved", "grep -qx 2 vendor/lib/a"),
        update("main", "rm -r lib vendor && test ! -e .gitmodules"),
        update("newer", "grep -qx 2 lib/a"),
        format!("git checkout -q sub && {UPDATE} --remote && grep -qx 2 lib/a"),
        "git checkout -q --recurse-submodules -f sub && grep -qx 1 lib/a".to_owned(),
        "git checkout -q --recurse-submodules main && test ! -e lib".to_owned(),
        "git checkout -q --recurse-submodules newer && grep -qx 2 lib/a".to_owned(),
    ] {
        passes(&bench, &[&command]).await;
    }
    let kept = bench.read(".git/modules/lib/config");
    // What names submodules is the user's to allow, as any such file: until then git may find what was there before.
    let command = "git mv lib other && git commit -qm other && grep -qx 2 other/a";
    let said = bench.ok("bash", json!({ "command": command })).await;
    assert!(said.contains("Held back: .gitmodules. "), "{said}");
    assert!(bench.read(".gitmodules").contains("path = lib"));
    let moved = kept.replace("worktree = ../../../lib", "worktree = ../../../other");
    assert_eq!(bench.read(".git/modules/lib/config"), moved);
}

#[tokio::test]
async fn a_submodule_that_the_user_registered_is_cloned_also_in_a_worktree() {
    let mut bench = bench();
    fs::remove_dir_all(bench.root.join(".git/modules")).unwrap();
    fs::remove_dir_all(bench.root.join("lib")).unwrap();
    fs::create_dir(bench.root.join("lib")).unwrap();
    open(&mut bench);
    let cloned = format!("{UPDATE} && grep -qx 1 lib/a");
    let again = format!(
        "git checkout -q newer && {UPDATE} && grep -qx 2 lib/a && git checkout -q sub && {UPDATE}"
    );
    passes(&bench, &[&cloned, &again]).await;

    let side = bench.root.join(".team/worktrees/side");
    let place = side.to_str().unwrap().to_owned();
    git(
        &bench.root,
        &["worktree", "add", "-q", &place, "-b", "side"],
    );
    bench.context.workspace = Arc::new(Workspace {
        root: side.clone(),
        ..(*bench.context.workspace).clone()
    });
    let again = format!("git merge -q newer && {UPDATE} && grep -qx 2 lib/a");
    passes(&bench, &[&cloned, &again]).await;
    let modules = bench.root.join(".git/worktrees/side/modules");
    let settings = modules.join("lib/config");
    let before = fs::read_to_string(&settings).unwrap();
    for (command, at) in [
        ("git -C lib config core.fsmonitor x", &settings),
        (
            "cp -r M/lib M/new && git config -f M/new/config core.fsmonitor x",
            &modules.join("new/config"),
        ),
        (
            "mkdir M/n && echo ref: refs/heads/x > M/n/HEAD && echo .. > M/n/commondir",
            &modules.join("n/commondir"),
        ),
    ] {
        let command = command.replace('M', modules.to_str().unwrap());
        let said = bench.ok("bash", json!({ "command": command })).await;
        let held = format!("Held back: {}", at.display());
        assert!(said.contains(&held), "{command}: {said}");
    }
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
    assert!(!modules.join("new/config").exists());
    let kept = bench.root.join(".git/modules/lib/config");
    let said = bench
        .run(
            "bash",
            json!({ "command": format!("echo x >> {}", kept.display()) }),
        )
        .await;
    assert!(said.text().contains("Read-only"), "{}", said.text());
}

#[tokio::test]
async fn no_program_comes_into_the_settings_of_a_submodule() {
    let bench = bench();
    let settings = bench.root.join(".git/modules/lib/config");
    let before = fs::read_to_string(&settings).unwrap();
    for command in [
        "git -C lib config core.fsmonitor x",
        "git -C lib config core.hooksPath /x",
        "git -C lib config core.sshCommand x",
        "git -C lib config filter.x.clean x",
        "git -C lib config alias.st '!x'",
        "git -C lib config diff.external x",
        "git -C lib config credential.helper x",
        "git -C lib config include.path x",
        "git -C lib config remote.origin.url ext::x",
        "git -C lib config remote.origin.url https://example.org/other",
        "git -C lib config extensions.worktreeConfig true",
        "git config -f .git/modules/lib/config core.worktree ../../../..",
        "git config -f .git/modules/lib/config core.worktree ../../../.vscode",
        "git config -f .git/modules/lib/config core.worktree ../..",
        "printf '[core]\\nfsmonitor = x\\n' >> .git/modules/lib/config",
        "cp .git/modules/lib/config c; printf '[core]\\nfsmonitor = x\\n' >> c; mv -f c .git/modules/lib/config",
        "cp .git/modules/lib/config c; rm .git/modules/lib/config; ln -s ../../../c .git/modules/lib/config",
        "git checkout -q newer && git submodule --quiet update && git -C lib config core.fsmonitor x && git checkout -q sub",
    ] {
        let said = bench.ok("bash", json!({ "command": command })).await;
        assert!(
            said.contains("Held back: .git/modules/lib/config"),
            "{command}: {said}"
        );
        assert_eq!(fs::read_to_string(&settings).unwrap(), before, "{command}");
        assert!(
            fs::symlink_metadata(&settings).unwrap().is_file(),
            "{command}"
        );
    }
    for (command, at) in [
        ("echo 'gitdir: ../evil' > lib/.git", "lib/.git"),
        ("rm lib/.git && git init -q lib", "lib/.git/config"),
        (
            "cp -r .git/modules/lib .git/modules/e && git config -f .git/modules/e/config core.fsmonitor x",
            ".git/modules/e/config",
        ),
        (
            "mkdir -p .git/modules/lib/modules/f/hooks && cd .git/modules/lib/modules/f && echo ref: refs/heads/x > HEAD && echo x > hooks/pre-commit",
            ".git/modules/lib/modules/f/hooks/pre-commit",
        ),
        (
            "echo .. > .git/modules/lib/commondir",
            ".git/modules/lib/commondir",
        ),
    ] {
        let said = bench.ok("bash", json!({ "command": command })).await;
        assert!(
            said.contains("Held back") && said.contains(at),
            "{command}: {said}"
        );
    }
    assert_eq!(bench.read("lib/.git"), "gitdir: ../.git/modules/lib\n");
    let said = bench
        .run(
            "bash",
            json!({ "command": "echo x > .git/modules/lib/hooks/post-checkout" }),
        )
        .await;
    assert!(said.text().contains("the user sets"), "{}", said.text());
    passes_again(&bench).await;
}

/// After all that was undone, git works.
async fn passes_again(bench: &Bench) {
    let command = format!("git checkout -q newer && {UPDATE} && grep -qx 2 lib/a");
    let said = bench.ok("bash", json!({ "command": command })).await;
    assert!(!said.contains("Held back"), "{said}");
}

#[tokio::test]
async fn a_submodule_that_nobody_registered_names_the_way() {
    let mut bench = bench();
    git(
        &bench.root,
        &["submodule", "--quiet", "deinit", "-f", "lib"],
    );
    open(&mut bench);
    let command = "git submodule update --init";
    let said = bench.run("bash", json!({ "command": command })).await;
    assert!(
        said.text().contains("git submodule init"),
        "{}",
        said.text()
    );
    git(&bench.root, &["submodule", "--quiet", "init"]);
    passes(
        &bench,
        &["git submodule --quiet update --init && grep -qx 1 lib/a"],
    )
    .await;
}

#[tokio::test]
async fn a_new_worktree_says_which_submodules_are_empty() {
    let repo = Repo::new();
    repo.write(
        ".gitmodules",
        "[submodule \"lib\"]\n\tpath = lib\n\turl = ../lib\n",
    );
    let head = git(&repo.root, &["rev-parse", "HEAD"]);
    let link = format!("160000,{head},lib");
    git(&repo.root, &["update-index", "--add", "--cacheinfo", &link]);
    git(&repo.root, &["add", ".gitmodules"]);
    git(&repo.root, &["commit", "-q", "-m", "with lib"]);
    let prepared = repo.worktrees.create(&named("alice")).await.unwrap();
    let WorktreeOrigin::Created { furnished, .. } = prepared.origin else {
        panic!("{:?}", prepared.origin)
    };
    assert_eq!(
        furnished.missing,
        [
            "The submodule lib is empty; `git submodule update --init` there fills what the user has set up."
        ]
    );
}
