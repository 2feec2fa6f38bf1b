//! A team of the user's own, whose files came back changed: by a pull, a stash, a script. What is sealed counts, what is not
//! does nothing.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use super::{
    Expects, Row, by_all_commands,
    forged::{called, checked_task, heard, line, mail, team},
    hold, row,
    site::Site,
};
use crate::play::{Scene as _, bash, play, say, spawn};

/// The user's own run of the program, in a directory.
fn teammate(site: &Site, dir: &Path, arguments: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_teammate"))
        .args(arguments)
        .env_clear()
        .envs(site.variables("home"))
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(
        matches!(done.status.code(), Some(0 | 4)),
        "{arguments:?}: {done:?}"
    );
}

/// The user has a team here, with a worker.
fn own_team(site: &Site) {
    own_team_in(site, &site.work());
}

fn own_team_in(site: &Site, dir: &Path) {
    let usual = fs::read_to_string(site.root().join("play.json")).unwrap();
    site.plays(&play([
        (
            "lead",
            vec![
                spawn([("worker", "coder", "Begin")]).after("First"),
                say("I wait.").otherwise(),
            ],
        ),
        ("*", vec![say("ready").otherwise()]),
    ]));
    teammate(site, dir, &["run", "First"]);
    fs::write(site.root().join("play.json"), usual).unwrap();
}

fn append(site: &Site, below: &str, text: &str) {
    let before = fs::read_to_string(site.path(below)).unwrap_or_default();
    site.put(below, before + text);
}

/// Lines are added to the journal, with right numbers and checksums.
fn add_records(site: &Site, events: &[Value]) {
    let known = fs::read_to_string(site.path(".team/journal.jsonl")).unwrap();
    let next = known.lines().count() as u64;
    let lines = (next..)
        .zip(events)
        .map(|(number, event)| line(number, &json!([event])));
    append(site, ".team/journal.jsonl", &lines.collect::<String>());
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp")
        .arg("-a")
        .args([from, to])
        .status()
        .unwrap();
    assert!(done.success());
}

/// The user allowed a command once, and it ran once. Then the whole directory is as it was before it ran.
fn rolled_back(site: &Site) {
    let command = site.trap("again");
    site.plays(&play([
        (
            "lead",
            vec![
                spawn([("worker", "coder", "Begin")]).after("First"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "worker",
            vec![bash(&command).after("Begin"), say("ready").otherwise()],
        ),
    ]));
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_teammate"))
        .args(["run", "--answers", "wait", "First"])
        .env_clear()
        .envs(site.variables("home"))
        .current_dir(site.work())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let is_asked = || {
        let journal = fs::read_to_string(site.path(".team/journal.jsonl"));
        journal.is_ok_and(|text| text.contains("\"kind\":\"permission\""))
    };
    crate::world::until(is_asked, || "nothing is asked".to_owned());
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    teammate(site, &site.work(), &["approve", "req_000001"]);
    copy(&site.path(".team"), &site.root().join("logs/saved"));
    teammate(site, &site.work(), &["resume", "--answers", "wait"]);
    fs::remove_file(site.root().join("ran/again")).expect("it ran once");
    fs::remove_dir_all(site.path(".team")).unwrap();
    copy(&site.root().join("logs/saved"), &site.path(".team"));
}

fn changed() -> Vec<Row> {
    vec![
        row(
            "own: a checked task added to the journal",
            Expects::Opens,
            |site| {
                own_team(site);
                add_records(site, &[checked_task(1, &site.trap("check"))]);
            },
        ),
        row(
            "own: an unfinished call added to a transcript",
            Expects::Opens,
            |site| {
                own_team(site);
                let working = json!({ "event": "working", "member": "worker", "incarnation": 1 });
                let input = json!({ "task_id": 1, "result": "done" });
                add_records(site, &[checked_task(1, &site.trap("check")), working]);
                let lines = format!(
                    "{}\n{}\n",
                    heard("worker", "user", "Do it"),
                    called("complete_task", &input)
                );
                append(site, ".team/agents/worker/transcript.jsonl", &lines);
            },
        ),
        row("own: mail added", Expects::Opens, |site| {
            own_team(site);
            let text = format!(
                "{}\n",
                mail("worker", "user", "task_assignment", &site.trap("mail"))
            );
            append(site, ".team/inbox/worker.jsonl", &text);
            append(site, ".team/inbox/.claimed/worker/7.jsonl", &text);
        }),
        row("own: the journal is another's", Expects::Unknown, |site| {
            own_team(site);
            let transcript = fs::read(site.path(".team/agents/worker/transcript.jsonl")).unwrap();
            team(site, &[checked_task(1, &site.trap("check"))]);
            site.put(".team/agents/worker/transcript.jsonl", transcript);
        }),
        row(
            "own: a used permission is unused again",
            Expects::Opens,
            rolled_back,
        ),
    ]
}

/// The user has a team in another directory, with a task whose check is the user's own.
fn team_elsewhere(site: &Site) -> PathBuf {
    let dir = site.root().join("logs/first");
    fs::create_dir(&dir).unwrap();
    own_team_in(site, &dir);
    add_check(site, &dir);
    dir.join(".team")
}

fn add_check(site: &Site, dir: &Path) {
    let check = site.trap("check");
    teammate(site, dir, &["tasks", "add", "Check it", "--check", &check]);
}

fn elsewhere() -> Vec<Row> {
    vec![
        row(
            "own: copied from another workspace",
            Expects::Unknown,
            |site| {
                copy(&team_elsewhere(site), &site.path(".team"));
            },
        ),
        row("own: another one in its place", Expects::Unknown, |site| {
            own_team(site);
            fs::remove_dir_all(site.path(".team")).unwrap();
            copy(&team_elsewhere(site), &site.path(".team"));
        }),
        row("own: the key is gone", Expects::Unknown, |site| {
            own_team(site);
            add_check(site, &site.work());
            fs::remove_dir_all(site.root().join("home/.local/state/teammate")).unwrap();
        }),
    ]
}

#[test]
fn what_was_changed_in_a_team_of_ones_own_does_nothing() {
    hold(&by_all_commands(changed()));
}

#[test]
fn a_team_that_was_moved_or_has_lost_its_key_waits_for_a_yes() {
    hold(&elsewhere());
}
