//! What a caller brings itself: callbacks that decide, tools, hooks, kinds of members, and what it says while the team works.

use super::*;

// fast: questions to a program
#[test]
fn a_callback_decides_about_exactly_the_call_that_is_shown() {
    for (answer, exists) in [
        (
            json!({ "behavior": "allow", "updatedInput": { "command": "touch made" } }),
            true,
        ),
        (
            json!({ "behavior": "allow", "updatedInput": { "command": "touch other" } }),
            false,
        ),
        (json!({ "behavior": "deny", "message": "not here" }), false),
    ] {
        let world = asks();
        let mut caller = Caller::of(&world, &["--permission-prompt-tool", "stdio"]);
        caller.initialize(json!({}));
        caller.says("make it");
        let (id, asked) = caller.question();
        assert_eq!(asked["subtype"], "can_use_tool");
        assert_eq!(asked["tool_name"], "Bash");
        assert_eq!(asked["input"], json!({ "command": "touch made" }));
        let call = &caller.heard("assistant")[0]["message"]["content"][0];
        assert_eq!(asked["tool_use_id"], call["id"]);
        caller.answers(&id, answer.clone());
        let result = caller.result();
        assert_eq!(result["subtype"], "success");
        assert_eq!(world.path("made").exists(), exists, "{answer}");
        assert!(!world.path("other").exists());
        let denied = result["permission_denials"].as_array().unwrap();
        assert_eq!(denied.len(), usize::from(!exists), "{result}");
        assert_eq!(caller.leave(), 0);
    }
}

#[test]
fn a_caller_that_cannot_decide_or_has_gone_has_said_no() {
    let world = asks();
    let mut caller = Caller::of(&world, &["--permission-prompt-tool", "stdio"]);
    caller.says("make it");
    let (id, _) = caller.question();
    caller.fails(&id, "canUseTool callback is not provided.");
    assert_eq!(caller.result()["subtype"], "success");
    assert_eq!(caller.leave(), 0);
    assert!(!world.path("made").exists());

    let world = asks();
    let mut caller = Caller::of(&world, &["--permission-prompt-tool", "stdio"]);
    caller.says("make it");
    caller.question();
    assert_eq!(caller.leave(), 0);
    assert!(!world.path("made").exists());

    // Without a callback it is refused at once.
    let world = asks();
    let run = world
        .teammate(&["as-claude", "-p", "make it", "--output-format", "json"])
        .ends(0);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    let denied = json!([{ "tool_name": "Bash", "tool_input": { "command": "touch made" },
        "tool_use_id": result["permission_denials"][0]["tool_use_id"] }]);
    assert_eq!(result["permission_denials"], denied);
}

#[test]
fn a_caller_says_several_things_interrupts_and_changes_the_mode() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch begun; exec tail -f /dev/null").after("stay"),
            bash("touch made").after("make it"),
            say("Done.").otherwise(),
        ],
    )]));
    let mut caller = Caller::of(&world, &["--permission-mode", "bypassPermissions"]);
    caller.says("hello");
    assert_eq!(caller.result()["result"], "Done.");
    caller.says("stay");
    crate::world::until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    caller.asks(json!({ "subtype": "interrupt" })).unwrap();
    let stopped = caller.result();
    assert_eq!(stopped["subtype"], "error_during_execution");
    assert_eq!(stopped["is_error"], false);
    let mode = json!({ "subtype": "set_permission_mode", "mode": "dontAsk" });
    assert_eq!(caller.asks(mode).unwrap(), json!({ "mode": "default" }));
    caller.says("make it");
    caller.says("hello");
    assert_eq!(
        caller.result()["permission_denials"][0]["tool_name"],
        "Bash"
    );
    assert_eq!(caller.result()["subtype"], "success");
    assert!(!world.path("made").exists());
    let unknown = caller
        .asks(json!({ "subtype": "rewind_files" }))
        .unwrap_err();
    assert!(unknown.contains("does not do rewind_files"), "{unknown}");
    assert_eq!(caller.leave(), 0);
}

