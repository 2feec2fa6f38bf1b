//! Goals, through the whole program: the team goes on until a check passes, over kills, and stops where it is stuck.

use rustix::process::Signal;
use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say},
    world::{World, until},
};

const UNTIL: &[&str] = &["run", "--permission-mode", "bypass", "--until"];

fn run_until(world: &World, check: &str, more: &[&str]) -> crate::world::Run {
    world.teammate(&[UNTIL, &[check], more, &["Make it"]].concat())
}

fn shown(world: &World) -> Value {
    let run = world.teammate(&["goal", "--json"]).ends(0);
    serde_json::from_str(&run.out).unwrap()
}

fn needs(world: &World) -> Value {
    let run = world.teammate(&["needs", "--json"]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    found["needs"].clone()
}

// fast: the verb goal
#[test]
fn a_run_goes_on_until_its_check_passes() {
    let lead = vec![
        say("I begin."),
        bash("touch done").after_mail("exited 1 after"),
        say("There it is.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    let run = run_until(&world, "test -f done", &[]).ends(0);
    run.says("There it is.");
    let goal = shown(&world);
    assert_eq!(
        (&goal["state"], &goal["tries"]),
        (&"reached".into(), &2.into())
    );
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("You are done when this command exits 0: test -f done"));
    assert!(
        heard.contains("its check (test -f done) exited 1 after"),
        "{heard}"
    );
    assert!(
        heard.contains("try 1 of 20. Go on until it passes"),
        "{heard}"
    );
    world
        .teammate(&["goal"])
        .ends(0)
        .says("reached, 2 of 20 tries");
    world.assert_valid();
}

#[test]
fn a_team_that_is_stuck_stops_and_says_what_was_tried() {
    let lead = vec![say("Nothing comes to my mind.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    let check = "echo 1 of 3 failed; exit 9";
    run_until(&world, check, &[])
        .ends(8)
        .complains("the check failed the same way 4 times");
    let goal = shown(&world);
    assert_eq!(goal["last"]["exit"], 9);
    assert_eq!(
        goal["last"]["tail"].as_str().unwrap().trim(),
        "1 of 3 failed"
    );
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("the same way 3 times now"), "{heard}");
    let needs_now = needs(&world);
    assert_eq!(needs_now[0]["kind"], "missed_goal");
    assert!(
        needs_now[0]["about"].as_str().unwrap().contains("exited 9"),
        "{needs_now}"
    );
    world.teammate(&["goal", "end"]).ends(0).says("Gave up g1");
    assert_eq!(needs(&world), Value::Array(Vec::new()));
}

#[test]
fn tries_and_what_is_missing_are_said() {
    let lead = vec![say("No.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    run_until(&world, "false", &["--tries", "2"])
        .ends(8)
        .complains("all its tries failed");
    assert_eq!(shown(&world)["state"], "tried");
    world
        .teammate(&["goal", "More"])
        .ends(1)
        .complains("--until 'COMMAND'");
    world
        .teammate(&["goal", "More", "--until", " "])
        .ends(1)
        .complains("a goal's check has 1 to");
    let denied = ["--deny", "bash"];
    run_until(&world, "false", &denied)
        .ends(8)
        .complains("its check could not be run");
}

#[test]
fn a_killed_team_goes_on_for_its_goal_when_it_is_resumed() {
    let lead = vec![
        say("I begin."),
        bash("touch started; sleep 600"),
        bash("touch done"),
        say("There it is.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    let run = world.start(&[UNTIL, &["test -f done", "Make it"]].concat());
    until(
        || world.path("started").exists(),
        || "no second try".to_owned(),
    );
    run.signal(Signal::KILL);
    drop(run);
    assert_eq!(shown(&world)["state"], "open");
    world
        .teammate(&["resume", "--permission-mode", "bypass"])
        .ends(0);
    let goal = shown(&world);
    assert_eq!(goal["state"], "reached", "{goal}");
    assert!(world.path("done").exists());
}

#[test]
fn a_running_team_takes_a_goal_from_another_terminal() {
    let lead = vec![
        say("Hello."),
        bash("touch done").after("until it is there"),
        say("There it is.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    world.teammate(&["run", "Hello"]).ends(0);
    let up = world.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    let set = ["goal", "Go on until it is there", "--until", "test -f done"];
    world
        .teammate(&set)
        .ends(0)
        .says("until `test -f done` exits 0, 20 tries at most");
    world
        .teammate(&set)
        .ends(1)
        .complains("the team works for a goal, g1; end it first");
    until(
        || shown(&world)["state"] == "reached",
        || shown(&world).to_string(),
    );
    assert_eq!(shown(&world)["tries"], 1, "the lead heard of it first");
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}
