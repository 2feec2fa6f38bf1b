//! Programs that git would need: the call is refused, with their names, and leaves nothing half done.

use super::*;

// slow: many calls of git
#[tokio::test]
async fn a_filter_that_is_needed_is_refused_by_name_and_not_skipped() {
    for key in ["filter.x.clean", "filter.x.smudge", "filter.x.process"] {
        for place in ["tree", "info", "file"] {
            let line = "f.txt filter=x\n";
            let hostile = Hostile::new(if place == "tree" { line } else { "" }).await;
            match place {
                "info" => hostile.repo.write(".git/info/attributes", line),
                "file" => {
                    hostile.repo.write(".git/attributes", line);
                    let file = hostile.repo.root.join(".git/attributes");
                    hostile.set("core.attributesFile", &file.display().to_string());
                }
                _ => {}
            }
            hostile.set(key, &hostile.trap(key));
            hostile.refuses("create", key).await;
        }
    }
}

#[tokio::test]
async fn a_merge_that_would_stop_half_way_for_a_filter_changes_nothing() {
    let hostile = Hostile::new("").await;
    let alice = hostile.repo.root.join(".team/worktrees/alice");
    fs::write(alice.join("a.txt"), "a\n").unwrap();
    fs::write(alice.join("z.secret"), "z\n").unwrap();
    fs::write(alice.join(".gitattributes"), "*.secret filter=x\n").unwrap();
    commit(&alice, "a secret");
    hostile.set("filter.x.smudge", &hostile.trap("smudge"));
    let before = hostile.repo.standing();
    let error = hostile
        .repo
        .worktrees
        .merge(&named("alice"))
        .await
        .unwrap_err();
    assert_eq!(
        error,
        WorktreeError::Untrusted(vec!["filter.x.smudge".to_owned()])
    );
    assert_eq!(hostile.repo.standing(), before);
    assert!(!hostile.repo.root.join("a.txt").exists());
    assert_eq!(hostile.has_run(), Vec::<String>::new());
}

#[tokio::test]
async fn a_merge_driver_that_is_needed_is_refused_by_name() {
    for (attributes, default) in [("* merge=x\n", None), ("", Some("x"))] {
        let hostile = Hostile::new(attributes).await;
        hostile.set("merge.x.driver", &hostile.trap("driver"));
        if let Some(default) = default {
            hostile.set("merge.default", default);
        }
        hostile.refuses("merge", "merge.x.driver").await;
    }
}

// slow: many calls of git
#[tokio::test]
async fn a_hook_that_is_there_for_it_is_refused_by_name() {
    for (hook, what) in [
        ("post-checkout", "create"),
        ("reference-transaction", "create"),
        ("post-index-change", "create"),
        ("pre-merge-commit", "merge"),
        ("prepare-commit-msg", "merge"),
        ("commit-msg", "merge"),
        ("post-merge", "merge"),
    ] {
        let hostile = Hostile::new("").await;
        hostile.hook(".git/hooks", hook);
        hostile.refuses(what, &format!("hooks/{hook}")).await;
    }
    let hostile = Hostile::new("").await;
    hostile.hook(".husky", "post-checkout");
    hostile.repo.commit("hooks");
    hostile.set("core.hooksPath", ".husky");
    hostile.refuses("create", "hooks/post-checkout").await;
}

#[tokio::test]
async fn what_is_included_on_a_condition_is_refused_by_name() {
    let hostile = Hostile::new("* filter=x\n").await;
    let included = hostile.repo.root.join(".git/more").display().to_string();
    hostile.repo.git(&[
        "config",
        "--file",
        &included,
        "filter.x.smudge",
        &hostile.trap("x"),
    ]);
    hostile.set("includeIf.gitdir:**/worktrees/bob.path", &included);
    hostile
        .refuses("create", "includeif.gitdir:**/worktrees/bob.path")
        .await;
}

#[tokio::test]
async fn a_configuration_that_cannot_be_read_is_refused_in_time() {
    let repo = Repo::new();
    make_pipe(&repo.root.join(".git/pipe"));
    repo.git(&["config", "core.bare", "false"]);
    let text = repo.read(".git/config") + "[include]\n\tpath = pipe\n";
    repo.write(".git/config", &text);
    let error = repo.worktrees.create(&named("bob")).await.unwrap_err();
    assert!(
        error.to_string().contains("longer than 5 seconds"),
        "{error}"
    );
}
