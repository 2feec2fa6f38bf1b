//! The team's tools, as an external agent calls them.

use teammate_core::tool::{CallId, Outcome, ToolCall, ToolInput, ToolSpec};

use super::{MemberClient, is_for_agents};
use crate::tool_call::ToolRun;

/// A call of this tool, with nothing in it.
pub(super) fn nothing(tool: &str) -> ToolCall {
    ToolCall {
        id: CallId::new(String::new()),
        name: tool.to_owned(),
        input: ToolInput::from_json("{}".to_owned()),
    }
}

impl MemberClient {
    /// As they are shown to the member's model, if it had one.
    pub(super) fn team_tools(&self) -> Vec<ToolSpec> {
        let offered = self.parts.toolset.preamble.tools.iter();
        let offered = offered.filter(|spec| is_for_agents(spec.class));
        offered.cloned().collect()
    }

    pub(super) async fn run_team_tool(&self, call: ToolCall) -> Outcome {
        let Some((rights, caller, id)) = self.caller("t") else {
            return Outcome::error("Not run: no turn of yours has begun.");
        };
        let call = ToolCall { id, ..call };
        let (tool, call) = match self.parts.toolset.resolve(call) {
            Ok((tool, call)) if is_for_agents(tool.spec().class) => (tool, call),
            Ok((_, call)) => {
                let text = format!(
                    "Not run: {} is not offered here; use your own tools.",
                    call.name
                );
                return Outcome::error(text);
            }
            Err(outcome) => return outcome,
        };
        self.parts.loops.call(&self.member, &caller.call);
        let run = ToolRun {
            tool,
            call,
            mode: rights.effective_mode(),
            context: self.parts.contexts.tool_context(&rights, caller),
            base: self.parts.base.clone(),
            gate: self.parts.gate.clone(),
            subagent: None,
        };
        run.run().await
    }
}
