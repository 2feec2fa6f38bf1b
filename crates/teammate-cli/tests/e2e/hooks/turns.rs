//! Hooks at the end of turns: they hold a member back, for so long as they may.

use std::io::Write as _;

use serde_json::json;

use super::{NOTES, audited, own, told};
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::World,
};

/// Holds back until a file is there.
const UNTIL_TESTED: &str = "if [ ! -e tested ]; then echo 'run the tests first' >&2; exit 2; fi";

fn with_alice(alice: Vec<serde_json::Value>) -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "tester", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", alice),
    ]))
}

#[test]
fn the_leads_turn_goes_on_with_the_reason() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch tested").after("run the tests first"),
            say("All done.").otherwise(),
        ],
    )]));
    own(&world, [("Stop", "", UNTIL_TESTED), ("Stop", "", NOTES)]);
    world.run("Go").ends(0).says("All done.");
    assert!(world.path("tested").exists());
    let told = told(&world, "Stop");
    let active: Vec<&serde_json::Value> =
        told.iter().map(|told| &told["stop_hook_active"]).collect();
    assert_eq!(active, [&json!(false), &json!(true)]);
    assert_eq!(told[0]["last_assistant_message"], "All done.");
    let audited = audited(&world);
    assert_eq!(audited[0]["hook"], "Stop");
    world.assert_at_rest();
}

#[test]
fn a_teammate_does_not_idle_before_its_hook_lets_it() {
    let world = with_alice(vec![
        bash("touch tested").after("TeammateIdle hook feedback"),
        say("ready").otherwise(),
    ]);
    own(
        &world,
        [
            ("TeammateIdle", "", UNTIL_TESTED),
            ("TeammateIdle", "", NOTES),
        ],
    );
    world.run("Go").ends(0);
    assert!(world.path("tested").exists());
    let told = told(&world, "TeammateIdle");
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["teammate_name"], "alice");
    assert_eq!(told[0]["team_name"], "default");
    assert_eq!(told[0]["agent_id"], "alice@default");
    assert_eq!(told[0]["agent_type"], "alice");
    assert_eq!(told[0]["incarnation"], 1);
    // The lead hears of one end.
    let ends = world.heard("lead");
    let ends = ends
        .iter()
        .filter(|mail| mail.starts_with("alice idle_notification"));
    assert_eq!(ends.count(), 1);
}

#[test]
fn a_hook_that_holds_back_for_ever_is_not_heard_for_ever() {
    let world = with_alice(vec![say("ready").otherwise()]);
    own(
        &world,
        [
            ("TeammateIdle", "", "echo 'never' >&2; exit 2"),
            ("TeammateIdle", "", NOTES),
        ],
    );
    world
        .run("Go")
        .ends(0)
        .complains("hooks hold it back: they did so 10 times, the limit");
    assert_eq!(told(&world, "TeammateIdle").len(), 10);
    world.assert_at_rest();
}

#[test]
fn a_shutdown_is_not_held_back() {
    let world = with_alice(vec![say("ready").otherwise()]);
    own(&world, [("SubagentStop", "", "exit 2")]);
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(std::process::Stdio::piped());
    let mut prompt = world.launch(command);
    let mut keys = prompt.stdin();
    keys.write_all(b"Go\n").unwrap();
    prompt.until("[alice] done: ready");
    keys.write_all(b"/shutdown alice\n").unwrap();
    prompt.until("[alice] stopped");
    keys.write_all(b"/quit\n").unwrap();
    drop(keys);
    prompt.end().ends(0);
}

#[test]
fn a_hook_that_ends_the_turn_is_stronger_than_one_that_holds_it_back() {
    let world = with_alice(vec![say("ready").otherwise()]);
    let halts = r#"echo '{"continue":false,"stopReason":"that is enough"}'"#;
    own(
        &world,
        [
            ("TeammateIdle", "", halts),
            ("TeammateIdle", "", "exit 2"),
            ("TeammateIdle", "", NOTES),
        ],
    );
    world
        .run("Go")
        .ends(0)
        .complains("that is enough (it ends the turn)");
    assert_eq!(told(&world, "TeammateIdle").len(), 1);
}
