//! A member in a worktree, and the lead's tools for worktrees.

use std::path::Path;

use serde_json::json;
use teammate_core::{
    permission::{Mode, RuleVerdict, Rules},
    port::{MemberSummary, Target, Workspace, Worktree},
    tool::EffectClass,
};

use crate::{
    repo::{Repo, commit},
    support::Bench,
};

/// A bench whose workspace is the repository's.
fn lead(repo: &Repo) -> Bench {
    let mut bench = Bench::new();
    bench.context.workspace = Workspace {
        root: repo.root.clone(),
        team_dir: repo.root.join(".team"),
        outputs: repo.root.join(".team/outputs"),
        tmp: None,
        unreadable: Vec::new(),
    }
    .into();
    bench.catalogue = bench.catalogue.with_worktrees(&repo.worktrees);
    bench
}

/// The same for a member in a worktree.
fn member(repo: &Repo, worktree: &Worktree) -> Bench {
    let mut bench = lead(repo);
    let mut workspace = (*bench.context.workspace).clone();
    workspace.root.clone_from(&worktree.path);
    bench.context.workspace = workspace.into();
    bench
}

#[tokio::test]
async fn a_member_s_tools_see_its_worktree_and_nothing_else() {
    let repo = Repo::new();
    std::fs::write(repo.root.join(".team/.gitignore"), "*\n").unwrap();
    std::fs::write(repo.root.join(".team/journal.jsonl"), "truth\n").unwrap();
    let alice = repo.make("alice").await;
    let bob = repo.make("bob").await;
    let bench = member(&repo, &alice);
    let edit = json!({"path": "f.txt", "old_text": "two", "new_text": "TWO"});
    bench.ok("edit_file", edit).await;
    assert_eq!(bench.ok("glob", json!({"pattern": "**/*"})).await, "f.txt");
    assert_eq!(
        bench.ok("grep", json!({"pattern": "TWO"})).await,
        "f.txt:2:TWO"
    );
    let pwd = bench.ok("bash", json!({"command": "pwd"})).await;
    assert!(pwd.contains(".team/worktrees/alice"), "{pwd}");
    assert_eq!(repo.read("f.txt"), "one\ntwo\nthree\n");

    let up = alice.path.join("up");
    std::os::unix::fs::symlink(&repo.root, &up).unwrap();
    let main = repo.root.join("f.txt");
    for path in [
        "../../../f.txt",
        "../bob/f.txt",
        "../../journal.jsonl",
        "up/f.txt",
        "up/.team/journal.jsonl",
        main.to_str().unwrap(),
        bob.path.join("f.txt").to_str().unwrap(),
    ] {
        let error = bench.error("read_file", json!({"path": path})).await;
        assert!(error.contains("is outside the workspace"), "{error}");
        let write = json!({"path": path, "content": "escaped"});
        bench.error("write_file", write).await;
    }
    let own_git = json!({"path": ".git", "content": "gitdir: /elsewhere"});
    bench.error("write_file", own_git).await;
    let out = json!({"pattern": "truth", "path": "../.."});
    bench.error("grep", out).await;
    assert_eq!(
        std::fs::read_to_string(bob.path.join("f.txt")).unwrap(),
        "one\ntwo\nthree\n"
    );

    // Long outputs are kept for all in one place, and can be read from here.
    let long = json!({"command": "seq 1 20000"});
    let shown = bench.ok("bash", long).await;
    let kept = repo.root.join(".team/outputs/lead-turn-1_call_1.txt");
    assert!(shown.contains(kept.to_str().unwrap()), "{shown}");
    let kept = json!({"path": kept});
    assert!(bench.ok("read_file", kept).await.starts_with("1\n"));
}

