//! The lead's teams: made for a job, ended with everybody in them; what they leave behind is archived, not destroyed.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::{World, until},
};

fn make(name: &str) -> (&'static str, Value) {
    ("create_team", json!({ "name": name }))
}

fn end(name: &str) -> (&'static str, Value) {
    ("delete_team", json!({ "name": name }))
}

fn into(team: &str, name: &str, prompt: &str) -> (&'static str, Value) {
    let input = json!({ "name": name, "role": "coder", "team": team, "prompt": prompt });
    ("spawn_teammate", input)
}

fn wait() -> (&'static str, Value) {
    ("wait_for_team", json!({}))
}

fn mail(to: &str) -> (&'static str, Value) {
    ("send_message", json!({ "to": to, "content": "hello" }))
}

fn names(world: &World) -> Vec<String> {
    let config = world.config();
    let members = config["members"].as_array().unwrap();
    members
        .iter()
        .map(|member| member["name"].as_str().unwrap().to_owned())
        .collect()
}

// fast: teams within a team
#[test]
fn a_team_ends_with_everybody_in_it_and_nobody_else() {
    let task = json!({ "subject": "Never ends", "team": "web", "owner": "alice" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    make("web"),
                    into("web", "alice", "Begin"),
                    into("web", "bob", "Begin"),
                    (
                        "spawn_teammate",
                        json!({ "name": "carol", "role": "tester", "prompt": "Begin" }),
                    ),
                    wait(),
                    ("create_task", task),
                    wait(),
                    end("web"),
                    mail("alice"),
                    into("web", "dave", "Begin"),
                    ("list_teammates", json!({})),
                    ("list_tasks", json!({})),
                ])
                .after("Go"),
                say("Ended."),
                say("I wait.").otherwise(),
            ],
        ),
        ("*", vec![say("ready").otherwise()]),
    ]));
    world.run("Go").ends(0);
    assert_eq!(names(&world), ["carol"]);
    assert_eq!(world.members(), ["carol", "lead"]);
    for name in ["alice", "bob"] {
        let kept = format!(".team/archive/web-1/{name}/agent/transcript.jsonl");
        assert!(world.file(&kept).contains("Begin"));
    }
    let outcomes = world.outcomes("lead");
    let [.., ended, to_gone, too_late, roster, board] = &outcomes[..] else {
        panic!("{outcomes:?}")
    };
    let place = world.path(".team/archive/web-1");
    assert_eq!(
        *ended,
        format!(
            "Team 'web' deleted, 2 teammates stopped. Their files are kept in {}",
            place.display()
        )
    );
    assert!(to_gone.starts_with("Error: "), "{to_gone}");
    assert!(to_gone.contains("'alice'"), "{to_gone}");
    assert!(
        too_late.contains("web") && too_late.contains("make one first"),
        "{too_late}"
    );
    assert!(!roster.contains("alice"), "{roster}");
    assert!(
        board.contains("#1 [ ] Never ends: ready, but there is no member to do it"),
        "its task is nobody's: {board}"
    );
    world.teammate(&["send", "alice", "hello?"]).ends(1);
    world.assert_at_rest();
}

#[test]
fn whoever_was_in_a_team_that_ended_can_be_spawned_again_and_remembers_nothing() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    make("web"),
                    into("web", "alice", "First"),
                    wait(),
                    end("web"),
                    make("web"),
                    into("web", "alice", "Second"),
                    wait(),
                    end("web"),
                ])
                .after("Go"),
                say("Ended."),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("heard: {{mail}}")]),
    ]));
    world
        .run("Go")
        .ends(0)
        .complains("[alice] done: heard: Second");
    let kept = |number: u32| {
        world.file(&format!(
            ".team/archive/web-{number}/alice/agent/transcript.jsonl"
        ))
    };
    assert!(kept(1).contains("First") && !kept(1).contains("Second"));
    assert!(kept(2).contains("Second") && !kept(2).contains("First"));
    world.assert_at_rest();
}

#[test]
fn who_is_in_a_turn_may_end_it_first() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([make("web"), into("web", "alice", "Begin")]),
                bash("until [ -e begun ]; do sleep 0.02; done").after("Spawned"),
                calls([end("web")]).after("exit status 0"),
                say("{{last_result}}").after("deleted"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch begun; until test -e ending; do sleep 0.02; done; echo x > whole"),
                say("I have ended my turn."),
            ],
        ),
    ]));
    world.touch_when(".team/journal.jsonl", "\"ending\"", "ending");
    world
        .run("Go")
        .ends(0)
        .says("Team 'web' deleted, 1 teammate stopped.")
        .complains("[alice] done: I have ended my turn.");
    assert_eq!(world.file("whole"), "x\n");
    let kept = world.file(".team/archive/web-1/alice/agent/transcript.jsonl");
    assert!(kept.contains("I have ended my turn."));
    world.assert_at_rest();
}

