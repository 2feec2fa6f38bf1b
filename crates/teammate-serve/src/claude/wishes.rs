//! What a caller wants of the team: by its flags, and by what it says before the team is opened.

use serde_json::Value;
use teammate::{Mode, ModelRef, ResultSchema};

use crate::claude::{caller_agents, caller_hooks::CallerHooks, opening::ClaudeOpening};

/// What a caller wants of the team, by its flags and by what it said first.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) instructions: Vec<String>,
    pub(crate) schema: Option<ResultSchema>,
    pub(crate) caller_servers: Vec<String>,
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
        if is_there("mcpServers") {
            return Err(
                "servers of tools come with --mcp-config here: set mcpServersDelivery to argv"
                    .to_owned(),
            );
        }
        for name in ["systemPrompt", "appendSystemPrompt"] {
            self.instructions.extend(texts(&request[name]));
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
