//! Calls as other programs' models write them: each argument of their public tools is read here, or limits nothing, or is refused
//! by its name. None is dropped that could have limited something.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use teammate_core::{
    port::Tool,
    tool::{Outcome, ToolInput},
};
use teammate_tools::TOOL_ALIASES;

use crate::{catalogue::all, support::Bench};
use Fate::{Harmless, Read, Refused};

/// What becomes of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The tool reads it: the sample fits, and what cannot be meant does not.
    Read,
    /// The call is the same without it.
    Harmless,
    /// The call is refused, and names it.
    Refused,
}

/// A tool of another program: its name, a call, and its arguments, each with a sample.
struct Foreign {
    name: &'static str,
    call: Value,
    arguments: Vec<(&'static str, Value, Fate)>,
}

fn foreign(
    name: &'static str,
    call: Value,
    arguments: Vec<(&'static str, Value, Fate)>,
) -> Foreign {
    Foreign {
        name,
        call,
        arguments,
    }
}

/// As the documents of the program whose names are understood list them.
fn tools() -> Vec<Foreign> {
    let file = json!({"file_path": "a.txt"});
    vec![
        foreign(
            "Bash",
            json!({"command": "true"}),
            vec![
                ("command", json!("true"), Read),
                ("timeout", json!(120_000), Read),
                ("description", json!("looks"), Harmless),
                ("run_in_background", json!(true), Read),
                ("dangerouslyDisableSandbox", json!(false), Harmless),
                ("dangerouslyDisableSandbox", json!(true), Refused),
            ],
        ),
        foreign(
            "BashOutput",
            json!({"bash_id": "b1"}),
            vec![
                ("bash_id", json!("b1"), Read),
                ("filter", json!("error"), Refused),
            ],
        ),
        foreign(
            "KillShell",
            json!({"shell_id": "b1"}),
            vec![("shell_id", json!("b1"), Read)],
        ),
        foreign(
            "TaskOutput",
            json!({"task_id": "b1"}),
            vec![
                ("task_id", json!("b1"), Read),
                ("block", json!(false), Read),
                ("timeout", json!(30_000), Read),
            ],
        ),
        foreign(
            "TaskStop",
            json!({"task_id": "b1"}),
            vec![("task_id", json!("b1"), Read)],
        ),
        foreign(
            "Read",
            file.clone(),
            vec![
                ("file_path", json!("a.txt"), Read),
                ("offset", json!(1), Read),
                ("limit", json!(1), Read),
                ("pages", json!("1-5"), Refused),
            ],
        ),
        foreign(
            "Write",
            json!({"file_path": "a.txt", "content": "x"}),
            vec![
                ("file_path", json!("a.txt"), Read),
                ("content", json!("y"), Read),
            ],
        ),
        foreign(
            "Edit",
            json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"}),
            vec![
                ("old_string", json!("one"), Read),
                ("new_string", json!("three"), Read),
                ("replace_all", json!(true), Read),
            ],
        ),
        foreign(
            "Glob",
            json!({"pattern": "*"}),
            vec![("pattern", json!("*.rs"), Read), ("path", json!("."), Read)],
        ),
        foreign(
            "Grep",
            json!({"pattern": "x"}),
            vec![
                ("pattern", json!("y"), Read),
                ("path", json!("."), Read),
                ("glob", json!("*.rs"), Read),
                ("output_mode", json!("files_with_matches"), Read),
                ("output_mode", json!("content"), Read),
                ("-A", json!(1), Read),
                ("-B", json!(1), Read),
                ("-C", json!(1), Read),
                ("context", json!(1), Read),
                ("-i", json!(true), Read),
                ("head_limit", json!(1), Read),
                ("-n", json!(true), Harmless),
                ("-o", json!(false), Harmless),
                ("-o", json!(true), Refused),
                ("multiline", json!(false), Harmless),
                ("multiline", json!(true), Refused),
                ("type", json!("rust"), Refused),
                ("offset", json!(5), Refused),
            ],
        ),
        foreign(
            "WebFetch",
            json!({"url": "https://example.org/"}),
            vec![
                ("url", json!("https://example.org/a"), Read),
                ("prompt", json!("what is it?"), Harmless),
            ],
        ),
        foreign(
            "WebSearch",
            json!({"query": "rust"}),
            vec![
                ("query", json!("c"), Read),
                ("allowed_domains", json!(["example.org"]), Refused),
                ("blocked_domains", json!(["example.org"]), Refused),
            ],
        ),
        foreign(
            "SendMessage",
            json!({"to": "alice", "message": "hello"}),
            vec![
                ("to", json!("bob"), Read),
                ("recipient", json!("bob"), Read),
                ("message", json!("hello"), Read),
                ("content", json!("hello"), Read),
                ("type", json!("message"), Read),
                ("summary", json!("greets"), Harmless),
                ("request_id", json!("req_000001"), Refused),
                ("approve", json!(true), Refused),
            ],
        ),
        foreign(
            "TeamCreate",
            json!({"team_name": "docs"}),
            vec![
                ("team_name", json!("docs"), Read),
                ("description", json!("writes"), Harmless),
                ("agent_type", json!("lead"), Harmless),
            ],
        ),
        foreign(
            "TeamDelete",
            json!({"team_name": "docs"}),
            vec![("team_name", json!("docs"), Read)],
        ),
        foreign("Task", json!({"prompt": "look"}), of_agents(Refused)),
        foreign(
            "Agent",
            json!({"prompt": "look", "name": "alice"}),
            of_agents(Read),
        ),
        foreign(
            "TaskCreate",
            json!({"subject": "s", "description": "d"}),
            vec![
                ("subject", json!("t"), Read),
                ("description", json!("e"), Read),
                ("activeForm", json!("doing"), Read),
                ("metadata", json!({"a": 1}), Refused),
            ],
        ),
        foreign(
            "TaskGet",
            json!({"taskId": "1"}),
            vec![("taskId", json!("1"), Read)],
        ),
        foreign(
            "TaskUpdate",
            json!({"taskId": "1"}),
            vec![
                ("taskId", json!("2"), Read),
                ("subject", json!("t"), Read),
                ("description", json!("e"), Read),
                ("activeForm", json!("doing"), Read),
                ("status", json!("completed"), Read),
                ("addBlocks", json!(["3"]), Read),
                ("addBlockedBy", json!(["3"]), Read),
                ("owner", json!("alice"), Read),
                ("metadata", json!({"a": 1}), Refused),
            ],
        ),
        foreign("TaskList", json!({}), vec![]),
        foreign(
            "Skill",
            json!({"skill": "pdf"}),
            vec![
                ("skill", json!("pdf"), Read),
                ("args", json!("a.pdf"), Read),
            ],
        ),
        foreign(
            "TodoWrite",
            json!({"todos": []}),
            vec![(
                "todos",
                json!([{"content": "c", "status": "pending", "activeForm": "f", "id": "1", "priority": "high"}]),
                Read,
            )],
        ),
        foreign(
            "ExitPlanMode",
            json!({"plan": "p"}),
            vec![
                ("plan", json!("q"), Read),
                (
                    "allowedPrompts",
                    json!([{"tool": "Bash", "prompt": "run tests"}]),
                    Harmless,
                ),
                ("pushToRemote", json!(true), Refused),
                ("launchSwarm", json!(true), Refused),
                ("teammateCount", json!(3), Refused),
            ],
        ),
        foreign(
            "check_inbox",
            json!({}),
            vec![("name", json!("alice"), Refused)],
        ),
    ]
}

/// Those of what delegates. What only a teammate can be given is refused without a name.
fn of_agents(teammates: Fate) -> Vec<(&'static str, Value, Fate)> {
    vec![
        ("prompt", json!("look"), Read),
        ("description", json!("looks around"), Read),
        ("subagent_type", json!("explore"), Read),
        ("model", json!("openai:gpt-5"), Read),
        ("model", json!("sonnet"), Refused),
        ("run_in_background", json!(true), Read),
        ("team_name", json!("docs"), teammates),
        ("mode", json!("plan"), teammates),
        ("mode", json!("acceptEdits"), teammates),
        ("mode", json!("dontAsk"), Refused),
        ("isolation", json!("worktree"), teammates),
        ("isolation", json!("remote"), Refused),
        ("plan_mode_required", json!(true), teammates),
        ("resume", json!("a1"), Refused),
        ("max_turns", json!(3), Refused),
        ("allowed_tools", json!(["Read"]), Refused),
        ("cwd", json!("/tmp"), Refused),
    ]
}

/// What a call would do, as the user is shown it.
fn action(tool: &Arc<dyn Tool>, bench: &Bench, call: &Value) -> Result<String, Outcome> {
    let input = ToolInput::from_json(call.to_string());
    let ready = tool.read(&input, &bench.context)?;
    Ok(format!("{}\n{}", ready.action.shows, ready.action.summary))
}

fn with(call: &Value, argument: &str, value: Value) -> Value {
    let mut call: Map<String, Value> = call.as_object().unwrap().clone();
    // One argument under two names is no call.
    for others in [
        ["to", "recipient"],
        ["message", "content"],
        ["context", "-C"],
    ] {
        if others.contains(&argument) {
            call.retain(|name, _| !others.contains(&name.as_str()));
        }
    }
    call.insert(argument.to_owned(), value);
    Value::Object(call)
}

#[test]
fn every_argument_of_other_programs_is_read_or_limits_nothing_or_is_refused_by_name() {
    let bench = Bench::new();
    bench.file("a.txt", "one\n");
    let (known, tools) = (all(), tools());
    for (alias, _) in TOOL_ALIASES {
        assert!(
            tools.iter().any(|tool| tool.name == alias),
            "{alias} has no row"
        );
    }
    for Foreign {
        name,
        call,
        arguments,
    } in tools
    {
        let (_, own) = TOOL_ALIASES
            .iter()
            .find(|(alias, _)| *alias == name)
            .unwrap();
        let tool = known.iter().find(|tool| tool.spec().name == *own).unwrap();
        let plain = action(tool, &bench, &call).unwrap();
        for (argument, sample, fate) in arguments {
            let shown = format!("{name} {argument}: {sample}");
            let found = action(tool, &bench, &with(&call, argument, sample));
            let found = found.map_err(|outcome| outcome.text());
            match fate {
                Read => {
                    assert!(found.is_ok(), "{shown}: {found:?}");
                    let nonsense = json!({"no": ["such", "value"]});
                    let wrong = action(tool, &bench, &with(&call, argument, nonsense));
                    let wrong = wrong.expect_err(&shown).text();
                    assert!(!wrong.contains("has no argument"), "{shown}: {wrong}");
                }
                Harmless => assert_eq!(found.as_ref(), Ok(&plain), "{shown}"),
                Refused => {
                    let why = found.expect_err(&shown);
                    // Some are named by our own word.
                    let ours = [
                        ("team_name", "team"),
                        ("plan_mode_required", "require_plan"),
                        ("model", "PROVIDER:NAME"),
                    ];
                    let own = ours.iter().find(|(other, _)| *other == argument);
                    let named = why.contains(own.map_or(argument, |(_, own)| own));
                    assert!(named, "{shown}: {why}");
                }
            }
        }
    }
}

#[test]
fn no_tool_drops_an_argument_that_it_does_not_have() {
    let bench = Bench::new();
    for tool in all() {
        let spec = tool.spec();
        let read = tool.read(
            &ToolInput::from_json(r#"{"only_in_moonlight": true}"#.to_owned()),
            &bench.context,
        );
        let why = read.err().map(|outcome| outcome.text()).unwrap_or_default();
        let wanted = format!("{} has no argument 'only_in_moonlight'. It has", spec.name);
        assert!(
            why.starts_with(&wanted) && why.ends_with("Nothing was done."),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_teammate_gets_the_terms_that_other_programs_words_ask_for() {
    for tool in ["spawn_teammate", "task"] {
        for (argument, value, term) in [
            ("isolation", json!("worktree"), "worktree: true"),
            ("mode", json!("plan"), "require_plan: true"),
            ("plan_mode_required", json!(true), "require_plan: true"),
            ("mode", json!("acceptEdits"), "mode: Some(AcceptEdits)"),
            ("mode", json!("default"), "mode: Some(Ask)"),
        ] {
            let bench = Bench::new();
            let call = with(&json!({"name": "alice", "prompt": "p"}), argument, value);
            bench.ok(tool, call).await;
            let asked = bench.team.asked();
            assert!(asked.contains(term), "{tool} {argument}: {asked}");
        }
    }
}

#[tokio::test]
async fn a_search_shows_as_many_entries_and_lines_around_as_were_asked_for() {
    let bench = Bench::new();
    bench.file("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    let found = bench
        .ok("grep", json!({"pattern": "three", "-A": 1, "-B": 0}))
        .await;
    assert_eq!(found, "a.txt:3:three\na.txt-4-four");
    let found = bench
        .ok("grep", json!({"pattern": "F", "-i": true, "head_limit": 1}))
        .await;
    assert!(
        found.starts_with("a.txt:4:four\n[the first 1 are shown"),
        "{found}"
    );
}

#[tokio::test]
async fn a_limit_in_milliseconds_ends_a_command() {
    let bench = Bench::new();
    let told = bench
        .error("bash", json!({"command": "sleep 1000", "timeout": 3_601}))
        .await;
    assert!(told.contains("4 s"), "{told}");
    let told = bench
        .error("bash", json!({"command": "true", "timeout": 30}))
        .await;
    assert!(told.contains("give timeout_seconds"), "{told}");
}
