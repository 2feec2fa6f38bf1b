//! Worktrees of repositories of which not all is here.

use std::{fs, path::Path};

use teammate_git::TrustedPrograms;

use crate::{
    extras::furnished,
    repo::{Repo, git, named, worktrees_in},
};

/// A clone of a repository with two commits in two directories, made and set up with these arguments.
fn clone(clone: &[&str], then: &[&str]) -> (Repo, std::path::PathBuf) {
    let repo = Repo::new();
    for (dir, text) in [("a", "1"), ("b", "2"), ("b", "3")] {
        fs::create_dir_all(repo.root.join(dir)).unwrap();
        repo.write(&format!("{dir}/f"), text);
        repo.commit(text);
    }
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let place = repo.root.parent().unwrap().join("clone");
    let from = format!("file://{}", repo.root.display());
    let args = [&["clone", "-q"], clone, &[&from, place.to_str().unwrap()]].concat();
    git(Path::new("/"), &args);
    if !then.is_empty() {
        git(&place, then);
    }
    // Where it came from is out of reach.
    fs::rename(&repo.root, repo.root.with_extension("gone")).unwrap();
    fs::create_dir(place.join(".team")).unwrap();
    (repo, place)
}

async fn made_in(root: &Path) -> (std::path::PathBuf, Vec<String>) {
    let worktrees = worktrees_in(root, TrustedPrograms::default());
    let (place, got) = furnished(&*worktrees, "alice").await;
    assert!(place.join("b/f").is_file(), "{got}");
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
    (place, got.missing)
}

#[tokio::test]
async fn a_sparse_checkout_is_carried_over() {
    let (_repo, root) = clone(&["--no-checkout"], &["sparse-checkout", "set", "b"]);
    git(&root, &["checkout", "-q", "main"]);
    assert!(!root.join("a").exists());
    let (place, missing) = made_in(&root).await;
    assert!(!place.join("a").exists());
    let [sparse] = &missing[..] else {
        panic!("{missing:?}")
    };
    assert!(
        sparse.contains("`git sparse-checkout add DIR` brings more"),
        "{sparse}"
    );
}

#[tokio::test]
async fn a_shallow_clone_says_that_history_is_missing() {
    let (_repo, root) = clone(&["--depth", "1"], &[]);
    let (_, missing) = made_in(&root).await;
    assert_eq!(
        missing,
        [
            "The repository is a shallow clone, and older commits are missing; `git fetch --unshallow` brings them."
        ]
    );
}

#[tokio::test]
async fn a_partial_clone_has_a_worktree_without_the_network() {
    let (_repo, root) = clone(&["--filter=blob:none"], &[]);
    let (_, missing) = made_in(&root).await;
    let [partial] = &missing[..] else {
        panic!("{missing:?}")
    };
    assert!(
        partial.contains("`git fetch --refetch --no-filter` brings them"),
        "{partial}"
    );

    // A sparse one has only what the workspace has.
    let (_repo, root) = clone(
        &["--filter=blob:none", "--sparse"],
        &["sparse-checkout", "set", "b"],
    );
    let (place, missing) = made_in(&root).await;
    assert!(!place.join("a").exists());
    assert_eq!(missing.len(), 2, "{missing:?}");
}

#[tokio::test]
async fn a_partial_clone_without_its_files_says_what_brings_them() {
    let (repo, root) = clone(&["--filter=blob:none", "--no-checkout"], &[]);
    let worktrees = worktrees_in(&root, TrustedPrograms::default());
    let error = worktrees.create(&named("alice")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "git could not make the worktree: the repository is a partial clone and lacks a/f, b/f, f.txt; `git fetch --refetch \
         --no-filter` in the workspace brings that, where its remote can be reached. Nothing was changed; then try again"
    );
    assert!(!root.join(".team/worktrees/alice").exists());
    assert_eq!(git(&root, &["branch", "--list", "teammate/*"]), "");

    // With the remote in reach again, what it says is so.
    fs::rename(repo.root.with_extension("gone"), &repo.root).unwrap();
    git(&root, &["fetch", "-q", "--refetch", "--no-filter"]);
    fs::rename(&repo.root, repo.root.with_extension("gone")).unwrap();
    made_in(&root).await;
}

#[tokio::test]
async fn pointers_of_lfs_are_said() {
    let repo = Repo::new();
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5\n",
        "0".repeat(64)
    );
    repo.write(
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    repo.write("a.bin", &pointer);
    repo.write("b.bin", "whole");
    repo.write("c.txt", &pointer);
    repo.commit("large");
    let (_, got) = furnished(&*repo.worktrees, "alice").await;
    assert_eq!(
        got.missing,
        ["The file a.bin of Git LFS is only a pointer here; `git lfs pull` brings the content."]
    );
}
