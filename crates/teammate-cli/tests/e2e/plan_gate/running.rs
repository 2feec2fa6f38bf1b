//! Nothing goes on behind a closed gate: what runs ends when a plan is required.

use super::*;

#[test]
fn what_runs_in_the_background_ends_when_a_plan_is_required() {
    let mark = format!("sleep 97{}", std::process::id());
    let serve = |command: &str| json!({ "command": command, "run_in_background": true });
    let puppet =
        format!("touch begun; while sleep 0.05; do test -e go && touch puppet; done; {mark}");
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "Begin", false)]).after("GO"),
                bash("until test -e begun -a -e left -a -e at-it; do sleep 0.02; done").after("'alice'"),
                calls([("request_plan", json!({ "name": "alice", "task": "the rest" }))])
                    .after("exit status 0"),
                bash("touch go; sleep 1").after("Asked 'alice'"),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("bash", serve(&puppet))]).after("Begin"),
                // What a command leaves running ends, too.
                bash(&format!("setsid sh -c 'touch left; while sleep 0.05; do test -e go && touch left-puppet; done; {mark}' > /dev/null 2>&1 &"))
                    .after("b1"),
                // And what is on its way at that moment.
                bash(&format!("touch at-it; while sleep 0.05; do test -e go && touch busy; done; {mark}")),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    for path in ["puppet", "left-puppet", "busy"] {
        assert!(
            !world.path(path).exists(),
            "{path} was made behind a closed gate"
        );
    }
    let said = world.outcomes("lead");
    let asked = outcome_with(&said, "Asked 'alice' for a plan");
    assert!(
        asked.contains("Its background jobs were ended: b1 (touch begun;"),
        "{asked}"
    );
    let heard = world.heard("alice");
    let told = "Your background jobs were ended: b1 (touch begun;";
    assert!(heard.iter().any(|mail| mail.contains(told)), "{heard:#?}");
    outcome_with(
        &world.outcomes("alice"),
        "Stopped: your plan gate was closed",
    );
}

#[test]
fn running_subagents_end_when_a_plan_is_required() {
    let apart = json!({ "prompt": "work", "run_in_background": true });
    let busy = |path: &str| {
        bash(&format!(
            "touch {path}; while sleep 0.05; do test -e go && touch {path}-late; done"
        ))
    };
    let world = World::playing(&json!({ "members": {
        "lead": [
            calls([spawn("alice", "Begin", false)]).after("GO"),
            bash("until test -e apart -a -e near; do sleep 0.02; done").after("'alice'"),
            calls([("request_plan", json!({ "name": "alice", "task": "the rest" }))])
                .after("exit status 0"),
            bash("touch go; sleep 1").after("Asked 'alice'"),
            waits(),
        ],
        "alice": [
            calls([("task", apart)]).after("Begin"),
            calls([("task", json!({ "prompt": "near" }))]).after("b1"),
            waits(),
        ],
        "alice/*": [busy("near").after("near"), busy("apart"), waits()],
    } }));
    world.run("GO").ends(0);
    for path in ["near-late", "apart-late"] {
        assert!(
            !world.path(path).exists(),
            "{path} was made behind a closed gate"
        );
    }
    let said = world.outcomes("lead");
    assert!(outcome_with(&said, "Asked 'alice'").contains("were ended: b1 ("));
}
