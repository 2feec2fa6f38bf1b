//! Hooks before and after a question to a model, with all its tries.

use teammate_core::{
    hook::{HookDecision, HookEvent, Occasion},
    model::{ModelFailure, Remedy, Reply},
};
use tokio::time::Instant;

use super::{ModelCall, Purpose};

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Summary => "summary",
            Self::Subagent => "subagent",
        }
    }
}

impl ModelCall {
    /// An error if hooks refuse the question. No other model is asked instead.
    pub(super) async fn ask_hooks(&self) -> Result<(), ModelFailure> {
        let asked = || {
            let occasion = Occasion::ModelCallBefore {
                model: self.chain.current().name.to_string(),
                purpose: self.purpose.word(),
                messages: self.request.messages.len(),
            };
            (self.scene.clone(), occasion)
        };
        let base = &self.model_caller.base;
        match base
            .consult(HookEvent::ModelCallBefore, asked)
            .await
            .decision
        {
            HookDecision::Refuse(why) => Err(ModelFailure {
                what: format!("a hook of the user refuses to call the model.\n{why}"),
                remedy: Remedy::Never,
            }),
            // Nobody can be asked about it.
            HookDecision::Ask(_) | HookDecision::Pass => Ok(()),
        }
    }

    /// Shows them how it went. The answer does not wait for them: it is paid for, and an interrupt would lose it.
    pub(super) fn show_hooks(&self, answer: &Result<Reply, ModelFailure>, begun: Instant) {
        let (base, event) = (self.model_caller.base.clone(), HookEvent::ModelCallAfter);
        if !base.listens(event) {
            return;
        }
        let (model, end) = match answer {
            Ok(reply) => (reply.model.clone(), Ok((reply.stop.clone(), reply.usage))),
            Err(failure) => {
                let model = self.chain.current().name.to_string();
                (model, Err(failure.what.clone()))
            }
        };
        let occasion = Occasion::ModelCallAfter {
            model,
            purpose: self.purpose.word(),
            end,
            took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        let scene = self.scene.clone();
        tokio::spawn(async move { base.consult(event, || (scene, occasion)).await });
    }
}
