//! From the spawn to the end.

use std::{
    collections::BTreeSet,
    fs::File,
    time::{Duration, SystemTime},
};

use super::*;

// fast: members of other makes
#[test]
fn a_mixed_team_works_together() {
    let work = "DO write made.txt by bob\nDO call send_message {\"to\":\"carol\",\"content\":\"made.txt is there\"}\nSAY I wrote made.txt.";
    let world = world(&play([
        (
            "lead",
            vec![
                calls([
                    (
                        "spawn_teammate",
                        json!({ "name": "carol", "role": "reader", "prompt": "Wait for bob." }),
                    ),
                    (
                        "spawn_teammate",
                        json!({ "name": "bob", "role": "writer", "agent": "bot", "prompt": work }),
                    ),
                ]),
                say("All done.").otherwise(),
            ],
        ),
        (
            "carol",
            vec![
                say("I read it.").after_mail_from("bob"),
                say("I wait.").otherwise(),
            ],
        ),
    ]));
    world.run("Go").ends(0).says("All done.");
    assert_eq!(world.file("made.txt"), "by bob");
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("I wrote made.txt."), "{heard}");
    let heard = world.heard("carol").join("\n");
    assert!(heard.contains("made.txt is there"), "{heard}");
    world.assert_valid();
    world.assert_at_rest();
}

#[test]
fn its_questions_are_in_the_one_queue_and_an_answer_holds_once() {
    let world = world(&with_bob(
        "DO run touch one\nDO run touch two\nSAY I tried.",
    ));
    let up = world.start(&["up", "--permission-mode", "ask"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    let asks = |request: &str, what: &str| {
        let shown = || world.teammate(&["requests"]).out;
        until(
            || shown().contains(request),
            || world.teammate(&["log"]).out,
        );
        let shown = shown();
        assert!(shown.contains(what) && shown.contains("bob"), "{shown}");
    };
    // The lead's own question, about the spawn, is none: bob's is the first.
    asks("req_000001", "touch one");
    world.teammate(&["approve", "1"]).ends(0);
    asks("req_000002", "touch two");
    world.teammate(&["deny", "2", "--because", "no"]).ends(0);
    until(
        || {
            world
                .heard("lead")
                .iter()
                .any(|mail| mail.contains("I tried."))
        },
        || world.teammate(&["log"]).out,
    );
    assert!(world.path("one").exists() && !world.path("two").exists());
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
    world.assert_valid();
}

#[test]
fn rules_about_commands_hold_for_its_commands() {
    let world = configured(
        &with_bob("DO run touch allowed\nDO run touch forbidden\nSAY I tried."),
        (
            "allow = [\"bash(touch:*)\"]\ndeny = [\"bash(touch forbidden)\"]\n",
            "",
        ),
    );
    world.teammate(&["run", "Go"]).ends(0);
    assert!(world.path("allowed").exists() && !world.path("forbidden").exists());
}

#[test]
fn an_interrupt_leaves_nothing_of_its_turn_and_it_goes_on_in_the_same_session() {
    let mark = format!("{}.43", 400_000 + std::process::id());
    // Out of the agent's own reach.
    let line = format!("DO run sh -c 'setsid sleep {mark} & touch begun; sleep {mark}'");
    let world = world(&with_bob(&line));
    let up = world.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    until(
        || world.path("begun").exists(),
        || world.teammate(&["log"]).out,
    );
    assert_ne!(running(&mark), 0);
    world.teammate(&["interrupt", "bob"]).ends(0);
    until(|| running(&mark) == 0, || world.teammate(&["log"]).out);
    world.teammate(&["send", "bob", "SAY I am here."]).ends(0);
    until(
        || {
            world
                .heard("lead")
                .iter()
                .any(|mail| mail.contains("I am here."))
        },
        || world.teammate(&["log"]).out,
    );
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
    let sessions: BTreeSet<String> = handovers(&world).into_iter().collect();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert!(playing(&world).is_empty());
}

#[test]
fn it_leaves_by_handshake_and_is_woken_with_its_conversation() {
    let world = world(&play([(
        "lead",
        vec![
            spawn_bob("SAY I know the word.").after("Go"),
            calls([("request_shutdown", json!({ "name": "bob" }))]).after_mail_from("bob"),
            say("Gone.").after_mail_of("shutdown_response"),
            calls([(
                "spawn_teammate",
                json!({ "name": "bob", "prompt": "SAY Still here." }),
            )])
            .after("Again"),
            say("I wait.").otherwise(),
        ],
    )]));
    world.run("Go").ends(0);
    assert_eq!(world.status("bob"), "shutdown");
    world.run("Again").ends(0);
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("Still here."), "{heard}");
    let sessions: BTreeSet<String> = handovers(&world).into_iter().collect();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    // It reads once who it is.
    assert_eq!(records(&world).matches("in the agent team").count(), 1);
}

#[test]
fn a_task_of_the_board_is_handed_to_it_and_completed() {
    let world = world(&play([(
        "lead",
        vec![
            spawn_bob("SAY Ready."),
            calls([(
                "create_task",
                json!({
                    "subject": "Write it",
                    "description": "DO write it.txt done\nDO call complete_task {\"task_id\":1,\"result\":\"it.txt\"}\nSAY Wrote it.",
                }),
            )]),
            say("All done.").otherwise(),
        ],
    )]));
    world.run("Go").ends(0);
    assert_eq!(world.file("it.txt"), "done");
    let tasks = world.teammate(&["tasks"]).ends(0).out;
    assert!(tasks.contains("#1 Write it (bob): "), "{tasks}");
}

#[test]
fn what_cannot_be_held_or_is_not_there_is_refused_at_the_spawn() {
    let world = configured(
        &play([(
            "lead",
            vec![
                spawn_with("x", &json!({ "agent": "codex" })),
                spawn_with("x", &json!({ "model": "test:m" })),
                spawn_with("x", &json!({ "require_plan": true })),
                say("All done.").otherwise(),
            ],
        )]),
        ("", ""),
    );
    let run = [
        "run",
        "--sandbox",
        "off",
        "--permission-mode",
        "bypass",
        "Go",
    ];
    world.teammate(&run).ends(0);
    let outcomes = world.outcomes("lead").join("\n");
    assert!(outcomes.contains("there is no agent 'codex'"), "{outcomes}");
    assert!(
        outcomes.contains("'bot' brings its own model"),
        "{outcomes}"
    );
    assert!(
        outcomes.contains("no plan can be required of 'bot'"),
        "{outcomes}"
    );
}

#[test]
fn what_it_is_and_what_it_used_is_shown() {
    let world = world(&with_bob("SAY Hello."));
    world.run("Go").ends(0);
    let team = world.teammate(&["team"]).ends(0).out;
    assert!(team.contains("bob   idle (helper, by bot)"), "{team}");
    let cost = world.teammate(&["cost"]).ends(0).out;
    // Its own word: 10 cents.
    assert!(cost.contains("bob") && cost.contains("0.1"), "{cost}");
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains("Hello."), "{log}");
}

