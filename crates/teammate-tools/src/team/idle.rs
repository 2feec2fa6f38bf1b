//! `idle`: ends the caller's turn before its work is done, and says what it waits for.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::require,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

/// The most characters of what is waited for: it stands on the roster and goes to the lead.
const SHOWN_MAX: usize = 200;

pub(super) struct Idle;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    /// Like: bob's schema, job b2.
    #[serde(alias = "reason", alias = "for")]
    waits_for: String,
}

impl Input {
    fn what(&self) -> String {
        one_line(self.waits_for.trim().trim_end_matches('.'), SHOWN_MAX)
    }
}

impl TypedTool for Idle {
    type Input = Input;
    const NAME: &'static str = "idle";
    const DESCRIPTION: &'static str = "End your turn to wait for an answer, a result or a job. If your work is done, \
        end it with the result instead.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let what = input.what();
        require(
            &what,
            "Error: say what you wait for. If your work is done, end your turn with its result instead.",
        )?;
        Ok(team_action(format!("wait for {what}"), what))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        context.team.pause(input.what()).await?;
        done("Your turn ends here; mail wakes you.")
    }
}
