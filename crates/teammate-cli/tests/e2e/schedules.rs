//! Work at a time, through the whole program: off until asked for, and only while the team is hosted.

use serde_json::{Value, json};
use teammate::{
    Timestamp,
    platform::now,
    schedules::{Calendar as _, MachineCalendar},
};

use crate::{
    play::{Scene as _, calls, play, say},
    world::{Run, World, until},
};

/// A world with a team, whose lead answers a greeting.
fn world() -> World {
    let lead = vec![
        say("Good morning to you.").after("Good morning"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    world.teammate(&["run", "begin"]).ends(0);
    world
}

/// A moment, as a person may write it.
fn written(at: Timestamp) -> String {
    // With its seconds, where this machine is.
    format!("{}:{:02}", MachineCalendar.shown(at), at.0 / 1000 % 60)
}

/// Adds a schedule for a moment that is as near as this machine is quick: one that has passed is refused. Says what was said, and
/// when the moment is.
pub(crate) fn add_soon(world: &World, what: &[&str]) -> (Run, Timestamp) {
    for seconds in [1, 2, 4, 8, 16, 32] {
        let at = Timestamp((now().0 / 1000 + seconds) * 1000);
        let added = world.teammate(&[&["schedules", "add", &written(at)], what].concat());
        if added.code == 0 {
            return (added, at);
        }
    }
    panic!("it takes longer than half a minute to add a schedule");
}

fn listed(world: &World) -> Value {
    let run = world.teammate(&["schedules", "--json"]).ends(0);
    serde_json::from_str(&run.out).unwrap()
}

fn log(world: &World) -> String {
    world.teammate(&["log"]).out
}

// fast: schedules fire
#[test]
fn a_message_is_said_at_its_moment_while_the_team_is_hosted() {
    let world = world();
    let up = world.start(&["up", "--schedules"]);
    up.until("is open in process");
    let (added, _) = add_soon(&world, &["--say", "Good morning"]);
    added.says("Added s1, next ");
    until(
        || log(&world).contains("Good morning to you."),
        || log(&world),
    );
    assert!(log(&world).contains("schedule s1 fired (to lead: Good morning)"));
    assert_eq!(listed(&world)["schedules"], json!([]));
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}

#[test]
fn nothing_fires_unless_the_user_wants_it_and_a_host_says_so() {
    let world = world();
    world
        .teammate(&[
            "schedules",
            "add",
            "2030-01-01 09:00",
            "--task",
            "Look at the log",
        ])
        .ends(0);
    world
        .teammate(&["run", "--schedules", "--continue", "go"])
        .ends(0)
        .complains("1 schedules of this team do not fire here");
    let up = world.start(&["up"]);
    up.until("is open in process");
    until(
        || log(&world).contains("1 schedules of this team do not fire here"),
        || log(&world),
    );
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}

#[test]
fn a_moment_that_nobody_hosted_is_made_up_for_by_one_task() {
    let world = world();
    let (_, at) = add_soon(&world, &["--task", "Make it up"]);
    until(|| now() > at, || "the clock stands still".to_owned());
    let up = world.start(&["up", "--schedules"]);
    up.until("is open in process");
    until(
        || log(&world).contains("schedule s1 fired (task: Make it up)"),
        || log(&world),
    );
    world.teammate(&["tasks"]).ends(0).says("Make it up");
    world.teammate(&["stop"]).ends(0);
    up.end();
}

// fast: the verb schedules
#[test]
fn schedules_are_listed_paused_and_removed_and_wrong_ones_refused() {
    let world = world();
    let add = |words: &[&str]| world.teammate(&[&["schedules", "add"], words].concat());
    add(&[
        "0 9 * * mon-fri UTC",
        "--task",
        "Look",
        "--description",
        "at all",
    ])
    .ends(0);
    add(&[
        "0 0 1 1 *",
        "--say",
        "A new year",
        "--to",
        "lead",
        "--skip-missed",
    ])
    .ends(0);
    for (words, why) in [
        (
            &["61 * * * *", "--task", "x"][..],
            "'61 * * * *' is no time: write minute, hour",
        ),
        (&["0 0 30 2 *", "--task", "x"], "never comes"),
        (&["2020-01-01 00:00", "--task", "x"], "has passed"),
        (
            &["0 9 * * *", "--say", "x", "--to", "bob"],
            "there is no member 'bob'",
        ),
    ] {
        add(words).ends(1).complains(why);
    }
    add(&["0 9 * * *"]).ends(2);
    world.teammate(&["schedules", "pause", "s1"]).ends(0);
    world
        .teammate(&["schedules"])
        .ends(0)
        .says("s1  0 9 * * mon-fri UTC  paused  not yet run  task: Look")
        .says("s2  0 0 1 1 *  next ");
    let all = listed(&world);
    let first = &all["schedules"][0];
    assert_eq!(
        (&first["paused"], &first["missed"], &first["description"]),
        (&json!(true), &json!("run_once"), &json!("at all"))
    );
    world
        .teammate(&["schedules", "resume", "s1"])
        .ends(0)
        .says("Resumed s1, next ");
    world.teammate(&["schedules", "remove", "s1"]).ends(0);
    world
        .teammate(&["schedules", "remove", "s1"])
        .ends(1)
        .complains("there is no schedule s1");
    assert_eq!(listed(&world)["schedules"][0]["id"], "s2");
}

#[test]
fn the_lead_makes_schedules_where_they_fire_and_nowhere_else() {
    let add = calls([(
        "schedule",
        json!({ "action": "add", "when": "0 9 * * mon-fri UTC", "task": "Look" }),
    )]);
    let lead = vec![add.after("plan").again(), say("Done.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    world.teammate(&["run", "--schedules", "--max-rounds", "1", "plan"]);
    assert!(world.outcomes("lead")[0].starts_with("Unknown tool 'schedule'"));
    let up = world.start(&["up", "--schedules", "--max-rounds", "1"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "plan"]).ends(0);
    until(
        || listed(&world)["schedules"][0]["by"] == "lead",
        || log(&world),
    );
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}
