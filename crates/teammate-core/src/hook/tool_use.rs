//! A tool call as hooks read it: by the names that hook files of other programs use, with exactly what would happen.

use serde_json::{Map, Value, json};

use crate::{
    cause::Cause,
    permission::{Action, NET, Target},
    tool::{ToolCall, ToolInput, ToolNames},
};

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// Our own name of the tool.
    tool: String,
    /// All names by which matchers know it, the one that hooks read first.
    names: Vec<String>,
    input: Map<String, Value>,
    shows: String,
    id: String,
    call: Cause,
}

impl ToolUse {
    /// This call, which would do this. It has the tool's own name.
    pub fn of(call: &ToolCall, cause: &Cause, action: &Action, names: &ToolNames) -> Self {
        let others = names.others(&call.name).map(str::to_owned);
        Self {
            tool: call.name.clone(),
            names: others.chain([call.name.clone()]).collect(),
            input: input(call, action, names),
            shows: action.shows.clone(),
            id: call.id.to_string(),
            call: cause.clone(),
        }
    }

    /// A connection of a command, which no model calls.
    pub fn connection(cause: &Cause, action: &Action) -> Self {
        let host = match &action.target {
            Target::Host(to) => Some(("host".to_owned(), json!(to.to_string()))),
            Target::Command(_) | Target::Path(_) | Target::Team => None,
        };
        Self {
            tool: NET.to_owned(),
            names: vec![NET.to_owned()],
            input: host.into_iter().collect(),
            shows: action.shows.clone(),
            id: String::new(),
            call: cause.clone(),
        }
    }

    /// The names by which matchers know its tool.
    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The call as a person is shown it.
    pub(super) fn shows(&self) -> String {
        format!("{}: {}", self.tool, self.shows)
    }

    /// The result of the call, in the form that hooks for the same tool expect.
    pub(super) fn response(&self, text: &str) -> Value {
        match self.input.contains_key("command") {
            true => json!({ "stdout": text, "stderr": "", "interrupted": false }),
            false => json!({ "text": text }),
        }
    }

    /// The fields of every event about a call.
    pub(super) fn fields(&self) -> Value {
        json!({
            "tool_name": self.names.first().unwrap_or(&self.tool),
            "tool_input": self.input,
            "tool_use_id": self.id,
            "tool": self.tool,
            "shows": self.shows,
            "call": self.call,
        })
    }
}

/// The arguments by the names that others know. What the call is about is taken from the action: a model may write an argument
/// under any of its names, and a hook that looks for one of them must not miss it.
fn input(call: &ToolCall, action: &Action, names: &ToolNames) -> Map<String, Value> {
    let written: Map<String, Value> = match &call.input {
        ToolInput::Json(raw) => serde_json::from_str(raw.get()).unwrap_or_default(),
        ToolInput::Damaged(_) => Map::new(),
    };
    let other = |own: &str| names.argument(&call.name, own).to_owned();
    let mut input: Map<String, Value> = written
        .into_iter()
        .map(|(name, value)| (other(&name), value))
        .collect();
    match &action.target {
        Target::Command(command) => {
            input.insert(other("command"), json!(command.text));
        }
        Target::Path(path) => {
            input.insert(other("path"), json!(path.full.to_string_lossy()));
        }
        Target::Host(_) | Target::Team => {}
    }
    input
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{
        permission::{Location, Script, ShellCommand},
        tool::CallId,
    };

    fn names() -> ToolNames {
        ToolNames {
            aliases: vec![
                ("Bash", "bash"),
                ("Edit", "edit_file"),
                ("MultiEdit", "edit_file"),
            ],
            arguments: vec![
                ("bash", "cmd", "command"),
                ("edit_file", "path", "file_path"),
                ("edit_file", "old_text", "old_string"),
            ],
            are_shown: false,
        }
    }

    fn told(tool: &str, input: &str, target: Target) -> (Value, ToolUse) {
        let call = ToolCall {
            id: CallId::new("toolu_1".to_owned()),
            name: tool.to_owned(),
            input: ToolInput::from_json(input.to_owned()),
        };
        let action = Action {
            target,
            shows: "exactly this".to_owned(),
            summary: "this".to_owned(),
        };
        let used = ToolUse::of(&call, &Cause::from("alice/1/2/toolu_1"), &action, &names());
        (used.fields(), used)
    }

    fn command(text: &str) -> Target {
        Target::Command(ShellCommand {
            text: text.to_owned(),
            script: Script::Unparsed {
                why: "it is not read",
            },
            untrusted: Vec::new(),
            unheld: None,
        })
    }

    #[test]
    fn a_call_is_told_by_the_names_that_others_know() {
        let place = Location {
            resolved: PathBuf::from("src/a.rs"),
            full: PathBuf::from("/work/src/a.rs"),
            written: PathBuf::from("link/a.rs"),
        };
        let input = r#"{"path":"link/a.rs","old_text":"a","new_string":"b"}"#;
        let (told, used) = told("edit_file", input, Target::Path(place));
        assert_eq!(
            told,
            json!({
                "tool_name": "Edit",
                "tool_input": {"file_path": "/work/src/a.rs", "old_string": "a", "new_string": "b"},
                "tool_use_id": "toolu_1",
                "tool": "edit_file",
                "shows": "exactly this",
                "call": "alice/1/2/toolu_1",
            })
        );
        assert_eq!(used.names(), ["Edit", "MultiEdit", "edit_file"]);
    }

    #[test]
    fn a_command_under_another_name_is_not_missed() {
        for input in [r#"{"cmd":"rm x"}"#, r#"{"command":"rm x"}"#] {
            let (told, _) = told("bash", input, command("rm x"));
            assert_eq!(told["tool_input"], json!({"command": "rm x"}));
        }
    }

    #[test]
    fn a_tool_that_only_we_know_keeps_its_name() {
        let (told, _) = told("claim_task", r#"{"task_id":1}"#, Target::Team);
        assert_eq!(told["tool_name"], "claim_task");
        assert_eq!(told["tool_input"], json!({"task_id": 1}));
    }
}
