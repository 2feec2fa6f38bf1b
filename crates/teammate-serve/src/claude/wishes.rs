//! What a caller wants of the team: by its flags, and by what it says before the team is opened.

use serde_json::{Value, json};
use teammate::{Mode, ModelRef, ResultSchema};

use crate::claude::{caller_agents, caller_hooks::CallerHooks, opening::ClaudeOpening};

/// What `initialize` may say that would be passed over, and what to do instead.
const NOT_HERE: [(&str, &str); 5] = [
    ("plugins", "the user installs plug-ins"),
    ("settings", "settings come with --settings"),
    (
        "managedSettings",
        "what nobody may change is in the policy of the machine (docs/policy.md)",
    ),
    ("disallowedTools", "rules come with --disallowedTools"),
    ("toolAliases", "a call is of the tool that it names"),
];

/// What a caller wants of the team, by its flags and by what it said first.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) instructions: Vec<String>,
    pub(crate) schema: Option<ResultSchema>,
    pub(crate) caller_servers: Vec<String>,
    /// Other servers of tools, in the shape of `.mcp.json`, and their names.
    pub(crate) servers: Option<Value>,
    pub(crate) server_names: Vec<String>,
    pub(crate) hooks: CallerHooks,
    /// Texts of definitions.
    pub(crate) agents: Vec<String>,
    pub(crate) mode: Option<Mode>,
    pub(crate) model: Option<ModelRef>,
    /// Names of the tools that the caller serves.
    pub(crate) caller_tools: Vec<String>,
    /// Model calls in a turn, at most.
    pub(crate) rounds_max: u32,
    /// Whether the team may spend so much only.
    pub(crate) has_budget: bool,
    /// The mode that members are in.
    pub(crate) begun_in: Mode,
    /// The model of the settings.
    pub(crate) usual_model: String,
}

impl Wishes {
    pub(crate) fn of(opening: &ClaudeOpening) -> Self {
        Self {
            instructions: opening.instructions.clone(),
            schema: opening.schema.clone(),
            caller_servers: opening.caller_servers.clone(),
            server_names: opening.servers.clone(),
            ..Self::default()
        }
    }

    /// Takes what `initialize` says.
    ///
    /// Errors: something of it is not done here, in words.
    pub(crate) fn take(&mut self, request: &Value) -> Result<(), String> {
        let is_there = |name: &str| match &request[name] {
            Value::Null => false,
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(all) => !all.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        };
        if let Value::Object(agents) = &request["agents"] {
            self.agents = caller_agents::read(agents)?;
        }
        if let Value::Object(hooks) = &request["hooks"] {
            self.hooks = CallerHooks::read(hooks)?;
        }
        for (name, instead) in NOT_HERE {
            if is_there(name) {
                return Err(format!("{name} is not done here: {instead}"));
            }
        }
        if let (Value::Object(servers), true) = (&request["mcpServers"], is_there("mcpServers")) {
            self.server_names.extend(servers.keys().cloned());
            self.servers = Some(json!({ "mcpServers": servers }));
        }
        for name in ["systemPrompt", "appendSystemPrompt"] {
            self.instructions.extend(texts(&request[name]));
        }
        for text in texts(&request["planModeInstructions"]) {
            let text = format!("When only a plan is wanted: {text}");
            self.instructions.push(text);
        }
        let servers = request["sdkMcpServers"].as_array().into_iter().flatten();
        for name in servers.filter_map(Value::as_str) {
            if !self.caller_servers.iter().any(|known| known == name) {
                self.caller_servers.push(name.to_owned());
            }
        }
        if is_there("jsonSchema") {
            let schema = ResultSchema::of_text(request["jsonSchema"].to_string())?;
            self.schema.get_or_insert(schema);
        }
        Ok(())
    }
}

/// A text, or texts, without empty ones.
fn texts(value: &Value) -> Vec<String> {
    let all = match value {
        Value::Array(all) => all.iter().collect(),
        one => vec![one],
    };
    let texts = all.into_iter().filter_map(Value::as_str);
    let texts = texts.filter(|text| !text.trim().is_empty());
    texts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_that_come_with_the_greeting_are_named_beside_those_of_flags() {
        let mut wishes = Wishes {
            server_names: vec!["flag".to_owned()],
            ..Wishes::default()
        };
        let servers = json!({ "notes": { "command": "notes" } });
        wishes.take(&json!({ "mcpServers": servers })).unwrap();
        assert_eq!(wishes.servers, Some(json!({ "mcpServers": servers })));
        assert_eq!(wishes.server_names, ["flag", "notes"]);
    }

    #[test]
    fn what_would_be_passed_over_is_refused_and_what_is_empty_is_not() {
        let mut wishes = Wishes::default();
        for (name, _) in NOT_HERE {
            let why = wishes.take(&json!({ name: ["x"] })).unwrap_err();
            assert!(why.starts_with(&format!("{name} is not done here: ")));
            wishes.take(&json!({ name: [] })).unwrap();
        }
        wishes.take(&json!({ "mcpServers": {} })).unwrap();
        assert_eq!(wishes.servers, None);
        let plan = json!({ "planModeInstructions": "Name the files.", "title": "x" });
        wishes.take(&plan).unwrap();
        let read = ["When only a plan is wanted: Name the files."];
        assert_eq!(wishes.instructions, read);
    }
}
