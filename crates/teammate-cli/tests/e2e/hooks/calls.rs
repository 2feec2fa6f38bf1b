//! Hooks before and after calls of tools, and around questions about them.

use std::fs;

use serde_json::json;

use super::{NOTES, audited, own, told};
use crate::{
    play::{Scene as _, bash, calls, play, say},
    terminal::Terminal,
    world::{World, until},
};

/// Refuses what has this word in it.
fn refuses(word: &str) -> String {
    format!("if grep -q '{word}'; then echo 'not {word}' >&2; exit 2; fi")
}

fn lead(scenes: Vec<serde_json::Value>) -> World {
    let scenes = scenes.into_iter().chain([say("Done.").otherwise()]);
    World::playing(&play([("lead", scenes.collect())]))
}

// fast: hooks of calls
#[test]
fn a_refused_call_does_not_run_and_its_model_reads_why() {
    let world = lead(vec![bash("rm kept"), bash("touch made")]);
    fs::write(world.path("kept"), "").unwrap();
    own(&world, [("PreToolUse", "Bash", &refuses("rm kept"))]);
    world.run("Go").ends(0);
    let outcomes = world.outcomes("lead");
    assert_eq!(
        outcomes[0],
        "Not run: a hook of the user refuses it.\n[if grep -q 'rm kept'; then echo 'not rm kept' >&2; exit 2; f...]: not rm kept"
    );
    assert!(world.path("kept").exists() && world.path("made").exists());
    let audited = audited(&world);
    assert_eq!(audited.len(), 1, "{audited:?}");
    assert_eq!(audited[0]["hook"], "PreToolUse");
    assert_eq!(audited[0]["shows"], "bash: rm kept");
    assert_eq!(audited[0]["member"], "lead");
}

#[test]
fn a_hook_is_told_exactly_what_would_happen_by_the_names_that_it_knows() {
    let edit = json!({ "path": "src/../a.txt", "old_text": "one", "new_text": "two" });
    let world = lead(vec![
        calls([("edit_file", edit)]),
        calls([("bash", json!({ "cmd": "cat a.txt" }))]),
    ]);
    fs::create_dir(world.path("src")).unwrap();
    fs::write(world.path("a.txt"), "one\n").unwrap();
    own(
        &world,
        [
            ("PreToolUse", "Edit|Write|bash", NOTES),
            ("PreToolUse", "Grep", "exit 2"),
            ("PostToolUse", "", NOTES),
        ],
    );
    world.run("Go").ends(0);
    let told_before = told(&world, "PreToolUse");
    assert_eq!(told_before.len(), 2, "{told_before:?}");
    let [edit, bash] = &told_before[..] else {
        panic!()
    };
    let real = world.work().canonicalize().unwrap();
    let file = real.join("a.txt").display().to_string();
    assert_eq!(edit["tool_name"], "Edit");
    assert_eq!(
        edit["tool_input"],
        json!({ "file_path": file, "old_string": "one", "new_string": "two" })
    );
    assert!(edit["shows"].as_str().unwrap().contains("+two"), "{edit}");
    assert_eq!(bash["tool_name"], "Bash");
    assert_eq!(bash["tool"], "bash");
    assert_eq!(bash["tool_input"], json!({ "command": "cat a.txt" }));
    assert_eq!(bash["permission_mode"], "bypassPermissions");
    assert_eq!(bash["cwd"], real.display().to_string());
    assert_eq!(bash["member"], "lead");
    assert_eq!(bash.get("agent_id"), None);
    let transcript = real.join(".team/agents/lead/transcript.jsonl");
    assert_eq!(bash["transcript_path"], transcript.display().to_string());
    let after = told(&world, "PostToolUse");
    let response = after[1]["tool_response"]["stdout"].as_str().unwrap();
    assert!(response.starts_with("two\n"), "{response}");
    assert_eq!(after[1]["tool_use_id"], bash["tool_use_id"]);
    assert_ne!(after[1]["event_id"], bash["event_id"]);
}

#[test]
fn a_refusal_saves_the_question() {
    let world = lead(vec![bash("touch made")]);
    own(&world, [("PreToolUse", "Bash", "echo 'no' >&2; exit 2")]);
    // Nobody could be asked: a question would end it with 4.
    world.teammate(&["run", "Go"]).ends(0);
    assert!(!world.path("made").exists());
}

#[test]
fn a_hook_that_asks_has_the_user_asked_whatever_allows_the_call() {
    let asks = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"look first"}}'"#;
    let world = lead(vec![bash("touch made")]);
    own(&world, [("PreToolUse", "Bash", asks)]);
    world.run("Go").ends(4);
    let outcome = &world.outcomes("lead")[0];
    assert!(
        outcome.starts_with("Not run: bash needs permission and nobody can be asked here. A hook has the user asked: "),
        "{outcome}"
    );
    assert!(outcome.ends_with("look first"), "{outcome}");
    assert!(!world.path("made").exists());
}

