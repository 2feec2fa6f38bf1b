//! Hooks at the beginning and the end of a subagent.

use teammate_core::hook::{HookDecision, HookEvent, Occasion};

use super::run::Subagent;
use crate::base::Scene;

impl Subagent {
    /// The subagent as hooks read it.
    pub(super) fn scene(&self) -> Scene {
        Scene {
            member: self.caller.name.clone(),
            incarnation: self.caller.incarnation,
            subagent: Some(self.kind.clone()),
            mode: self.rights.effective_mode(),
            place: self.rights.workspace.clone(),
        }
    }

    /// Why hooks refuse that it begins, if they do.
    pub(super) async fn hooks_refuse(&self, prompt: &str) -> Option<String> {
        let begins = || {
            let occasion = Occasion::SubagentStart {
                prompt: prompt.to_owned(),
                role: None,
                by: self.caller.name.clone(),
            };
            (self.scene(), occasion)
        };
        let base = &self.parts.base;
        match base
            .consult(HookEvent::SubagentStart, begins)
            .await
            .decision
        {
            HookDecision::Refuse(why) => Some(format!("a hook of the user refuses it.\n{why}")),
            HookDecision::Ask(_) | HookDecision::Pass => None,
        }
    }

    /// Why it goes on, if hooks hold it back.
    pub(super) async fn held_back(&self, last: String, is_held_back: bool) -> Option<String> {
        let event = HookEvent::SubagentStop;
        let ends = || (self.scene(), Occasion::SubagentStop { last, is_held_back });
        match self.parts.base.consult(event, ends).await.decision {
            HookDecision::Refuse(why) => Some(format!("{event} hook feedback:\n{why}")),
            HookDecision::Ask(_) | HookDecision::Pass => None,
        }
    }
}