#[test]
fn tools_that_a_caller_serves_itself_are_tools_of_the_team() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("mcp__calc__add", json!({ "a": 1, "b": 2 }))]).after("add"),
            say("It is three.").after("is 3"),
        ],
    )]));
    let mut caller = Caller::of(&world, &["--allowedTools", "mcp__calc__add"]);
    caller.initialize(json!({ "sdkMcpServers": ["calc"] }));
    caller.says("add");
    caller.serves("calc");
    let result = caller.result();
    assert_eq!(result["result"], "It is three.");
    let init = &caller.heard("system")[0];
    assert!(
        init["tools"]
            .as_array()
            .unwrap()
            .contains(&json!("mcp__calc__add"))
    );
    assert_eq!(
        init["mcp_servers"],
        json!([{ "name": "calc", "status": "connected" }])
    );
    assert_eq!(caller.leave(), 0);
}

#[test]
fn a_hook_of_a_caller_refuses_a_call_and_reads_what_came_of_others() {
    for (answer, exists) in [
        (json!({}), true),
        (
            json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny",
                "permissionDecisionReason": "not here" } }),
            false,
        ),
    ] {
        let world = asks();
        let mut caller = Caller::of(&world, &["--dangerously-skip-permissions"]);
        let hooks = json!({
            "PreToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["hook_0"] }],
            "PostToolUse": [{ "matcher": null, "hookCallbackIds": ["hook_1"], "timeout": 5 }],
        });
        caller.initialize(json!({ "hooks": hooks }));
        caller.says("make it");
        let (id, asked) = caller.question();
        assert_eq!(
            (&asked["subtype"], &asked["callback_id"]),
            (&json!("hook_callback"), &json!("hook_0"))
        );
        assert_eq!(asked["input"]["tool_input"]["command"], "touch made");
        caller.answers(&id, answer);
        if exists {
            let (id, asked) = caller.question();
            assert_eq!(asked["callback_id"], "hook_1");
            caller.answers(&id, json!({}));
        }
        assert_eq!(caller.result()["subtype"], "success");
        assert_eq!(world.path("made").exists(), exists);
        assert_eq!(caller.leave(), 0);
    }
}

#[test]
fn a_hook_that_takes_too_long_is_asked_no_more() {
    let world = asks();
    let mut caller = Caller::of(&world, &["--dangerously-skip-permissions"]);
    let hooks = json!({ "PreToolUse": [{ "hookCallbackIds": ["hook_0"], "timeout": 0.1 }] });
    caller.initialize(json!({ "hooks": hooks }));
    caller.says("make it");
    let (id, asked) = caller.question();
    assert_eq!(asked["callback_id"], "hook_0");
    assert_eq!(caller.result()["subtype"], "success");
    assert_eq!(caller.heard("control_cancel_request")[0]["request_id"], id);
    // Its answer comes late, and harms nothing.
    caller.answers(&id, json!({}));
    assert_eq!(caller.leave(), 0);
}

#[test]
fn agents_of_a_caller_are_kinds_of_members() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([(
                    "spawn_teammate",
                    json!({ "name": "ada", "role": "critic", "prompt": "Look", "agent": "critic" }),
                )]),
                say("ada says: {{mail}}").after_mail_from("ada"),
                say("I wait.").otherwise(),
            ],
        ),
        ("ada", vec![bash("touch made"), say("Looked.")]),
    ]));
    let mut caller = Caller::of(&world, &["--dangerously-skip-permissions"]);
    let critic = json!({ "description": "Reads code", "prompt": "Be strict.", "tools": ["Read"], "model": "sonnet" });
    caller.initialize(json!({ "agents": { "critic": critic } }));
    caller.says("go");
    assert_eq!(caller.result()["result"], "ada says: Looked.");
    // It has the tools of its kind only.
    assert!(!world.path("made").exists());
    assert_eq!(caller.leave(), 0);
}
