//! Tools that the caller serves itself, inside of its own process: what it is asked goes as a question, in MCP's words.

use std::time::Duration;

use serde_json::{Value, json};
use teammate::{
    BoxFuture, EffectClass, FunctionTool, Outcome, OutcomePart, ToolContext,
    attachments::attachment_of_base64,
};
use tokio::time::timeout;

use crate::claude::outbox::Outbox;

/// The version of MCP that is spoken.
const PROTOCOL: &str = "2025-06-18";

/// How long a caller has to say which tools it serves.
const LISTING_WITHIN: Duration = Duration::from_secs(60);

/// How many tools a server may have.
const TOOLS_MAX: usize = 256;

/// What runs a call.
type Run = Box<dyn Fn(Value, ToolContext) -> BoxFuture<'static, Outcome> + Send + Sync>;

/// A tool that the caller serves.
pub(crate) type CallerTool = FunctionTool<Value, Run>;

/// A server of tools in the caller.
#[derive(Debug, Clone)]
struct CallerServer {
    name: String,
    outbox: Outbox,
}

/// The tools of these servers, as they are now, with their names.
///
/// Errors: a server does not answer, in words.
pub(crate) async fn listed(
    servers: &[String],
    outbox: &Outbox,
) -> Result<Vec<(String, CallerTool)>, String> {
    let mut tools = Vec::new();
    for name in servers {
        let server = CallerServer {
            name: name.clone(),
            outbox: outbox.clone(),
        };
        let listed = timeout(LISTING_WITHIN, server.tools()).await;
        let listed = listed.unwrap_or_else(|_| Err("it does not answer".to_owned()));
        let listed =
            listed.map_err(|why| format!("the program's server of tools {name}: {why}"))?;
        tools.extend(listed);
    }
    Ok(tools)
}

impl CallerServer {
    async fn tools(&self) -> Result<Vec<(String, CallerTool)>, String> {
        let about = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": { "name": "teammate", "version": env!("CARGO_PKG_VERSION") },
        });
        self.asks("initialize", &about).await?;
        self.sends(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await?;
        let mut listed = self.asks("tools/list", &json!({})).await?;
        let Value::Array(tools) = listed["tools"].take() else {
            return Err("it lists no tools".to_owned());
        };
        let tools = tools.into_iter().take(TOOLS_MAX);
        Ok(tools.filter_map(|tool| self.tool(&tool)).collect())
    }

    fn tool(&self, listed: &Value) -> Option<(String, CallerTool)> {
        let own = listed["name"].as_str()?.to_owned();
        let name = format!("mcp__{}__{own}", self.name);
        let about = listed["description"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let server = self.clone();
        let run: Run = Box::new(move |input, _| {
            let (server, own) = (server.clone(), own.clone());
            Box::pin(async move { server.call(&own, &input).await })
        });
        let schema = &listed["inputSchema"];
        let tool = FunctionTool::new(name.clone(), about, schema, EffectClass::Calls, run);
        Some((name, tool))
    }

    async fn call(&self, tool: &str, input: &Value) -> Outcome {
        let asked = json!({ "name": tool, "arguments": input });
        match self.asks("tools/call", &asked).await {
            Ok(result) => outcome(&result),
            Err(why) => Outcome::error(why),
        }
    }

    /// What it answers to a request of MCP.
    async fn asks(&self, method: &str, params: &Value) -> Result<Value, String> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut answered = self.sends(&message).await?;
        match answered.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or("it failed").to_owned()),
            None => Ok(answered["result"].take()),
        }
    }

    async fn sends(&self, message: &Value) -> Result<Value, String> {
        let request = json!({
            "subtype": "mcp_message",
            "server_name": self.name,
            "message": message,
        });
        match self.outbox.answered(request).await {
            Ok(Ok(mut answer)) => Ok(answer["mcp_response"].take()),
            Ok(Err(error)) => Err(error.message),
            Err(_) => Err("the program that serves it has ended its input".to_owned()),
        }
    }
}

/// What a call gave, with pictures as pictures.
fn outcome(result: &Value) -> Outcome {
    let mut parts = Vec::new();
    for block in result["content"].as_array().into_iter().flatten() {
        match (block["text"].as_str(), block["data"].as_str()) {
            (Some(text), _) => parts.push(OutcomePart::Text(text.to_owned())),
            (None, Some(data)) if block["type"] == "image" => {
                match attachment_of_base64(data, "picture") {
                    Ok(picture) => parts.push(OutcomePart::Image {
                        media_type: picture.media_type().as_str(),
                        base64: picture.base64().to_owned(),
                    }),
                    Err(why) => parts.push(OutcomePart::Text(format!(
                        "(a picture that cannot be shown: {why})"
                    ))),
                }
            }
            _ => parts.push(OutcomePart::Text(block.to_string())),
        }
    }
    let mut outcome = Outcome::ok("");
    outcome.parts = parts;
    outcome.is_error = result["isError"] == true;
    outcome
}
