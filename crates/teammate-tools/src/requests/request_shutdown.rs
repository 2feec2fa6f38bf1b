//! `request_shutdown`: asks a teammate to shut down, or stops it at once.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ShutdownArgs, ShutdownReply, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct RequestShutdown;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "teammate", alias = "member", alias = "target")]
    name: String,
    #[serde(default)]
    reason: String,
    /// Stop it without asking.
    #[serde(default, alias = "force")]
    now: bool,
}

impl TypedTool for RequestShutdown {
    type Input = Input;
    const NAME: &'static str = "request_shutdown";
    const DESCRIPTION: &'static str = "Ask a teammate to shut down. A working one may refuse, or is stopped after half a minute. Its task \
        returns to the board.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let how = if input.now { " at once" } else { "" };
        let summary = format!("{}{how}", input.name);
        Ok(team_action(format!("shut down {summary}"), summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let ask = ShutdownArgs {
            name: input.name,
            reason: input.reason,
            now: input.now,
        };
        done(shutdown_text(&context.team.shut_down(ask).await?))
    }
}

fn shutdown_text(shutdown: &ShutdownReply) -> String {
    match shutdown {
        ShutdownReply::Stopped {
            member,
            request,
            how,
            left,
        } => format!("'{member}' is stopped ({request}, {how}).{left}"),
        ShutdownReply::Refused {
            member,
            request,
            because,
        } => format!("'{member}' goes on ({request}): {because}"),
        ShutdownReply::Asked {
            member,
            request,
            within,
        } => format!(
            "Shutdown request sent to '{member}' ({request}). It is working and will answer between two steps, or be stopped after {} s; you get mail then. Do not ask again to wait: end your turn or continue",
            within.as_secs()
        ),
    }
}
