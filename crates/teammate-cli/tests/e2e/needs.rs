//! What waits for the user, and a team that is watched: from other processes than the one that runs the team.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    terminal::Terminal,
    world::{World, until},
};

/// Alice asks for a command once the lead has spawned her, with a task that another one waits for; carol's model fails.
fn team() -> World {
    let task = |subject: &str, after: &[u32]| {
        let input = json!({ "subject": subject, "blocked_by": after });
        calls([("create_task", input)])
    };
    World::playing(&play([
        (
            "lead",
            vec![
                task("Write it", &[]).after("begin"),
                task("Ship it", &[1]),
                spawn([("alice", "coder", "Write")]),
                spawn([("carol", "coder", "Fail")]).after("and carol"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "id": 1 }))]),
                bash("touch made"),
                say("Made.").otherwise(),
            ],
        ),
        (
            "carol",
            vec![json!({ "fail": { "what": "no such model", "remedy": "never" } })],
        ),
    ]))
}

fn needs(world: &World) -> Vec<Value> {
    let run = world.teammate(&["needs", "--json"]).ends(0);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    value["needs"].as_array().unwrap().clone()
}

// fast: the verb needs
#[test]
fn what_waits_is_listed_by_what_it_holds_up_and_waited_for() {
    let world = team();
    let up = world.start(&["up"]);
    up.until("is open in process");
    world
        .teammate(&["needs"])
        .ends(0)
        .says("Nothing waits for you");
    let waiting = world.start(&["needs", "--wait", "--json"]);
    world.teammate(&["send", "lead", "begin"]).ends(0);
    let waited: Value = serde_json::from_str(&waiting.end().ends(0).out).unwrap();
    let need = &waited["needs"][0];
    assert_eq!(
        (
            &need["kind"],
            &need["id"],
            &need["member"],
            &need["notifies"]
        ),
        (
            &json!("permission"),
            &json!("req_000001"),
            &json!("alice"),
            &json!(true)
        )
    );
    assert_eq!(need["holds"]["members"], json!(["alice"]));
    assert_eq!(need["holds"]["tasks"].as_array().unwrap().len(), 2);
    assert!(need["deadline_at"].is_number() && need["since_at"].is_number());

    world.teammate(&["send", "lead", "and carol"]).ends(0);
    until(|| needs(&world).len() == 2, || up.err());
    let kinds: Vec<Value> = needs(&world)
        .iter()
        .map(|need| need["kind"].clone())
        .collect();
    assert_eq!(kinds, ["permission", "failed_member"]);
    world
        .teammate(&["needs"])
        .ends(0)
        .says("req_000001  alice asks: run touch made  (holds up #1, #2; no in ")
        .says("carol  failed: scripted:");
    // There is something: nothing is waited for.
    world.teammate(&["needs", "--wait"]).ends(0);
    world.teammate(&["approve", "1"]).ends(0);
    until(|| needs(&world).len() == 1, || up.err());
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}

#[test]
fn a_watched_team_is_shown_at_each_change_and_as_a_block_where_there_is_no_terminal() {
    let world = team();
    let up = world.start(&["up"]);
    up.until("is open in process");
    let watched = world.start(&["team", "--watch"]);
    let as_json = world.start(&["team", "--watch", "--json"]);
    watched.until("Team 'default', running in process");
    let terminal = Terminal::open(&world, 100, &["team", "--watch"]);
    terminal.until("Team 'default', running in process");
    world.teammate(&["send", "lead", "begin"]).ends(0);
    watched.until("waiting for permission) (coder)");
    terminal.until("req_000001");
    as_json.until("req_000001");
    world.teammate(&["approve", "1"]).ends(0);
    until(
        || !terminal.shows().contains("req_000001"),
        || terminal.shows(),
    );
    let is_shown_once = || terminal.shows().matches("Team 'default'").count() == 1;
    until(is_shown_once, || terminal.shows());
    let out = watched.out();
    assert!(out.matches("\n\nTeam 'default'").count() > 1, "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    for line in as_json.out().lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["team_name"], "default");
    }
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
}

#[test]
fn a_member_that_runs_a_tool_is_shown_with_it_and_its_model() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("touch works; sleep 300"), say("Done.").otherwise()],
    )]));
    let up = world.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    until(|| world.path("works").exists(), || up.err());
    let line = world.teammate(&["team"]).ends(0).out;
    assert!(
        line.contains("; bash for ") && line.contains("scripted:"),
        "{line}"
    );
    let run = world.teammate(&["team", "--json"]).ends(0);
    let team: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(team["members"][0]["tool"]["name"], "bash");
    world.teammate(&["stop", "--now"]).ends(0);
    up.end().ends(0);
    let run = world.teammate(&["team", "--json"]).ends(0);
    let team: Value = serde_json::from_str(&run.out).unwrap();
    assert!(team["members"][0]["tool"].is_null());
}
