//! What git does not have comes into new worktrees as the settings and the repository's own file say it.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use teammate_core::{
    permission::{Rule, RuleOrigin},
    port::{Furnished, WorktreeOrigin, WorktreeSetup, Worktrees},
};
use teammate_git::{GitWorktrees, TrustedPrograms};

use crate::repo::{Repo, git, named, own_worktrees};

/// What a new worktree got.
pub(crate) async fn furnished(worktrees: &dyn Worktrees, name: &str) -> (PathBuf, Furnished) {
    let prepared = worktrees.create(&named(name)).await.unwrap();
    match prepared.origin {
        WorktreeOrigin::Created { furnished, .. } => (prepared.worktree.path, furnished),
        WorktreeOrigin::Existing => panic!("{name} was there"),
    }
}

/// Those that new worktrees get more in than their commit.
fn furnished_in(root: &Path, setup: WorktreeSetup, deny: &[&str]) -> GitWorktrees {
    let rule = |text: &&str| Rule::parse(text, RuleOrigin::User).unwrap();
    let deny: Vec<Rule> = deny.iter().map(rule).collect();
    own_worktrees(root, TrustedPrograms::default()).furnishing(setup, &deny)
}

fn setup(copy: &[&str], link: &[&str]) -> WorktreeSetup {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    WorktreeSetup {
        copy: list(copy),
        link: list(link),
        run: Vec::new(),
    }
}