#[test]
fn an_end_that_is_killed_half_way_is_finished() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([make("web"), into("web", "alice", "Begin")]),
                bash("until [ -e begun ]; do sleep 0.02; done").after("Spawned"),
                calls([end("web")]).after("exit status 0"),
                say("{{last_result}}").after("deleted"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![bash("touch begun; sleep 60"), say("through")]),
    ]));
    let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    let is_ending = || {
        fs::read_to_string(world.path(".team/journal.jsonl"))
            .is_ok_and(|text| text.contains("\"ending\""))
    };
    until(is_ending, || host.err());
    host.signal(Signal::KILL);
    host.end().ends(137);
    world
        .resume()
        .ends(0)
        .says("Team 'web' deleted, 1 teammate stopped.");
    assert_eq!(names(&world), [""; 0]);
    assert!(
        world
            .path(".team/archive/web-1/alice/agent/transcript.jsonl")
            .exists()
    );
    world.assert_at_rest();
}

/// The end of a team and a stop of everybody, both cut off.
#[test]
fn a_team_opens_after_a_kill_while_it_ended_a_team_and_was_stopped() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([make("web"), into("web", "alice", "Begin")]),
                bash("until [ -e begun ]; do sleep 0.02; done").after("Spawned"),
                calls([end("web")]).after("exit status 0"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![bash("touch begun; sleep 60"), say("through")]),
    ]));
    let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    let has = |word: &str| {
        fs::read_to_string(world.path(".team/journal.jsonl")).is_ok_and(|text| text.contains(word))
    };
    until(|| has("\"ending\""), || host.err());
    let stop = world.start(&["stop", "--within", "20"]);
    until(
        || has("\"member\":\"lead\",\"incarnation\":1}"),
        || host.err(),
    );
    host.signal(Signal::KILL);
    host.end().ends(137);
    drop(stop);
    let resumed = world.resume();
    assert!(!resumed.err.contains("panicked"), "{}", resumed.err);
    // It can be opened as often as one likes, and the end is finished.
    until(
        || {
            world.resume();
            names(&world).is_empty()
        },
        || world.teammate(&["team"]).out,
    );
    world.assert_at_rest();
}

#[test]
fn a_broadcast_to_a_team_reaches_the_team_and_one_to_all_everybody() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    make("web"),
                    make("docs"),
                    into("web", "alice", "Begin"),
                    into("docs", "bob", "Begin"),
                    wait(),
                    ("broadcast", json!({ "team": "web", "content": "web only" })),
                    wait(),
                    (
                        "send_message",
                        json!({ "to": "all", "content": "everybody" }),
                    ),
                    ("broadcast", json!({ "team": "nobody", "content": "lost" })),
                    wait(),
                ])
                .after("Go"),
                say("Said."),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "*",
            vec![
                calls([("send_message", json!({ "to": "all", "content": "me, too" }))])
                    .after("everybody"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    world
        .run("Go")
        .ends(0)
        .complains("[lead] broadcast: web only")
        .complains("[lead] broadcast: everybody");
    let heard = |name: &str| {
        let mut heard = world.heard(name);
        heard.retain(|mail| mail.starts_with("lead broadcast: "));
        heard
    };
    assert_eq!(
        heard("alice"),
        ["lead broadcast: web only", "lead broadcast: everybody"]
    );
    assert_eq!(heard("bob"), ["lead broadcast: everybody"]);
    let outcomes = world.outcomes("lead");
    for said in ["Broadcast to 1 teammates", "Broadcast to 2 teammates"] {
        assert!(outcomes.iter().any(|text| text == said), "{outcomes:?}");
    }
    assert!(
        outcomes
            .iter()
            .any(|text| text.contains("'nobody'") && text.contains("docs, web")),
        "{outcomes:?}"
    );
    let of_bob = world.outcomes("bob");
    assert!(
        of_bob[0].starts_with("Error: only the lead can write to all"),
        "{of_bob:?}"
    );
    world.assert_at_rest();
}

#[test]
fn only_the_lead_makes_and_ends_teams() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    make("web"),
                    make("web"),
                    into("web", "alice", "Begin"),
                    wait(),
                ])
                .after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![calls([make("mine"), end("web")]), say("no")]),
    ]));
    world.run("Go").ends(0);
    for text in world.outcomes("alice") {
        assert!(text.starts_with("Only the lead may call '"), "{text}");
    }
    assert_eq!(world.config()["members"][0]["team"], "web");
    world
        .teammate(&["team"])
        .ends(0)
        .says("  alice  idle (coder, team web)");
    let again = &world.outcomes("lead")[1];
    assert!(
        again.starts_with("Error: ") && again.contains("'web'"),
        "{again}"
    );
    assert_eq!(names(&world), ["alice"]);
    assert!(
        fs::read_dir(world.path(".team/archive")).is_err(),
        "nobody ended"
    );
    world.assert_at_rest();
}
