//! `send_mail`: words for a member.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::handle::Say;

use super::words::sendable;
use crate::mcp::{
    hearing::see_to_it,
    tool::{Call, Effect, Refused, ServedTool},
};

pub(in crate::mcp) struct SendMail;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// The member: lead, or a teammate's name.
    to: String,
    /// The message.
    text: String,
}

impl ServedTool for SendMail {
    type Input = Input;

    const NAME: &'static str = "send_mail";
    const DESCRIPTION: &'static str = "Send a message to a member, as the user. It hears it before its next step. If the team \
        does not run, it is started.";
    const EFFECT: Effect = Effect::Changes;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let text = sendable(&input.text, "text")?;
        let mut client = call.team.look().await?;
        let to = client.ask(Say::to(input.to, text)).await?;
        let heard = see_to_it(&call.team, client, &to).await?;
        Ok(json!({ "sent_to": to, "mail": heard.as_sentence() }))
    }
}
