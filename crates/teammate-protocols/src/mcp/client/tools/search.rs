//! Finds tools among many: their schemas come as a result, so that what each request begins with stays the same.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use serde_json::json;
use teammate_core::{
    port::{Action, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

use super::{raw, remote::RemoteTool};

/// How many tools are found at once.
const FOUND_MAX: usize = 5;

/// How many characters each server has in the description.
const SERVER_LINE_MAX: usize = 100;

/// How many servers are named in the description.
const SERVERS_MAX: usize = 40;

/// The name.
pub(super) const NAME: &str = "search_tools";

/// The tool.
pub(super) struct SearchTools {
    tools: Vec<Arc<RemoteTool>>,
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    query: String,
}

impl SearchTools {
    pub(super) fn new(tools: Vec<Arc<RemoteTool>>, has_resources: bool) -> Self {
        let mut servers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for tool in &tools {
            let of_server = servers.entry(tool.server()).or_default();
            of_server.push(&tool.listed().name);
        }
        let lines: Vec<String> = servers
            .iter()
            .take(SERVERS_MAX)
            .map(|(server, tools)| {
                let line = format!("{server} ({}): {}", tools.len(), tools.join(", "));
                line.chars().take(SERVER_LINE_MAX).collect()
            })
            .collect();
        let more = match servers.len().saturating_sub(SERVERS_MAX) {
            0 => String::new(),
            more => format!("\nand {more} more servers"),
        };
        let resources = match has_resources {
            true => " Resources: {tool:list_mcp_resources}, {tool:read_mcp_resource}.",
            false => "",
        };
        let description = format!(
            "Finds tools of MCP servers by words, or by name with select:NAME,NAME. Call them with {{tool:call_tool}}.{resources}\n{}{more}",
            lines.join("\n")
        );
        let schema = json!({
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"],
        });
        Self {
            tools,
            spec: ToolSpec {
                name: NAME.into(),
                description: description.into(),
                schema: raw(&schema),
                class: EffectClass::Reads,
            },
        }
    }

    fn find(&self, query: &str) -> Outcome {
        let found: Vec<&Arc<RemoteTool>> = match query.trim().strip_prefix("select:") {
            Some(names) => {
                let names: Vec<&str> = names.split(',').map(str::trim).collect();
                let is_named = |tool: &&Arc<RemoteTool>| {
                    names.contains(&&*tool.listed().called) || names.contains(&&*tool.listed().name)
                };
                self.tools.iter().filter(is_named).take(FOUND_MAX).collect()
            }
            None => self.ranked(query),
        };
        if found.is_empty() {
            return Outcome::ok(
                "No tool fits. Try other words; the description of this tool lists the servers.",
            );
        }
        let found = found.into_iter().map(|tool| {
            let tool = tool.listed();
            json!({
                "name": tool.called,
                "description": tool.description,
                "schema": tool.schema,
            })
            .to_string()
        });
        Outcome::ok(found.collect::<Vec<_>>().join("\n"))
    }

    /// Those that fit best: words in the name count more than words in the description.
    fn ranked(&self, query: &str) -> Vec<&Arc<RemoteTool>> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 1)
            .collect();
        let score = |tool: &RemoteTool| {
            let name = tool.listed().called.to_lowercase();
            let text = tool.listed().description.to_lowercase();
            let worth = |word: &&str| {
                3 * usize::from(name.contains(word)) + usize::from(text.contains(word))
            };
            words.iter().map(worth).sum::<usize>()
        };
        let mut scored: Vec<(usize, &Arc<RemoteTool>)> = self
            .tools
            .iter()
            .map(|tool| (score(tool), tool))
            .filter(|(score, _)| *score > 0)
            .collect();
        // The order of names decides between those that fit equally well.
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored
            .into_iter()
            .map(|(_, tool)| tool)
            .take(FOUND_MAX)
            .collect()
    }
}

impl Tool for SearchTools {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(&'a self, input: &ToolInput, _: &'a ToolContext) -> Result<ReadyCall<'a>, Outcome> {
        let Input { query } = input.parse()?;
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: format!("search tools: {query}"),
                summary: query.chars().take(80).collect(),
            },
            preview: None,
            run: Box::pin(async move { self.find(&query) }),
        })
    }
}