#[test]
fn a_hook_that_allows_allows_nothing() {
    let allows = r#"echo '{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"true"}}}'"#;
    let world = lead(vec![bash("touch made"), bash("touch more")]);
    own(&world, [("PreToolUse", "Bash", allows)]);
    let run = world.teammate(&["run", "Go"]).ends(4);
    assert!(!world.path("made").exists());
    // Said once, however often it happens.
    assert_eq!(
        run.err.matches("wants to allow it").count(),
        1,
        "{}",
        run.err
    );
    assert_eq!(run.err.matches("wants to change the call").count(), 1);
    let denied = world.teammate(&[
        "run",
        "--permission-mode",
        "bypass",
        "--deny",
        "bash(touch:*)",
        "Go on",
    ]);
    denied.ends(0);
    assert!(!world.path("made").exists());
}

#[test]
fn calls_of_a_subagent_pass_the_same_hooks() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([(
                    "task",
                    json!({ "prompt": "Remove it", "agent_type": "general" }),
                )]),
                say("Done.").otherwise(),
            ],
        ),
        (
            "lead/general",
            vec![bash("rm kept"), say("It said: {{last_result}}").otherwise()],
        ),
    ]));
    fs::write(world.path("kept"), "").unwrap();
    own(
        &world,
        [
            ("PreToolUse", "Bash", &refuses("rm kept")),
            ("PreToolUse", "Bash", NOTES),
            ("SubagentStart", "general", NOTES),
            ("SubagentStop", "", NOTES),
        ],
    );
    world.run("Go").ends(0);
    assert!(world.path("kept").exists());
    let outcome = &world.outcomes("lead")[0];
    assert!(
        outcome.contains("a hook of the user refuses it"),
        "{outcome}"
    );
    let call = &told(&world, "PreToolUse")[0];
    assert_eq!(call["agent_id"], "lead@default/general");
    assert_eq!(call["agent_type"], "general");
    assert_eq!(call["member"], "lead");
    assert_eq!(told(&world, "SubagentStart")[0]["prompt"], "Remove it");
    let stop = &told(&world, "SubagentStop")[0];
    assert_eq!(stop["stop_hook_active"], false);
    assert_eq!(stop.get("agent_transcript_path"), None);
}

#[test]
fn what_a_hook_says_afterwards_is_read_with_the_outcome() {
    let adds = r#"echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"lint: 2 warnings"}}'"#;
    let world = lead(vec![bash("echo fine"), bash("exit 3")]);
    own(
        &world,
        [
            ("PostToolUse", "Bash", adds),
            ("PostToolUse", "Bash", "echo 'format it' >&2; exit 2"),
            ("PostToolUseFailure", "Bash", NOTES),
        ],
    );
    world.run("Go").ends(0);
    let outcome = &world.outcomes("lead")[0];
    assert!(
        outcome
            .contains("\nPostToolUse hook feedback:\n[echo 'format it' >&2; exit 2]: format it\n"),
        "{outcome}"
    );
    assert!(
        outcome.ends_with("\">\nlint: 2 warnings\n</notes>"),
        "{outcome}"
    );
    let failed = told(&world, "PostToolUseFailure");
    assert_eq!(failed.len(), 1);
    assert!(
        failed[0]["error"].as_str().unwrap().contains("exit"),
        "{failed:?}"
    );
    assert_eq!(failed[0]["is_interrupt"], false);
}

#[test]
fn a_question_is_announced_and_its_end_is_told() {
    let world = lead(vec![bash("touch made"), bash("touch never")]);
    own(
        &world,
        [
            ("PermissionAsked", "", NOTES),
            ("PermissionAsked", "Bash", &refuses("never")),
            ("PermissionSettled", "", NOTES),
        ],
    );
    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("Go");
    until(
        || world.teammate(&["requests"]).out.contains("touch made"),
        || terminal.shows(),
    );
    world.teammate(&["approve", "1"]).ends(0);
    terminal.until("Done.");
    terminal.quits();
    let asked = told(&world, "PermissionAsked");
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0]["tool_input"]["command"], "touch made");
    assert_ne!(asked[0]["because"], "");
    let settled = told(&world, "PermissionSettled");
    assert_eq!(
        settled.len(),
        1,
        "what a hook refuses is no question: {settled:?}"
    );
    assert_eq!(settled[0]["decision"], "approved");
    assert!(world.path("made").exists() && !world.path("never").exists());
}

#[test]
fn a_hook_can_end_the_turn() {
    let halts = r#"if grep -q 'touch two'; then echo '{"continue":false,"stopReason":"enough of that"}'; fi"#;
    let world = lead(vec![
        bash("touch one"),
        bash("touch two"),
        bash("touch three"),
    ]);
    own(&world, [("PreToolUse", "Bash", halts)]);
    let run = world.run("Go").ends(3);
    assert!(run.err.contains("enough of that"), "{}", run.err);
    assert!(world.path("one").exists());
    assert!(!world.path("two").exists() && !world.path("three").exists());
    // The next turn is not ended by what ended the last.
    own(&world, []);
    world.run("Go on").ends(0);
    assert!(world.path("three").exists());
}
