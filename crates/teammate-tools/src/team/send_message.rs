//! `send_message`: mail to one member.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    GroupName,
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome, ToolNames},
};

use crate::{
    arguments::require,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct SendMessage;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "recipient")]
    to: String,
    #[serde(alias = "message")]
    #[schemars(required)]
    content: Option<String>,
    /// Other programs send protocol messages with this tool; here members cannot write them.
    #[serde(rename = "type", alias = "msg_type")]
    #[schemars(skip)]
    kind: Option<String>,
}

impl Input {
    fn content(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }

    /// Refuses a frame, with the tool that does what it is for.
    fn require_message(&self, names: &ToolNames) -> Result<(), Outcome> {
        let tool = match self.kind.as_deref() {
            Some("shutdown_request") => "request_shutdown",
            Some("shutdown_response" | "shutdown_approved" | "shutdown_rejected") => {
                "respond_shutdown"
            }
            Some("plan_approval_request") => "submit_plan",
            Some("plan_approval_response") => "review_plan",
            Some("permission_response") => "answer_permission",
            Some(_) | None => return require(self.content(), super::EMPTY),
        };
        Err(Outcome::error(format!(
            "Error: that is not a message but a protocol step; call {} for it. Nothing was sent.",
            names.of(tool)
        )))
    }
}

impl TypedTool for SendMessage {
    type Input = Input;
    const NAME: &'static str = "send_message";
    const DESCRIPTION: &'static str = "Mail a member, \"lead\" included; an idle one wakes. The lead may write to \
        \"all\" or \"team:NAME\".";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        input.require_message(&context.tool_names)?;
        let (to, content) = (&input.to, input.content());
        let summary = format!("{to}: {}", one_line(content, 80));
        Ok(team_action(format!("to {to}:\n{content}"), summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let content = input.content.unwrap_or_default();
        if input.to == "all" {
            return to_many(context, None, content).await;
        }
        if let Some(group) = input.to.strip_prefix("team:") {
            let wrong = |why| Outcome::error(format!("Error: {why}. Nothing was sent."));
            let group = GroupName::parse(group).map_err(wrong)?;
            return to_many(context, Some(group), content).await;
        }
        let name = context.team.send(input.to, content).await?;
        done(format!("Sent message to {name}"))
    }
}

/// Only the lead may write to all members, or to a group, at once.
async fn to_many(context: &ToolContext, group: Option<GroupName>, content: String) -> Reply {
    if !context.caller.name.is_lead() {
        return Err(Outcome::error(
            "Error: only the lead can write to all; write to single members by name, or to the lead. Nothing was sent.",
        ));
    }
    match context.team.broadcast(group, content).await? {
        0 => Err(Outcome::error(
            "Error: there are no teammates; nothing was sent.",
        )),
        count => done(format!("Broadcast to {count} teammates")),
    }
}
