//! Resources of servers: what there is, and its text.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use teammate_core::{
    fence::escaped_line,
    port::{Action, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

use super::raw;
use crate::mcp::client::{outcome, server::ToolServer, surroundings::Surroundings};

/// How much of a list is shown, in bytes.
const LIST_MAX: usize = 10_000;

/// Lists resources.
pub(super) struct ListResources(Shared);

/// Reads one.
pub(super) struct ReadResource(Shared);

struct Shared {
    servers: Arc<[Arc<ToolServer>]>,
    around: Arc<Surroundings>,
    spec: ToolSpec,
    is_offered: bool,
}

#[derive(Deserialize)]
struct ListInput {
    #[serde(default)]
    server: Option<String>,
}

#[derive(Deserialize)]
struct ReadInput {
    server: String,
    uri: String,
}

impl ListResources {
    pub(super) fn new(
        servers: Arc<[Arc<ToolServer>]>,
        around: &Arc<Surroundings>,
        is_hidden: bool,
    ) -> Self {
        let schema = json!({
            "type": "object",
            "properties": { "server": { "type": "string" } },
        });
        let description = "Lists resources of MCP servers.";
        let spec = spec("list_mcp_resources", description, &schema);
        Self(Shared {
            servers,
            around: around.clone(),
            spec,
            is_offered: !is_hidden,
        })
    }

    async fn list(&self, only: Option<String>, context: &ToolContext) -> Outcome {
        let mut lines = Vec::new();
        for server in &*self.0.servers {
            let name = server.settings().name.as_str();
            if only.as_deref().is_some_and(|only| only != name) {
                continue;
            }
            let listed = match server.connection(Some(&context.caller.name)).await {
                Ok(connection) => connection.resources().await,
                Err(failure) => Err(failure),
            };
            match listed {
                Ok(found) => lines.extend(found.iter().map(|(uri, title)| {
                    format!("{name} {} ({})", escaped_line(uri), escaped_line(title))
                })),
                Err(failure) => lines.push(format!("{name}: {failure}")),
            }
        }
        if lines.is_empty() {
            return Outcome::ok("There are none.");
        }
        let files = (&*self.0.around.files, context);
        Outcome::ok(outcome::shown(lines.join("\n"), LIST_MAX, files).await)
    }
}

impl ReadResource {
    pub(super) fn new(
        servers: Arc<[Arc<ToolServer>]>,
        around: &Arc<Surroundings>,
        is_hidden: bool,
    ) -> Self {
        let schema = json!({
            "type": "object",
            "properties": { "server": { "type": "string" }, "uri": { "type": "string" } },
            "required": ["server", "uri"],
        });
        let description = "Reads a resource of an MCP server.";
        let spec = spec("read_mcp_resource", description, &schema);
        Self(Shared {
            servers,
            around: around.clone(),
            spec,
            is_offered: !is_hidden,
        })
    }

    async fn text(&self, server: &str, uri: &str, context: &ToolContext) -> Outcome {
        let found = self.0.servers.iter();
        let mut found = found.filter(|known| known.settings().name.as_str() == server);
        let Some(known) = found.next() else {
            return Outcome::error(format!("There is no MCP server '{server}' with resources."));
        };
        let settings = known.settings();
        let read = match known.connection(Some(&context.caller.name)).await {
            Ok(connection) => connection.read(uri, settings.timeout).await,
            Err(failure) => Err(failure),
        };
        match read {
            Ok(text) => {
                let files = (&*self.0.around.files, context);
                Outcome::ok(outcome::shown(text, settings.output_max, files).await)
            }
            Err(failure) => Outcome::error(format!("The MCP server {server}: {failure}.")),
        }
    }
}

fn spec(name: &'static str, description: &'static str, schema: &serde_json::Value) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: description.into(),
        schema: raw(schema),
        class: EffectClass::Calls,
    }
}

fn action(text: String) -> Action {
    Action {
        target: Target::Team,
        summary: text.clone(),
        shows: text,
    }
}

impl Tool for ListResources {
    fn spec(&self) -> &ToolSpec {
        &self.0.spec
    }

    fn is_offered(&self) -> bool {
        self.0.is_offered
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let ListInput { server } = input.parse()?;
        let of = server.as_deref().unwrap_or("all MCP servers");
        Ok(ReadyCall {
            action: action(format!("list resources of {of}")),
            preview: None,
            run: Box::pin(self.list(server, context)),
        })
    }
}

impl Tool for ReadResource {
    fn spec(&self) -> &ToolSpec {
        &self.0.spec
    }

    fn is_offered(&self) -> bool {
        self.0.is_offered
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let ReadInput { server, uri } = input.parse()?;
        Ok(ReadyCall {
            action: action(format!("read {} of {server}", escaped_line(&uri))),
            preview: None,
            run: Box::pin(async move { self.text(&server, &uri, context).await }),
        })
    }
}