#[test]
fn an_agent_that_does_not_start_fails_its_member_and_says_why() {
    let world = configured(
        &play([(
            "lead",
            vec![
                spawn_with("x", &json!({ "agent": "broken" })),
                say("All done.").otherwise(),
            ],
        )]),
        (
            "",
            "[agent.broken]\ncommand = [\"no-such-program-anywhere\"]\n",
        ),
    );
    world.run("Go");
    let heard = world.heard("lead").join("\n");
    assert!(
        heard.contains("there is no program 'no-such-program-anywhere'"),
        "{heard}"
    );
}

#[test]
fn the_demo_of_a_mixed_team_does_what_it_says() {
    let world = World::outside_tmp();
    let dir = world.path("demo").display().to_string();
    let demo = ["demo", "doors", "--speed", "10", "--dir", &dir];
    let run = world.teammate(&demo).ends(0);
    let lines = world.file("demo/rest.sh").lines().count();
    assert_eq!(world.file("demo/report.txt").trim(), lines.to_string());
    let all = run.err + &run.out;
    assert!(all.contains("[bob] spawned (counter, by guest)"), "{all}");
    assert!(
        all.contains("I checked bob's report: it is right."),
        "{all}"
    );
}

#[test]
fn an_agent_that_keeps_no_conversation_gets_what_the_team_has_of_it() {
    let forgets = ("", "resume = false\n");
    let world = configured(&with_bob("SAY The word is xyzzy."), forgets);
    world.run("Go").ends(0);
    world.teammate(&["send", "bob", "SAY Here."]).ends(0);
    world.resume().ends(0);
    let sessions: BTreeSet<String> = handovers(&world).into_iter().collect();
    assert_eq!(sessions.len(), 2, "{sessions:?}");
    let records = records(&world);
    let (_, past) = records.split_once("What the team has of it:").unwrap();
    assert!(
        past.contains("You answered:\\nThe word is xyzzy."),
        "{past}"
    );
    assert_eq!(records.matches("SAY Here.").count(), 1, "{records}");
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains("its entry has resume = false"), "{log}");
}

#[test]
fn a_plan_that_it_would_forget_is_not_required_of_it() {
    let play = play([(
        "lead",
        vec![
            spawn_with("x", &json!({ "require_plan": true })),
            say("All done.").otherwise(),
        ],
    )]);
    let world = configured(&play, ("", "resume = false\n"));
    world.run("Go").ends(0);
    let outcomes = world.outcomes("lead").join("\n");
    assert!(outcomes.contains("it has `resume = false`"), "{outcomes}");
}

#[test]
fn hooks_about_calls_of_models_see_its_turns_and_can_refuse_them() {
    let world = world(&with_bob("SAY Hello."));
    let hook = json!({ "hooks": { "ModelCallBefore": [{ "hooks": [{
        "type": "command",
        "command": "grep -q '\"model\":\"agent:bot\"' && echo 'not today' >&2 && exit 2; exit 0",
    }] }] } });
    let file = world.path("../hooks.json");
    fs::write(&file, hook.to_string()).unwrap();
    let file = file.display().to_string();
    let run = ["run", "--permission-mode", "bypass", "--hooks", &file, "Go"];
    world.teammate(&run);
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("not today"), "{heard}");
    assert!(!records(&world).contains("Hello."));
}

#[test]
fn its_home_goes_with_its_team_and_no_other() {
    let world = world(&with_bob("SAY I was here."));
    for team in [&[][..], &["--team", "other"]] {
        world.teammate(&[&["run"], team, &["Go"]].concat()).ends(0);
    }
    let homes = world.path("../home/.local/state/teammate/agents");
    let homes = || fs::read_dir(&homes).unwrap().count();
    assert_eq!(homes(), 2);
    // Nothing happened in it for a long time.
    let journal = File::open(world.path(".team/journal.jsonl")).unwrap();
    journal
        .set_modified(SystemTime::now() - Duration::from_hours(2400))
        .unwrap();
    let purge = ["purge", "--older-than", "90d", "--yes"];
    world.teammate(&purge).ends(0);
    assert!(!world.path(".team").exists());
    assert_eq!(homes(), 1);
}
