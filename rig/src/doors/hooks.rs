//! One file of hooks in Claude Code and here: what the same hook reads at the same events. Each key that Claude Code gives is
//! here, with a value of the same kind, but for those that are about what only it has.

use std::{collections::BTreeMap, fs, process::Stdio, sync::Arc, sync::Mutex};

use serde_json::{Map, Value, json};

use super::{
    Came,
    agents::NODE,
    model::{Asked, Model, Next},
    place::{Place, output, teammate},
};
use crate::listed::install::node;

const PACKAGE: &str = "@anthropic-ai/claude-code@2.1.330";

/// The events that both can be brought to without a person.
const EVENTS: [&str; 8] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "TaskCreated",
    "TaskCompleted",
    "Stop",
    "SessionEnd",
];

/// Keys about what only Claude Code has.
const ITS_OWN: [&str; 3] = ["prompt_id", "background_tasks", "session_crons"];

/// What the hook of each event does: it writes down what it reads.
const NOTES: &str =
    r#"cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"; echo >> "$CLAUDE_PROJECT_DIR/seen.jsonl""#;

/// What the member does at each step, as Claude Code's tools and ours have it.
const SCRIPT: [(&str, &str); 3] = [
    ("Bash", r#"{"command": "echo hi > made.txt"}"#),
    (
        "TaskCreate",
        r#"{"subject": "Look", "description": "at all of it"}"#,
    ),
    ("TaskUpdate", r#"{"taskId": "1", "status": "completed"}"#),
];

pub(super) fn run() -> Result<Vec<(String, Came)>, String> {
    let teammate = teammate()?;
    let came = match node("claude", &[NODE, PACKAGE]) {
        Err(why) => Came::Skipped(why),
        Ok(dir) => {
            let theirs = in_claude(&dir.join("node_modules/.bin"));
            let both = theirs.and_then(|theirs| Ok((theirs, here(&teammate)?)));
            let row = both.and_then(|(theirs, ours)| compared(&theirs, &ours));
            row.map_or_else(Came::Not, Came::Through)
        }
    };
    Ok(vec![(PACKAGE.to_owned(), came)])
}

/// What a hook read first at each event.
type Inputs = BTreeMap<String, Map<String, Value>>;

fn compared(theirs: &Inputs, ours: &Inputs) -> Result<String, String> {
    let mut wrong = Vec::new();
    for event in EVENTS {
        let (Some(theirs), Some(ours)) = (theirs.get(event), ours.get(event)) else {
            wrong.push(format!(
                "{event}: there {}, here {}",
                theirs.contains_key(event),
                ours.contains_key(event)
            ));
            continue;
        };
        for (key, value) in theirs {
            let same = ours.get(key).map(|ours| kind(ours) == kind(value));
            if same != Some(true) && !ITS_OWN.contains(&key.as_str()) {
                wrong.push(format!(
                    "{event}: {key} is {value} there, here {:?}",
                    ours.get(key)
                ));
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(format!("{} events, all keys the same", EVENTS.len())),
        false => Err(wrong.join("\n")),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "fields",
    }
}

/// The file of hooks, the same for both.
fn hooks() -> Value {
    let hook = json!([{ "hooks": [{ "type": "command", "command": NOTES }] }]);
    let hooks: Map<String, Value> = EVENTS
        .into_iter()
        .map(|event| (event.to_owned(), hook.clone()))
        .collect();
    json!({ "hooks": hooks })
}

fn inputs(place: &Place) -> Result<Inputs, String> {
    let path = place.work().join("seen.jsonl");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut inputs = Inputs::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Value::Object(fields) =
            serde_json::from_str(line).map_err(|error| error.to_string())?
        else {
            return Err(format!("no fields: {line}"));
        };
        let event = fields["hook_event_name"].as_str().unwrap_or_default();
        inputs.entry(event.to_owned()).or_insert(fields);
    }
    Ok(inputs)
}

fn in_claude(programs: &std::path::Path) -> Result<Inputs, String> {
    let place = Place::new()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let _in_runtime = runtime.enter();
    let done = Arc::new(Mutex::new(0));
    let model = runtime.block_on(Model::start(move |asked| next(asked, &done)))?;
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let mut claude = place.command(programs.join("claude"));
    claude
        .args(["-p", "Do it", "--model", "claude-sonnet-4-5"])
        .args(["--settings", &hooks().to_string()])
        .args(["--permission-mode", "bypassPermissions"])
        .env("PATH", path)
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "none")
        // It refuses to run as root otherwise.
        .env("IS_SANDBOX", "1")
        .stdin(Stdio::null());
    output(&mut claude)?;
    inputs(&place)
}

/// The next step; tools that are not shown are looked for once.
fn next(asked: &Asked, done: &Mutex<usize>) -> Next {
    let mut done = done
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some((tool, input)) = SCRIPT.get(*done) else {
        return Next::Says("Done.");
    };
    let input = serde_json::from_str(input).unwrap_or_default();
    match (asked.offered(tool), asked.offered("ToolSearch")) {
        (Some(offered), _) => {
            *done += 1;
            Next::Calls(offered, input)
        }
        (None, Some(finds)) if !asked.text.contains(&format!("select:{tool}")) => Next::Calls(
            finds,
            json!({ "query": format!("select:{tool}"), "max_results": 1 }),
        ),
        // A title, say.
        (None, _) => Next::Says("ok"),
    }
}

fn here(teammate: &std::path::Path) -> Result<Inputs, String> {
    let place = Place::new()?;
    let lead = json!([
        { "calls": [{ "tool": "bash", "input": { "command": "echo hi > made.txt" } }] },
        { "calls": [{ "tool": "create_task", "input": { "subject": "Look", "description": "at all of it" } }] },
        { "calls": [{ "tool": "claim_task", "input": { "task_id": 1 } }] },
        { "calls": [{ "tool": "complete_task", "input": { "task_id": 1, "result": "Looked." } }] },
        { "say": "Done." },
    ]);
    let play = json!({ "members": { "lead": lead } });
    let (file, play_file) = (
        place.home().join("hooks.json"),
        place.home().join("play.json"),
    );
    for (path, text) in [(&file, hooks()), (&play_file, play)] {
        fs::write(path, text.to_string()).map_err(|error| error.to_string())?;
    }
    let mut run = place.command(teammate);
    run.args(["run", "--permission-mode", "bypass"])
        .args(["--model", &format!("scripted:{}", play_file.display())])
        .arg("--hooks")
        .arg(file)
        .arg("Do it");
    output(&mut run)?;
    inputs(&place)
}