/// A repository of a web page with what nobody commits beside it.
fn project() -> Repo {
    let repo = Repo::new();
    repo.write(".gitignore", ".env\nnode_modules/\n*.local\n.vscode/\n");
    repo.commit("ignore");
    for (path, text) in [
        (".env", "TOKEN=canary"),
        ("app/.env", "PORT=1"),
        ("app/[id]/x.local", "x"),
        ("node_modules/left-pad/index.js", "pad"),
        ("pkg/a/node_modules/b.js", "b"),
        (".vscode/settings.json", "{}"),
        ("notes.txt", "mine"),
    ] {
        let path = repo.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    repo
}

fn text(place: &Path, file: &str) -> String {
    fs::read_to_string(place.join(file)).unwrap_or_else(|why| format!("({file}: {why})"))
}

#[tokio::test]
async fn what_the_settings_name_is_copied_and_linked_and_never_committed() {
    let repo = project();
    let names = setup(
        &[".env", "app/**/*.local"],
        &["node_modules", "pkg/*/node_modules"],
    );
    let worktrees = furnished_in(&repo.root, names, &[]);
    let (place, got) = furnished(&worktrees, "alice").await;
    assert_eq!(got.copied, [".env", "app/[id]/x.local"]);
    assert_eq!(got.linked, ["node_modules", "pkg/a/node_modules"]);
    assert!(got.missing.is_empty(), "{got}");
    assert_eq!(text(&place, ".env"), "TOKEN=canary");
    assert!(!place.join("app/.env").exists());
    assert_eq!(text(&place, "node_modules/left-pad/index.js"), "pad");
    assert_eq!(
        fs::read_link(place.join("node_modules")).unwrap(),
        repo.root.join("node_modules")
    );
    git(&place, &["add", "-A"]);
    assert_eq!(git(&place, &["status", "--porcelain"]), "");

    // One that was there keeps what it has, and one that goes takes nothing of the workspace with it.
    fs::write(repo.root.join(".env"), "TOKEN=other").unwrap();
    worktrees.create(&named("alice")).await.unwrap();
    assert_eq!(text(&place, ".env"), "TOKEN=canary");
    repo.remove("alice").await.unwrap();
    assert_eq!(text(&repo.root, "node_modules/left-pad/index.js"), "pad");
}

#[tokio::test]
async fn a_file_of_the_repository_names_ignored_files_as_gitignore_does() {
    let repo = project();
    repo.write(
        ".worktreeinclude",
        "# secrets\n.env\n!app/.env\n*.local\r\nnotes.txt\n",
    );
    let (place, got) = furnished(&*repo.worktrees, "alice").await;
    assert_eq!(got.copied, [".env", "app/[id]/x.local"]);
    assert_eq!(
        got.missing,
        ["Not copied, for git does not ignore it there and it would be committed: notes.txt."]
    );
    assert!(!place.join("notes.txt").exists());
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn nothing_is_easier_to_read_in_a_worktree_than_in_the_workspace() {
    let repo = project();
    repo.write(".worktreeinclude", "*\n");
    fs::write(repo.root.parent().unwrap().join("key"), "secret").unwrap();
    symlink("../key", repo.root.join("key.local")).unwrap();
    symlink("..", repo.root.join("up")).unwrap();
    let names = setup(
        &["/etc/hostname", "../key", "up/key"],
        &["..", "node_modules"],
    );
    let worktrees = furnished_in(&repo.root, names, &["read_file(**/.env)"]);
    let (place, got) = furnished(&worktrees, "alice").await;
    assert!(!place.join(".env").exists() && !place.join(".vscode").exists());
    assert!(!place.join(".team").exists() && !place.join("up").exists());
    // It comes as the link that it is, which leads nowhere from there.
    assert_eq!(
        fs::read_link(place.join("key.local")).unwrap(),
        Path::new("../key")
    );
    assert_eq!(got.linked, ["node_modules"]);
    let said = got.to_string();
    for part in [
        "Not copied, for a rule denies it or it decides what programs do: .env, .vscode/settings.json, app/.env.",
        "'/etc/hostname' is no path within the workspace",
        "'../key' is no path within the workspace",
        "'..' is no path within the workspace",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_rule_to_ignore_that_is_not_committed_yet_protects_nothing_there() {
    let repo = project();
    repo.write(".gitignore", ".env\nsecret.txt\n");
    repo.write("secret.txt", "canary");
    let worktrees = furnished_in(&repo.root, setup(&["secret.txt"], &["notes.txt"]), &[]);
    let (place, got) = furnished(&worktrees, "alice").await;
    assert!(!place.join("secret.txt").exists() && !place.join("notes.txt").exists());
    assert_eq!(
        got.missing,
        [
            "No link was made to notes.txt: git does not ignore all of it.",
            "Not copied, for git does not ignore it there and it would be committed: secret.txt."
        ]
    );
}

/// A virtual environment of Python ignores itself.
#[tokio::test]
async fn a_directory_that_ignores_itself_comes_whole() {
    let repo = Repo::new();
    fs::create_dir_all(repo.root.join(".venv/bin")).unwrap();
    repo.write(".venv/.gitignore", "*\n");
    repo.write(".venv/pyvenv.cfg", "version = 3\n");
    symlink("/usr/bin/python3", repo.root.join(".venv/bin/python")).unwrap();
    repo.write(".venv/bin/pip", "#!\n");
    let worktrees = furnished_in(&repo.root, setup(&[".venv"], &[]), &[]);
    let (place, got) = furnished(&worktrees, "alice").await;
    assert_eq!(
        (&*got.copied, got.missing.len()),
        (&[".venv/ (4 files)".to_owned()][..], 0)
    );
    assert!(place.join(".venv/bin/python").is_symlink());
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_workspace_that_is_a_part_of_a_repository_gets_its_part() {
    let repo = project();
    let part = repo.root.join("pkg/a");
    fs::write(part.join("f"), "f").unwrap();
    repo.write(".worktreeinclude", ".env\nx.local\n");
    repo.commit("part");
    fs::write(part.join("x.local"), "x").unwrap();
    fs::create_dir(part.join(".team")).unwrap();
    let worktrees = furnished_in(&part, setup(&[], &["node_modules"]), &[]);
    let (place, got) = furnished(&worktrees, "bob").await;
    assert_eq!(place, part.join(".team/worktrees/bob/pkg/a"));
    assert_eq!(
        (got.copied, got.linked),
        (vec!["x.local".to_owned()], vec!["node_modules".to_owned()])
    );
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
}
