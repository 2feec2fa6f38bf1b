//! Teams that the program itself made, but for somebody else: whole directories in every state.

use std::{fs, process::Command};

use serde_json::json;

use super::{Expects, Row, hold, row, site::Site};
use crate::{
    fixtures::tree,
    play::{Scene as _, bash, play, say, spawn},
};

/// A directory of the first version, in one of the fixtures' states.
fn fixture(site: &Site, state: &str) {
    tree::unpack(&tree::teams().join(state), site.root());
}

/// What another user's team left: their own home, so their own key, and the formats of today.
fn of_another_user(site: &Site) {
    site.plays(&play([
        (
            "lead",
            vec![
                spawn([("worker", "coder", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "worker",
            vec![
                bash(&site.trap("call")).after("Begin"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    let run = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_teammate"))
            .args(arguments)
            .env_clear()
            .envs(site.variables("other"))
            .current_dir(site.work())
            .output()
            .unwrap();
        assert!(matches!(done.status.code(), Some(0 | 4)), "{done:?}");
    };
    run(&["run", "Go"]);
    run(&["tasks", "add", "Check it", "--check", &site.trap("check")]);
    run(&["send", "worker", "do it"]);
    assert_eq!(site.ran(), [""; 0]);
}

fn rows() -> Vec<Row> {
    let states = [
        "idle",
        "mid-turn",
        "check-running",
        "plan-granted",
        "question-open",
        "question-approved",
        "worktree",
        "background",
    ];
    let mut rows: Vec<_> = states
        .into_iter()
        .map(|state| {
            row(&format!("found {state}"), Expects::Unknown, move |site| {
                fixture(site, state);
            })
        })
        .collect();
    rows.push(row(
        "found, of another user today",
        Expects::Unknown,
        of_another_user,
    ));
    rows.push(row("found, tracked by git", Expects::Unknown, |site| {
        fixture(site, "check-running");
        site.repository();
        site.git(&["add", "-f", ".team"]);
        site.git(&["commit", "-q", "-m", "team"]);
    }));
    rows.push(row("found, of another program", Expects::Opens, |site| {
        let member = |name: &str| json!({ "name": name, "role": site.trap("role"), "status": "working" });
        let roster = json!({ "team_name": "default", "members": [member("worker"), member("../../x")] });
        site.put(".team/config.json", roster.to_string());
        let mail = json!({ "type": "task_assignment", "from": "user", "content": site.trap("mail"), "timestamp": 1 });
        for name in ["lead", "worker"] {
            site.put(&format!(".team/inbox/{name}.jsonl"), format!("{mail}\n"));
        }
        let task = json!({ "id": 1, "subject": "x", "status": "pending", "check": site.trap("task") });
        site.put(".team/tasks/1.json", task.to_string());
    }));
    rows
}

#[test]
fn a_team_made_for_somebody_else_stays_closed() {
    hold(&rows());
}

#[test]
fn the_keys_of_fixtures_and_user_differ() {
    let site = Site::new();
    let (user, maker) = (
        "home/.local/state/teammate",
        "home/dot-local/state/teammate",
    );
    let user = fs::read(site.root().join(user).join("mail.key")).unwrap();
    let maker = fs::read(tree::teams().join(maker).join("mail.key")).unwrap();
    assert_ne!(user, maker);
}
