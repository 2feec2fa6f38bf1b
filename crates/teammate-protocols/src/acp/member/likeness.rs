//! Which tool of the team does what a tool of an agent does: so rules about commands and files hold for external agents, too.
//! What an agent says of its call is its own word: the walls hold it, not the answer.

use serde_json::{Value, json};
use teammate_core::{
    port::AgentQuestion,
    tool::{CallId, EffectClass, ToolCall, ToolInput, ToolName},
};

use crate::acp::question::Question;

/// How much of what an agent asks about is shown, in bytes.
const SHOWN_MAX: usize = 16 << 10;

/// Tools of the team, by their names.
#[derive(Debug, Clone, Copy)]
pub struct NativeTools {
    /// Runs `{"command": ...}`.
    pub command: &'static str,
    /// Writes `{"path": ..., "content": ...}`.
    pub write: &'static str,
}

impl NativeTools {
    /// The agent's question, as the permission gate reads it.
    pub(super) fn question(self, question: &Question) -> AgentQuestion {
        let tool = match &*question.kind {
            "" | "other" => "tool",
            kind => kind,
        };
        AgentQuestion {
            tool: tool.to_owned(),
            class: class_of(&question.kind),
            shows: shown(question),
            like: self.like(question),
        }
    }

    fn like(self, question: &Question) -> Option<ToolCall> {
        let call = |name: &str, input: &Value| ToolCall {
            id: CallId::new(question.call.clone()),
            name: name.to_owned(),
            input: ToolInput::from_json(input.to_string()),
        };
        match &*question.kind {
            "execute" => {
                let command = command_of(&question.input)?;
                Some(call(self.command, &json!({ "command": command })))
            }
            "edit" | "delete" | "move" => {
                // Of several files none stands for all.
                let [path] = question.paths.as_slice() else {
                    return None;
                };
                Some(call(self.write, &json!({ "path": path, "content": "" })))
            }
            _ => None,
        }
    }
}

/// The command of a call: a text, or words.
fn command_of(input: &Value) -> Option<String> {
    match &input["command"] {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            match words?.as_slice() {
                // A shell's own words say nothing; what it runs does.
                [_, "-c" | "-lc", line] => Some((*line).to_owned()),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

fn class_of(kind: &str) -> EffectClass {
    match kind {
        "read" | "search" | "think" => EffectClass::Reads,
        "edit" | "delete" | "move" => EffectClass::Writes,
        "execute" => EffectClass::Executes,
        // What it fetches, or does otherwise, is its own affair.
        _ => EffectClass::Calls,
    }
}

/// The whole of it, for people.
fn shown(question: &Question) -> String {
    let mut parts = vec![question.title.clone()];
    let input = match command_of(&question.input) {
        Some(command) => command,
        None if question.input.is_null() => String::new(),
        None => serde_json::to_string_pretty(&question.input).unwrap_or_default(),
    };
    for part in [input, question.diff.clone()] {
        if !part.is_empty() && part != question.title {
            parts.push(part);
        }
    }
    let mut all = parts.join("\n");
    if all.len() > SHOWN_MAX {
        let left_out = all.len() - SHOWN_MAX;
        all.truncate(all.floor_char_boundary(SHOWN_MAX));
        all.push_str(&format!("\n[{left_out} bytes more]"));
    }
    all
}

/// Whether a call is one of the team's own tools, which the team checks itself: agents have names of their own for the tools of
/// servers, but for this part of it.
pub(super) fn is_team_tool(tools: &[ToolName], title: &str, kind: &str) -> bool {
    let can_be = !matches!(
        kind,
        "execute" | "edit" | "delete" | "move" | "fetch" | "read"
    );
    can_be && title.contains(super::SERVER) && tools.iter().any(|tool| title.contains(&**tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NATIVE: NativeTools = NativeTools {
        command: "bash",
        write: "write_file",
    };

    fn asked(kind: &str, input: &Value, path: &str) -> AgentQuestion {
        let question = Question::read(&json!({
            "sessionId": "s",
            "toolCall": {
                "toolCallId": "c", "title": "It", "kind": kind, "rawInput": input,
                "locations": [{ "path": path }],
                "content": [{ "type": "diff", "path": path, "oldText": "a\nb\n", "newText": "a\nc\n" }],
            },
            "options": [],
        }));
        NATIVE.question(&question.unwrap())
    }

    /// The tool of ours, and what it would be called with.
    fn like(question: &AgentQuestion) -> (String, Value) {
        match &question.like {
            Some(ToolCall {
                name,
                input: ToolInput::Json(json),
                ..
            }) => (name.clone(), serde_json::from_str(json.get()).unwrap()),
            Some(_) | None => ("nothing".to_owned(), Value::Null),
        }
    }

    fn ours(tool: &str, input: Value) -> (String, Value) {
        (tool.to_owned(), input)
    }

    #[test]
    fn commands_and_files_are_like_ours() {
        let shell = asked("execute", &json!({ "command": "npm test" }), "");
        assert_eq!(like(&shell), ours("bash", json!({ "command": "npm test" })));
        assert!(shell.shows.starts_with("It\nnpm test"), "{}", shell.shows);
        let words = json!({ "command": ["bash", "-lc", "ls | wc"] });
        let words = asked("execute", &words, "");
        assert_eq!(like(&words), ours("bash", json!({ "command": "ls | wc" })));
        let edit = asked("edit", &json!({}), "/work/a.rs");
        let input = json!({ "path": "/work/a.rs", "content": "" });
        assert_eq!(like(&edit), ours("write_file", input));
        assert!(edit.shows.contains("- b\n+ c"), "{}", edit.shows);
        let other = asked("fetch", &json!({ "url": "https://x" }), "");
        assert_eq!(like(&other).0, "nothing");
        assert_eq!(other.class, EffectClass::Calls);
    }

    #[test]
    fn the_teams_tools_are_known_by_whatever_they_are_called() {
        let tools: [ToolName; 1] = ["send_message".into()];
        for (title, kind, is_one) in [
            ("mcp__team__send_message", "other", true),
            ("send_message (team MCP server)", "", true),
            ("mcp__other__send_message", "other", false),
            ("rm -rf team send_message", "execute", false),
        ] {
            assert_eq!(is_team_tool(&tools, title, kind), is_one, "{title}");
        }
    }
}
