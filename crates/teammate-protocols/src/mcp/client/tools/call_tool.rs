//! Calls a tool that was found by searching. It does nothing itself: rules, questions and screens see the tool it stands for.

use serde::Deserialize;
use serde_json::{json, value::RawValue};
use teammate_core::{
    port::{ReadyCall, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

use super::{raw, search};
use crate::mcp::client::name::PREFIX;

/// The tool.
pub(super) struct CallTool(ToolSpec);

#[derive(Deserialize)]
struct Input {
    name: String,
    #[serde(default)]
    input: Option<Box<RawValue>>,
}

impl CallTool {
    pub(super) fn new() -> Self {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "input": { "type": "object", "description": "As its schema says." },
            },
            "required": ["name", "input"],
        });
        Self(ToolSpec {
            name: "call_tool".into(),
            description: "Calls a tool that {tool:search_tools} has found.".into(),
            schema: raw(&schema),
            class: EffectClass::Calls,
        })
    }
}

impl Tool for CallTool {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn stands_for(&self, input: &ToolInput) -> Result<Option<(String, ToolInput)>, Outcome> {
        let Input { name, input } = input.parse()?;
        if !name.starts_with(PREFIX) && !name.contains("mcp_resource") {
            return Err(Outcome::error(format!(
                "call_tool calls tools that {} has found: {PREFIX}SERVER__TOOL. Nothing was done.",
                search::NAME
            )));
        }
        // A model may write the input as text.
        let input = match input {
            None => "{}".to_owned(),
            Some(input) => serde_json::from_str::<String>(input.get())
                .unwrap_or_else(|_| input.get().to_owned()),
        };
        Ok(Some((name, ToolInput::from_json(input))))
    }

    fn read<'a>(&'a self, _: &ToolInput, _: &'a ToolContext) -> Result<ReadyCall<'a>, Outcome> {
        Err(Outcome::error(
            "This tool stands for others, and does nothing itself.",
        ))
    }
}