#[tokio::test]
async fn the_lead_looks_merges_and_removes() {
    let repo = Repo::new();
    let bench = lead(&repo);
    let list = json!({"action": "list"});
    assert!(
        bench
            .ok("worktrees", list.clone())
            .await
            .starts_with("No worktrees.")
    );
    let alice = repo.make("alice").await;
    std::fs::write(alice.path.join("new.txt"), "x\n".repeat(30_000)).unwrap();
    assert_eq!(
        bench.ok("worktrees", list.clone()).await,
        "alice: branch teammate/alice, 0 ahead, 0 behind, 1 uncommitted: new.txt"
    );
    let merge = json!({"name": "alice", "action": "merge"});
    let error = bench.error("finish_worktree", merge.clone()).await;
    assert!(error.contains("commit them there first"), "{error}");
    commit(&alice.path, "new");

    let diff = json!({"action": "diff", "name": "alice"});
    let diff = bench.ok("worktrees", diff).await;
    assert!(diff.len() < 12_000 && diff.contains("left out here; the whole output is in"));

    let remove = json!({"name": "alice", "action": "remove"});
    let error = bench.error("finish_worktree", remove.clone()).await;
    assert!(
        error.contains("0 uncommitted files and 1 commit not merged would be lost"),
        "{error}"
    );
    assert_eq!(
        bench.ok("finish_worktree", merge).await,
        "Merged teammate/alice into main: 1 commit"
    );
    *bench.team.roster.lock().unwrap() = vec![MemberSummary {
        name: "alice".to_owned().try_into().unwrap(),
        role: "coder".into(),
        team: None,
        status: "working".into(),
        is_busy: true,
    }];
    let error = bench.error("finish_worktree", remove.clone()).await;
    assert!(error.contains("works in it"), "{error}");
    bench.team.roster.lock().unwrap()[0].is_busy = false;
    let removed = bench.ok("finish_worktree", remove).await;
    assert!(removed.starts_with("Removed the worktree"), "{removed}");
    assert!(
        bench
            .ok("worktrees", list)
            .await
            .starts_with("No worktrees.")
    );
}

#[tokio::test]
async fn a_wrong_name_is_told_from_an_unknown_one() {
    let repo = Repo::new();
    let bench = lead(&repo);
    repo.make("alice").await;
    let merge = |name: &str| json!({"name": name, "action": "merge"});
    let error = bench.error("finish_worktree", merge("../x")).await;
    assert!(error.contains("is not a worktree name"), "{error}");
    let error = bench.error("finish_worktree", merge("bob")).await;
    assert!(error.contains("there are: alice"), "{error}");
    let error = bench.error("worktrees", json!({"action": "diff"})).await;
    assert!(error.contains("`name`"), "{error}");
    let action = bench.action("finish_worktree", merge("alice")).unwrap();
    let Target::Path(path) = action.target else {
        panic!("a path")
    };
    assert_eq!(path.resolved, Path::new(".team/worktrees/alice"));
}

#[tokio::test]
async fn the_lead_s_merge_of_guarded_files_is_asked_about_with_their_content() {
    let repo = Repo::new();
    let bench = lead(&repo);
    let alice = repo.make("alice").await;
    std::fs::write(alice.path.join(".gitlab-ci.yml"), "hers\n").unwrap();
    commit(&alice.path, "hers");
    let merge = json!({"name": "alice", "action": "merge"});

    let asked = bench.action("finish_worktree", merge.clone()).unwrap();
    assert!(
        asked.shows.contains(".gitlab-ci.yml@") && asked.shows.contains("+hers"),
        "{}",
        asked.shows
    );
    let rules = Rules::default();
    let mode = Mode::AcceptEdits;
    let verdict = rules.decide(mode, "finish_worktree", EffectClass::Writes, &asked.target);
    assert_eq!(verdict, RuleVerdict::Ask, "as a write to that file");

    // What was shown is not what would come any more.
    std::fs::write(alice.path.join(".gitlab-ci.yml"), "changed\n").unwrap();
    commit(&alice.path, "changed");
    let refused = bench.error("finish_worktree", merge.clone()).await;
    assert!(
        refused.contains(".gitlab-ci.yml") && refused.contains("--carry"),
        "{refused}"
    );
    assert!(!repo.root.join(".gitlab-ci.yml").exists());

    let asked = bench.action("finish_worktree", merge.clone()).unwrap();
    assert!(asked.shows.contains("+changed"), "{}", asked.shows);
    bench.ok("finish_worktree", merge.clone()).await;
    assert_eq!(repo.read(".gitlab-ci.yml"), "changed\n");

    // One without such files is not asked about as they are.
    std::fs::write(alice.path.join("plain"), "x\n").unwrap();
    commit(&alice.path, "plain");
    let asked = bench.action("finish_worktree", merge).unwrap();
    let verdict = rules.decide(mode, "finish_worktree", EffectClass::Writes, &asked.target);
    assert_eq!(verdict, RuleVerdict::Allow);
}
