//! Hooks before and after a call. Before: once it is known exactly what the call would do, and before anybody is asked about it.

use teammate_core::{
    hook::{HookDecision, HookEvent, Occasion, ToolUse},
    port::Action,
    tool::{Outcome, OutcomePart},
};

use super::ToolRun;
use crate::{base::Scene, permission_gate::CallRefusal};

impl ToolRun {
    /// Why hooks have the user asked about the call, if they do. What the rules refuse in any case runs no hook.
    pub(super) async fn ask_hooks(&self, action: &Action) -> Result<Option<String>, Outcome> {
        let event = HookEvent::PreToolUse;
        if !self.base.listens(event) {
            return Ok(None);
        }
        let refused = self.gate.refuse_early(&self.passing(action)).await;
        refused.map_err(CallRefusal::into_outcome)?;
        let happens = || (self.scene(), Occasion::PreToolUse(self.used(action)));
        match self.base.consult(event, happens).await.decision {
            HookDecision::Pass => Ok(None),
            HookDecision::Ask(why) => Ok(Some(why)),
            HookDecision::Refuse(why) => Err(CallRefusal::by_hook(&why).into_outcome()),
        }
    }

    /// The outcome, with what hooks say about it for the model. It holds no secrets any more.
    pub(super) async fn show_hooks(
        &self,
        action: &Action,
        mut outcome: Outcome,
        took_ms: u64,
    ) -> Outcome {
        let event = match outcome.is_error {
            true => HookEvent::PostToolUseFailure,
            false => HookEvent::PostToolUse,
        };
        let happens = || {
            let (used, text) = (self.used(action), outcome.text());
            let occasion = match outcome.is_error {
                true => Occasion::PostToolUseFailure {
                    used,
                    error: text,
                    took_ms,
                },
                false => Occasion::PostToolUse {
                    used,
                    response: text,
                    took_ms,
                },
            };
            (self.scene(), occasion)
        };
        let verdict = self.base.consult(event, happens).await;
        let said = match &verdict.decision {
            HookDecision::Refuse(why) => Some(format!("{event} hook feedback:\n{why}")),
            HookDecision::Pass | HookDecision::Ask(_) => None,
        };
        let said = said.into_iter().chain(verdict.fenced_context());
        outcome.parts.extend(said.map(OutcomePart::Text));
        outcome
    }

    fn used(&self, action: &Action) -> ToolUse {
        let names = &self.context.tool_names;
        ToolUse::of(&self.call, &self.context.caller.call, action, names)
    }

    fn scene(&self) -> Scene {
        Scene {
            member: self.member().clone(),
            incarnation: self.context.caller.incarnation,
            subagent: self.subagent.clone(),
            mode: self.mode,
            place: self.context.workspace.clone(),
        }
    }
}
