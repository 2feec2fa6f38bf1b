//! Calls that did not run because something said no: they have not failed, and each face says who refused them.

use std::fs;

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::World,
};

#[test]
fn a_call_that_a_rule_a_hook_or_the_plan_gate_refuses_has_not_failed() {
    let alice = json!({
        "name": "alice", "role": "coder", "prompt": "Write", "require_plan": true,
    });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                bash("rmdir old").after("Begin"),
                bash("mkdir hooked"),
                bash("exit 3"),
                calls([("spawn_teammate", alice)]),
                say("alice says: {{mail}}").after_mail_from("alice"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("write_file", json!({ "path": "made", "content": "x" }))]),
                say("I may not."),
            ],
        ),
    ]));
    let hooks = json!({ "hooks": { "PreToolUse": [{
        "matcher": "bash",
        "hooks": [{
            "type": "command",
            "command": "grep -q mkdir && echo 'use the old one' >&2 && exit 2; exit 0",
        }],
    }] } });
    let file = world.path("../home/.config/teammate/hooks.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, hooks.to_string()).unwrap();

    let run = world.teammate(&[
        "run",
        "--permission-mode",
        "bypass",
        "--deny",
        "bash(rmdir:*)",
        "Begin",
    ]);
    let all = format!("{}{}", run.out, run.err);
    for said in [
        "[lead] refused bash: Not run: the command line's rule 'bash(rmdir:*)' forbids it",
        "[lead] refused bash: Not run: a hook of the user refuses it",
        "[alice] refused write_file: Not run: your plan must be approved",
        "[lead] failed bash: exit status 3",
    ] {
        assert!(all.contains(said), "{said}: {all}");
    }
    assert_eq!(all.matches("] failed ").count(), 1, "{all}");

    let ended = world.json_lines(".team/events.jsonl");
    let ended = ended
        .iter()
        .filter(|event| event["event"] == "tool_finished" && event["ok"] == false);
    let by: Vec<_> = ended.map(|event| event["refused"].as_str()).collect();
    assert_eq!(by, [Some("rule"), Some("hook"), None, Some("plan_gate")]);

    let shared = world.teammate(&["share"]).ends(0).out;
    assert!(shared.contains(" refused "), "{shared}");
}
