//! What cannot begin or go on: models that fail, rights, limits, and what is not there.

use super::*;

// fast: failed members
#[test]
fn a_teammate_whose_model_fails_is_reported_and_never_done() {
    let world = World::playing(&spawns_alice(
        vec![say("alice cannot: {{mail}}").after_mail("failed:")],
        vec![json!({ "fail": { "what": "no credit left", "remedy": "never", "times": 9 } })],
    ));
    world
        .run("Go")
        .ends(7)
        .says("alice cannot: failed: ")
        .complains("[alice] failed: ")
        .complains("no credit left");
    let notices = world.heard("lead");
    let notices = notices
        .iter()
        .filter(|mail| mail.starts_with("alice idle_notification"));
    assert_eq!(notices.count(), 1);
    assert_eq!(world.status("alice"), "idle");
    let phase = world.config()["members"][0]["phase"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        phase.starts_with("failed: ") && phase.contains("no credit left"),
        "{phase}"
    );
    world.teammate(&["team"]).says("failed: ");
    world.assert_at_rest();
}

#[test]
fn a_lead_whose_model_fails_ends_with_3_and_loses_nothing() {
    let failing = json!({ "fail": { "what": "invalid key", "remedy": "never", "times": 1 } });
    let world = World::playing(&play([("lead", vec![failing])]));
    world.run("Do it").ends(3).complains("invalid key");
    let world = world.replay(&play([("lead", vec![say("Both: {{mail}}")])]));
    world.run("Now?").ends(0).says("Both: Now?");
    assert_eq!(
        world.heard("lead"),
        ["user message: Do it", "user message: Now?"]
    );
    world.assert_at_rest();
}

#[test]
fn a_play_that_is_none_is_an_error_with_a_place() {
    let world = World::playing(&json!({ "members": { "lead": [{ "sya": "typo" }] } }));
    world
        .run("Go")
        .ends(3)
        .complains("play.json:1:")
        .complains("sya");
}

#[test]
fn what_needs_permission_is_refused_where_nobody_can_be_asked() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("echo hi > made"), say("I could not.")],
    )]));
    world
        .teammate(&["run", "Go"])
        .ends(4)
        .says("I could not.")
        .complains("refused bash: echo hi > made")
        .complains("--permission-mode bypass")
        .complains("--allow 'bash(echo hi > made)'");
    assert!(!world.path("made").exists());
    world.assert_at_rest();

    // The flag that was named works.
    let world = World::playing(&play([(
        "lead",
        vec![bash("echo hi > made"), say("I could.")],
    )]));
    world
        .teammate(&["run", "--allow", "bash(echo hi > made)", "Go"])
        .ends(0)
        .says("I could.");
    assert_eq!(world.file("made"), "hi\n");
}

#[test]
fn a_turn_has_a_limit() {
    let endless = json!({ "repeat": true, "calls": [{ "tool": "list_teammates", "input": {} }] });
    let world = World::playing(&play([("lead", vec![endless])]));
    world
        .teammate(&["run", "--max-rounds", "3", "Go"])
        .ends(5)
        .complains("stopped after 3 model calls in one turn, the limit");
    world.assert_at_rest();
}

#[test]
fn a_directory_without_a_team_says_what_to_do() {
    let world = World::playing(&play([]));
    for command in [
        &["team"][..],
        &["inbox"],
        &["log"],
        &["send", "lead", "hi"],
        &["resume"],
    ] {
        world
            .teammate(command)
            .ends(1)
            .complains("there is no team in ")
            .complains("hint: start one with `teammate`");
    }
    assert!(!world.path(".team").exists(), "looking makes nothing");
}

#[test]
fn without_a_model_it_says_how_to_get_one() {
    let world = World::with_model("");
    world
        .teammate(&["run", "Go"])
        .ends(1)
        .complains("`teammate setup`")
        .complains("set ANTHROPIC_API_KEY")
        .complains("teammate demo");
    World::with_model("gpt-5")
        .teammate(&["run", "Go"])
        .ends(1)
        .complains("write PROVIDER:NAME");
}
