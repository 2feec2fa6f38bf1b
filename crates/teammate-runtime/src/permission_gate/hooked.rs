//! Hooks around a question to the user: one can answer with no before it is asked, and all can watch how it ends.

use teammate_core::{
    hook::{HookDecision, HookEvent, Occasion, ToolUse},
    request::{RequestId, RequestState},
};

use super::{CheckedCall, PermissionGate};
use crate::base::Scene;

impl PermissionGate {
    /// Why hooks refuse what the user is about to be asked, if they do.
    pub(super) async fn hooks_refuse_question(&self, passing: &CheckedCall<'_>) -> Option<String> {
        let asked = || {
            let (used, because) = (self.used(passing), self.because(passing));
            (
                self.scene(passing),
                Occasion::PermissionAsked { used, because },
            )
        };
        let verdict = self.base.consult(HookEvent::PermissionAsked, asked).await;
        match verdict.decision {
            HookDecision::Refuse(why) => Some(format!("a hook of the user refuses it.\n{why}")),
            // The user is about to be asked.
            HookDecision::Ask(_) | HookDecision::Pass => None,
        }
    }

    /// Shows them the end of a question.
    pub(super) async fn show_hooks_settled(
        &self,
        passing: &CheckedCall<'_>,
        request: RequestId,
        state: &RequestState,
    ) {
        let decision = match state {
            RequestState::Approved(_) => "approved",
            RequestState::Rejected { .. } => "rejected",
            RequestState::Expired | RequestState::Pending => "expired",
            RequestState::Cancelled { .. } => "cancelled",
        };
        let settled = || {
            let used = self.used(passing);
            let occasion = Occasion::PermissionSettled {
                used,
                request,
                decision,
            };
            (self.scene(passing), occasion)
        };
        // Nothing can be refused any more.
        let _ = self
            .base
            .consult(HookEvent::PermissionSettled, settled)
            .await;
    }

    fn used(&self, passing: &CheckedCall<'_>) -> ToolUse {
        let (cause, action) = (&passing.caller.call, passing.action);
        match passing.call {
            Some(call) => ToolUse::of(call, cause, action, &self.base.tool_names),
            None => ToolUse::connection(cause, action),
        }
    }

    fn scene(&self, passing: &CheckedCall<'_>) -> Scene {
        let mut place = (*self.base.workspace).clone();
        place.root = passing.place.to_owned();
        Scene {
            member: passing.caller.name.clone(),
            incarnation: passing.caller.incarnation,
            subagent: passing.subagent.cloned(),
            mode: passing.mode,
            place: place.into(),
        }
    }
}
