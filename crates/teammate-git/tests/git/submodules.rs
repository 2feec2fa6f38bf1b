//! Submodules of a new worktree, without any network.

use std::fs;

use crate::{
    extras::furnished,
    repo::{Repo, commit, git, named},
};

const LOCAL: [&str; 2] = ["-c", "protocol.file.allow=always"];

/// A repository with a submodule that has one of its own.
fn nested() -> Repo {
    let repo = Repo::new();
    let beside = repo.root.parent().unwrap();
    for name in ["inner", "lib"] {
        let dir = beside.join(name);
        fs::create_dir(&dir).unwrap();
        git(&dir, &["init", "-q", "-b", "main"]);
        git(&dir, &["config", "user.name", "Somebody"]);
        git(&dir, &["config", "user.email", "somebody@example.org"]);
        fs::write(dir.join("a"), name).unwrap();
        if name == "lib" {
            git(
                &dir,
                &[
                    &LOCAL[..],
                    &["submodule", "--quiet", "add", "../inner", "inner"],
                ]
                .concat(),
            );
        }
        commit(&dir, "first");
    }
    let add = [
        "submodule",
        "--quiet",
        "add",
        "--name",
        "the lib",
        "../lib",
        "deps/lib",
    ];
    repo.git(&[&LOCAL[..], &add].concat());
    let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
    repo.git(&[&LOCAL[..], &update].concat());
    repo.commit("with lib");
    // Where it came from is out of reach.
    for name in ["inner", "lib"] {
        fs::rename(beside.join(name), beside.join(format!("{name}-gone"))).unwrap();
    }
    repo
}

#[tokio::test]
async fn submodules_come_from_what_the_workspace_has() {
    let repo = nested();
    let (place, got) = furnished(&*repo.worktrees, "alice").await;
    assert!(got.is_empty(), "{got}");
    for (file, text) in [("deps/lib/a", "lib"), ("deps/lib/inner/a", "inner")] {
        assert_eq!(fs::read_to_string(place.join(file)).unwrap(), text);
    }
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
    let origin = ["config", "remote.origin.url"];
    assert_eq!(
        git(&place.join("deps/lib"), &origin),
        git(&repo.root.join("deps/lib"), &origin)
    );
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn one_that_is_not_here_is_said_with_what_brings_it() {
    let repo = nested();
    repo.git(&["submodule", "--quiet", "deinit", "-f", "deps/lib"]);
    fs::remove_dir_all(repo.root.join(".git/modules")).unwrap();
    let empty = "The submodule deps/lib is empty; `git submodule update --init` there fills what the user has set up.";
    let (_, got) = furnished(&*repo.worktrees, "alice").await;
    assert_eq!(got.missing, [empty]);
    let status = repo.worktrees.status(&named("alice")).await.unwrap();
    assert_eq!(status.missing, [empty]);
    assert_eq!(
        status.to_string(),
        format!(
            "alice: branch teammate/alice, 0 ahead, 0 behind, nothing uncommitted. {}",
            empty.trim_end_matches('.')
        )
    );
}
