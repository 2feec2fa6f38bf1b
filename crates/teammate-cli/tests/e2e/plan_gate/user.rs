//! Who lifts the gate and who approves: what the user requires no model lifts.

use std::io::Write as _;

use super::*;
use crate::{protocols::happened, world::Running};

#[test]
fn the_lead_lifts_what_the_lead_required() {
    let lift = json!({ "name": "alice", "lift": true });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "Begin", true), ("wait_for_team", json!({}))]).after("GO"),
                calls([("request_plan", lift)]).after("Not run"),
                calls([("request_plan", json!({ "name": "alice", "lift": true }))])
                    .after_mail_from("alice"),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                write("early.txt").after("Begin"),
                write("late.txt").after("You no longer need an approved plan"),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    assert!(!world.path("early.txt").exists());
    assert!(world.path("late.txt").exists());
    outcome_with(
        &world.outcomes("lead"),
        "'alice' no longer needs an approved plan",
    );
}

/// The prompt, with what is typed there one line after the other, each when the screen has shown a text.
fn typed(world: &World, flags: &[&str], lines: &[(&str, &str)]) -> Running {
    let mut command = world.command(flags);
    command.stdin(std::process::Stdio::piped());
    let mut run = world.launch(command);
    let mut stdin = run.stdin();
    for (line, shown) in lines {
        writeln!(stdin, "{line}").unwrap();
        run.until(shown);
    }
    drop(stdin);
    run
}

// fast: plans that the user requires
#[test]
fn what_the_user_requires_no_trick_of_the_leads_model_lifts() {
    let lift = json!({ "name": "bob", "lift": true });
    let fresh = json!({ "name": "bob", "role": "coder", "prompt": "NEW", "fresh": true, "require_plan": false });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("bob", "Begin", false)]).after("GO"),
                calls([("request_plan", lift), ("spawn_teammate", fresh)]).after("TRICK"),
                say("tricked").after("Spawned 'bob'"),
                waits(),
            ],
        ),
        (
            "bob",
            vec![
                write("tricked.txt").after("NEW").again(),
                write("lifted.txt").after("no longer need").again(),
                say("bob rests").otherwise(),
            ],
        ),
    ]));
    let run = typed(
        &world,
        &["--permission-mode", "bypass", "--plan-approver", "user"],
        &[
            ("GO", "bob rests"),
            (
                "/plan bob everything you do",
                "bob may only read until you approve its plan",
            ),
            ("TRICK", "tricked"),
            ("/team", "as the user requires"),
            ("/plan bob off", "bob no longer needs an approved plan"),
        ],
    );
    until(
        || world.path("lifted.txt").exists(),
        || format!("not lifted: {:#?}", world.outcomes("bob")),
    );
    let _ = run.end();
    assert!(
        !world.path("tricked.txt").exists(),
        "{:#?}",
        world.outcomes("bob")
    );
    outcome_with(
        &world.outcomes("lead"),
        "the user requires plans of 'bob', and only the user can lift that",
    );
}

fn planning() -> World {
    World::playing(&play([
        (
            "lead",
            vec![calls([spawn("bob", "PLAN it", true)]).after("GO"), waits()],
        ),
        (
            "bob",
            vec![
                submit("write a file").after("PLAN"),
                write("made.txt").after("[Plan approved]"),
                waits(),
            ],
        ),
    ]))
}

#[test]
fn a_mode_that_comes_with_an_approval_is_in_force_or_refused_with_the_reason() {
    for (team, given, is_possible) in [
        ("ask", "accept-edits", false),
        ("accept-edits", "accept-edits", true),
    ] {
        let world = planning();
        let run = world.start(&[
            "run",
            "--permission-mode",
            team,
            "--plan-approver",
            "user",
            "--answers",
            "wait",
            "GO",
        ]);
        run.until("req_000001");
        let approve = world.teammate(&["approve", "1", "--mode", given]);
        if is_possible {
            let said = format!("bob's permission mode is now '{given}'");
            approve.ends(0).says(&said);
        } else {
            approve.ends(1).complains(&format!(
                "mode '{given}' is above the team's own ('{team}'), which no member may exceed; nothing was answered"
            ));
            assert_eq!(happened(&world), ["1 opened plan"]);
            world.teammate(&["approve", "1"]).ends(0);
            run.until("write_file");
            world.teammate(&["deny", "2"]).ends(0);
        }
        run.end().ends(0);
        assert_eq!(world.path("made.txt").exists(), is_possible, "{team}");
        let told = world
            .heard("bob")
            .iter()
            .any(|mail| mail.contains("permission mode is now"));
        assert_eq!(told, is_possible, "{team}");
    }
}

#[test]
fn a_plan_that_nobody_can_be_asked_about_counts_as_refused() {
    let run = [
        "run",
        "--permission-mode",
        "bypass",
        "--plan-approver",
        "user",
    ];
    planning()
        .teammate(&[&run[..], &["GO"]].concat())
        .ends(4)
        .complains("--plan-approver lead");
    let run = planning().teammate(&[&run[..], &["--output-format", "json", "GO"]].concat());
    let result: Value = serde_json::from_str(&run.ends(4).out).unwrap();
    assert!(result.to_string().contains("\"refused\":1"), "{result}");
}
