//! `compact`: the caller's conversation is summarized after this round.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::Given,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct Compact;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    /// What to keep.
    #[serde(default)]
    focus: Given<String>,
}

impl TypedTool for Compact {
    type Input = Input;
    const NAME: &'static str = "compact";
    const DESCRIPTION: &'static str = "Summarize your conversation now, between two pieces of work. A nearly full one \
        is summarized automatically.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let summary = match &input.focus.0 {
            None => "the conversation so far".to_owned(),
            Some(focus) => format!(
                "the conversation so far, above all: {}",
                one_line(focus, 60)
            ),
        };
        Ok(team_action(format!("summarize {summary}"), summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        context.team.compact(input.focus.0).await?;
        done("Your conversation is summarized right after this.")
    }
}
