//! Hooks before and after a question to a model, with all its tries, and before and after a turn of an external agent.

use std::sync::Arc;

use teammate_core::{
    hook::{HookDecision, HookEvent, Occasion},
    model::{ModelFailure, Remedy, Reply},
};
use tokio::time::Instant;

use super::{ModelCall, Purpose};
use crate::base::{Base, Scene};

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Summary => "summary",
            Self::Subagent => "subagent",
        }
    }
}

/// The request, as hooks read it.
pub(crate) struct HookedCall<'a> {
    pub(crate) base: &'a Arc<Base>,
    pub(crate) scene: &'a Scene,
    pub(crate) purpose: Purpose,
    /// How many messages are sent.
    pub(crate) messages: usize,
}

impl HookedCall<'_> {
    /// An error if hooks refuse the question. No other model is asked instead.
    pub(crate) async fn ask_hooks(
        &self,
        model: impl FnOnce() -> String + Send,
    ) -> Result<(), ModelFailure> {
        let asked = || {
            let occasion = Occasion::ModelCallBefore {
                model: model(),
                purpose: self.purpose.word(),
                messages: self.messages,
            };
            (self.scene.clone(), occasion)
        };
        let consulted = self.base.consult(HookEvent::ModelCallBefore, asked);
        match consulted.await.decision {
            HookDecision::Refuse(why) => Err(ModelFailure {
                what: format!("a hook of the user refuses to call the model.\n{why}"),
                remedy: Remedy::Never,
            }),
            // Nobody can be asked about it.
            HookDecision::Ask(_) | HookDecision::Pass => Ok(()),
        }
    }

    /// Shows them how it went; `model` is what failed, if it did. The answer does not wait for them: it is paid for, and an
    /// interrupt would lose it.
    pub(crate) fn show_hooks(
        &self,
        answer: Result<&Reply, &str>,
        model: impl FnOnce() -> String,
        begun: Instant,
    ) {
        let event = HookEvent::ModelCallAfter;
        if !self.base.listens(event) {
            return;
        }
        let (model, end) = match answer {
            Ok(reply) => (reply.model.clone(), Ok((reply.stop.clone(), reply.usage))),
            Err(why) => (model(), Err(why.to_owned())),
        };
        let occasion = Occasion::ModelCallAfter {
            model,
            purpose: self.purpose.word(),
            end,
            took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        self.base.consult_later(event, self.scene.clone(), occasion);
    }
}

impl ModelCall {
    /// As hooks read it.
    pub(super) fn hooked(&self) -> HookedCall<'_> {
        HookedCall {
            base: &self.model_caller.base,
            scene: &self.scene,
            purpose: self.purpose,
            messages: self.request.messages.len(),
        }
    }

    /// The model that is asked first.
    pub(super) fn model_name(&self) -> String {
        self.chain.current().name.to_string()
    }
}
