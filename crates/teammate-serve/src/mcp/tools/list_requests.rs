//! `list_requests`: what waits for an answer.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{json::whole_request_json, request::RequestId};

use crate::mcp::{
    cut::cut_all,
    tool::{Call, Effect, Refused, ServedTool},
};

/// The most requests in one answer.
const REQUESTS_MAX: usize = 50;

/// The most characters of a text in a list.
const TEXT_CHARS_MAX: usize = 2_000;

pub(in crate::mcp) struct ListRequests;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// Only this request, whole, as req_000003 or 3.
    #[serde(default)]
    id: Option<String>,
}

impl ServedTool for ListRequests {
    type Input = Input;

    const NAME: &'static str = "list_requests";
    const DESCRIPTION: &'static str = "List what waits for an answer: permission for a command, plans, shutdowns. Long texts are \
        cut, but not of one request by its id.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let client = call.team.look().await?;
        if let Some(id) = &input.id {
            let request = client.request(parse(id)?)?;
            return Ok(whole_request_json(&request));
        }
        let open = client.requests();
        let shown = open.iter().take(REQUESTS_MAX).map(|request| {
            let mut shown = whole_request_json(request);
            cut_all(&mut shown, TEXT_CHARS_MAX);
            shown
        });
        let answered_by = match call.team.clients_answer {
            true => "a client by answer_request, or the user".to_owned(),
            false => format!("the user only, who can {}", call.team.how_to_answer()),
        };
        Ok(json!({
            "requests": shown.collect::<Vec<_>>(),
            "more": open.len().saturating_sub(REQUESTS_MAX),
            "answered_by": answered_by,
        }))
    }
}

/// A request's id as a model writes it.
pub(super) fn parse(id: &str) -> Result<RequestId, Refused> {
    let parsed = id.trim().parse();
    parsed.map_err(|_| Refused("a request is named as req_000003 or 3".to_owned()))
}
