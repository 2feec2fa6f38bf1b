//! `answer_request`: the answer of a client, in the user's place. There is no such tool unless the user's configuration says so.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use teammate::{
    audit::Surface,
    handle,
    json::request_json,
    request::{Answer, Digest},
};

use super::list_requests::parse;
use crate::mcp::tool::{Call, Effect, Refused, ServedTool};

pub(in crate::mcp) struct AnswerRequest;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// The request, as req_000003 or 3.
    id: String,
    /// Its digest as list_requests shows it: the answer is to exactly that.
    digest: String,
    /// True: yes, this once. False: no.
    approve: bool,
    /// For no: why. For yes: a note.
    #[serde(default)]
    text: String,
}

impl ServedTool for AnswerRequest {
    type Input = Input;

    const NAME: &'static str = "answer_request";
    const DESCRIPTION: &'static str =
        "Answer a request in the user's place. Look at it whole first (list_requests with its id).";
    const EFFECT: Effect = Effect::Decides;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let saw = Digest::try_from(input.digest.trim().to_owned())
            .map_err(|why| Refused(format!("{why}: the one that list_requests shows")))?;
        let answer = match input.approve {
            true => Answer::Approve {
                note: input.text,
                mode: None,
                always: None,
            },
            false => Answer::Reject {
                because: input.text,
            },
        };
        let mut client = call.team.look().await?.acting_through(Surface::McpClient);
        let answered = client
            .ask(handle::AnswerRequest {
                request: parse(&input.id)?,
                saw: Some(saw),
                answer,
                device: None,
            })
            .await?;
        Ok(request_json(&answered))
    }
}
