//! What the model has an agent do: what the prompt of the measurement says, once, by the tool that the agent has for it.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::doors::model::{Asked, Next, Offered};

/// How the tool of the trial's server is found by name.
const FOUND: &str = "select:mcp__trial__write_note";

/// What was done.
#[derive(Default)]
pub(super) struct Turns {
    done: HashSet<String>,
    has_searched: bool,
}

/// What a prompt asks for.
enum Wanted<'a> {
    Shell(&'a str),
    File(&'a str),
    Tool,
}

impl Turns {
    /// What comes next in this conversation.
    pub(super) fn next(&mut self, asked: &Asked) -> Next {
        let Some((key, wanted)) = wanted(&asked.text) else {
            return Next::Says("ok");
        };
        if self.done.contains(key) {
            return Next::Says("done");
        }
        let call = match wanted {
            Wanted::Shell(line) => shell(asked, line),
            Wanted::File(path) => file(asked, path),
            Wanted::Tool => self.tool(asked),
        };
        match call {
            Some((tool, input)) => {
                // A search comes before the call.
                if tool.name.to_lowercase() != "toolsearch" && tool.name != "tool_search" {
                    self.done.insert(key.to_owned());
                }
                Next::Calls(tool, input)
            }
            None => Next::Says("ok"),
        }
    }

    fn tool(&mut self, asked: &Asked) -> Option<(Offered, Value)> {
        if let Some(offered) = asked.offered("write_note") {
            return Some((offered, json!({})));
        }
        let finds = asked.offered("ToolSearch").or(asked.offered("tool_search"));
        if let (Some(finds), false) = (finds, self.has_searched) {
            self.has_searched = true;
            return Some((finds, json!({ "query": FOUND, "max_results": 3 })));
        }
        let input = json!({ "name": "mcp__trial__write_note", "arguments": {} });
        Some((asked.offered("tool_call")?, input))
    }
}

/// The last prompt in a request, and what it asks for.
fn wanted(text: &str) -> Option<(&str, Wanted<'_>)> {
    let shell = text.rfind("then say done: ").map(|at| {
        let line = &text[at + "then say done: ".len()..];
        let line = &line[..line.find(['"', '\\', '\n']).unwrap_or(line.len())];
        (at, (line, Wanted::Shell(line)))
    });
    let file = text.rfind("write the file ").and_then(|at| {
        let path = &text[at + "write the file ".len()..];
        let path = &path[..path.find(" with the content: ")?];
        Some((at, (path, Wanted::File(path))))
    });
    let tool = text
        .rfind("Call the tool write_note")
        .map(|at| (at, ("write_note", Wanted::Tool)));
    let all = [shell, file, tool].into_iter().flatten();
    all.max_by_key(|(at, _)| *at).map(|(_, wanted)| wanted)
}

/// The agent's tool for commands.
pub(in crate::doors) fn shell(asked: &Asked, line: &str) -> Option<(Offered, Value)> {
    let inputs = [
        (
            "Bash",
            json!({ "command": line, "description": "As asked" }),
        ),
        (
            "bash",
            json!({ "command": line, "description": "As asked" }),
        ),
        ("exec_command", json!({ "cmd": line })),
        ("shell_command", json!({ "command": line })),
        (
            "run_shell_command",
            json!({ "command": line, "is_background": false }),
        ),
        ("shell", json!({ "command": ["sh", "-c", line] })),
    ];
    first(asked, inputs)
}

/// The agent's tool for files.
fn file(asked: &Asked, path: &str) -> Option<(Offered, Value)> {
    let inputs = [
        ("Write", json!({ "file_path": path, "content": "done" })),
        (
            "write_file",
            json!({ "file_path": path, "content": "done" }),
        ),
    ];
    first(asked, inputs)
}

fn first<const N: usize>(asked: &Asked, inputs: [(&str, Value); N]) -> Option<(Offered, Value)> {
    let named = |name: &str| asked.offered(name).filter(|tool| tool.name == name);
    inputs
        .into_iter()
        .find_map(|(name, input)| Some((named(name)?, input)))
}
