//! Trees below hidden directories, and walls below those trees.

use std::{fs, os::unix::net::UnixListener, path::Path};

use teammate_sandbox::Policy;

use crate::{files::check, place::Place};

/// `.team` is hidden, `.team/worktrees` shown, `.team/worktrees/alice` open with a protected and a hidden name in it.
fn with_worktrees() -> Place {
    let mut place = Place::new();
    let team = place.project.join(".team");
    for dir in [
        "worktrees/alice/.team",
        "worktrees/alice/ci",
        "worktrees/bob",
    ] {
        fs::create_dir_all(team.join(dir)).unwrap();
    }
    for (file, text) in [
        ("worktrees/alice/a", "alice's"),
        ("worktrees/alice/.team/secret", "secret"),
        ("worktrees/alice/ci/run", "run"),
        ("worktrees/bob/b", "bob's"),
    ] {
        fs::write(team.join(file), text).unwrap();
    }
    let held = |path: &str| place.held(&format!("project/.team/{path}"));
    let mut policy = place.policy();
    policy.writable.push(held("worktrees/alice"));
    policy.shown.push(held("worktrees"));
    policy.protected.push(held("worktrees/alice/ci/run"));
    policy.hidden.push(held("worktrees/alice/.team"));
    place.see(policy);
    place
}

#[tokio::test]
async fn a_tree_is_open_below_a_hidden_directory() {
    let place = with_worktrees();
    check(
        &place,
        &[
            ("ls -A .team", "worktrees"),
            (
                "cat .team/journal.jsonl 2>/dev/null || echo hidden",
                "hidden",
            ),
            ("cat .team/worktrees/bob/b", "bob's"),
            (
                "cd .team/worktrees/alice && cat a && echo new > new && cat new",
                "alice'snew",
            ),
            ("ls -A .team/worktrees/alice/.team", ""),
            ("cat .team/worktrees/alice/ci/run", "run"),
        ],
    )
    .await;
    let alice = place.project.join(".team/worktrees/alice");
    assert_eq!(fs::read_to_string(alice.join("new")).unwrap(), "new\n");
}

#[tokio::test]
async fn what_stands_around_the_open_tree_cannot_be_changed() {
    let place = with_worktrees();
    for script in [
        "touch .team/x",
        "mkdir .team/x",
        "touch .team/worktrees/x",
        "echo x > .team/worktrees/bob/b",
        "mv .team/worktrees/alice .team/worktrees/a",
        "mv .team/worktrees .team/w",
        "mv .team t",
        "rm -rf .team",
        "cd .team/worktrees/alice && echo x > ci/run",
        "cd .team/worktrees/alice && mv ci c",
        "cd .team/worktrees/alice && touch .team/x",
        "cd .team/worktrees/alice && cat .team/secret",
    ] {
        let said = place.run(script).await;
        assert_ne!(said.code, Some(0), "{script} succeeded: {}", said.text);
    }
    let journal = place.project.join(".team/journal.jsonl");
    assert_eq!(fs::read_to_string(journal).unwrap(), "sealed\n");
}

#[tokio::test]
async fn what_is_hidden_here_is_hidden_where_another_tree_shows_it() {
    let mut place = Place::new();
    let policy = Policy {
        writable: vec![place.held("project"), place.held(".config")],
        hidden: vec![place.held(".config/app")],
        ..Policy::default()
    };
    place.see(policy);
    let said = place.run("cat ~/.config/app/token").await;
    assert_ne!(said.code, Some(0), "{said:?}");
}

#[tokio::test]
async fn sockets_are_covered_whichever_program_made_them_last() {
    let mut place = Place::new();
    let path = place.project.join("socket");
    let bind = |path: &Path| UnixListener::bind(path).unwrap();
    let _first = bind(&path);
    let sockets = vec![place.held("project/socket")];
    fs::remove_file(&path).unwrap();
    let _second = bind(&path);
    let policy = Policy {
        writable: vec![place.held("project")],
        sockets,
        ..Policy::default()
    };
    place.see(policy);
    let said = place.run("test -S socket || echo covered").await;
    assert_eq!(said.text, "covered\n");
    fs::remove_file(&path).unwrap();
    let said = place.run("test -e socket || echo gone").await;
    assert_eq!(said.text, "gone\n");
}
