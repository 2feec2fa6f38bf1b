//! `teammate hooks list`, `teammate hooks test` and `/hooks`.

use serde_json::{Value, json};

use super::{file, hook, own, write};
use crate::{
    play::{Scene as _, play, say},
    world::World,
};

const GUARD: &str = "if grep -q 'rm -rf'; then echo 'no removing' >&2; exit 2; fi";

fn world() -> World {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    own(
        &world,
        [("PreToolUse", "Bash", GUARD), ("Stop", "", "exit 1")],
    );
    world
}

// fast: the verb hooks
#[test]
fn the_list_says_what_runs_when_and_whose_it_is() {
    let world = world();
    write(
        &world,
        ".teammate/hooks.json",
        &file([("TeammateIdle", "", hook("./idle.sh"))]),
    );
    let listed = world.teammate(&["hooks", "list"]).ends(0);
    listed
        .says("PreToolUse (Bash)  if grep -q 'rm -rf'")
        .says("at most 30 s; from ")
        .says("note: the hooks in .teammate/hooks.json do not run");
    world.teammate(&["trust", "--yes"]).ends(0);
    let json = world.teammate(&["hooks", "list", "--json"]).ends(0);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["hooks"].as_array().unwrap().len(), 3);
    assert_eq!(json["hooks"][2]["event"], "TeammateIdle");
    assert_eq!(json["hooks"][2]["origin"], "project");
    assert_eq!(json["untrusted"], false);
}

#[test]
fn a_test_runs_the_hooks_and_says_what_they_would_do() {
    let world = world();
    world
        .teammate(&["hooks", "test", "PreToolUse"])
        .ends(0)
        .says("exit code 0")
        .says("Together: nothing against it");
    let input = r#"{"command":"rm -rf x"}"#;
    world
        .teammate(&["hooks", "test", "PreToolUse", "--input", input])
        .ends(0)
        .says("exit code 2")
        .says("Together: refused")
        .says("no removing");
    let json = world
        .teammate(&["hooks", "test", "PreToolUse", "--input", input, "--json"])
        .ends(0);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["decision"], "refuse");
    assert_eq!(json["hooks"][0]["exit_code"], 2);
    world
        .teammate(&["hooks", "test", "Stop"])
        .ends(0)
        .says("exit code 1")
        .complains("failed: it ended with exit code 1");
    world
        .teammate(&["hooks", "test", "MailSent"])
        .ends(0)
        .says("No hook is for this MailSent.");
    world
        .teammate(&["hooks", "test", "Nothing"])
        .ends(1)
        .complains("there is no event 'Nothing'; there are SessionStart,");
    assert!(!world.path(".team").exists(), "it opens no team");
}

#[test]
fn what_a_hook_reads_can_be_looked_at() {
    let world = world();
    let arguments = [
        "hooks",
        "test",
        "TaskCompleted",
        "--member",
        "bob",
        "--show",
    ];
    let shown = world.teammate(&arguments).ends(0);
    let told: Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(told["hook_event_name"], "TaskCompleted");
    assert_eq!(told["teammate_name"], "bob");
    assert_eq!(told["task_id"], json!("1"));
}
