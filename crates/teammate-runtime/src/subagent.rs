//! Subagents: the agent machine with a fresh conversation. A subagent has no mailbox, no place on the roster and none of the
//! team's tools; whatever it runs passes the gate as its member's own.

mod hooked;
mod run;

use std::sync::Arc;

use teammate_core::{
    permission::Mode,
    port::{BoxFuture, Caller, Refusal, SubagentArgs},
    team::{MemberOptions, agent_type_of},
    tool::Outcome,
};

use self::run::Subagent;
use crate::{
    base::Base,
    identity::Toolsets,
    model_calls::ModelCaller,
    model_chain::ModelChain,
    permission_gate::PermissionGate,
    rights::{Rights, ToolContexts},
    spending::UsageMeter,
};

/// The parts that subagents work with.
#[derive(Clone)]
pub(crate) struct SubagentParts {
    pub(crate) base: Arc<Base>,
    pub(crate) toolsets: Arc<Toolsets>,
    pub(crate) model_caller: Arc<ModelCaller>,
    pub(crate) meter: Arc<UsageMeter>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
}

impl SubagentParts {
    /// Makes a subagent for a caller with these rights.
    pub(crate) fn subagent(
        self,
        rights: &Rights,
        caller: &Caller,
        ask: SubagentArgs,
    ) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        let base = &self.base;
        let asked = MemberOptions {
            agent: Some(agent_type_of(&ask.kind).to_owned()),
            model: ask.model.clone(),
            ..MemberOptions::default()
        };
        let mut terms = base
            .setup
            .agents
            .apply(asked, rights.effective_mode())
            .map_err(Refusal::Rule)?;
        let model = terms.model.clone().unwrap_or_else(|| rights.model.clone());
        base.ports
            .models
            .open(&model)
            .map_err(|failure| Refusal::Rule(failure.what))?;
        let chain = ModelChain::new(base, &model, &terms);
        terms.tools = intersection(terms.tools, rights.tools.clone());
        let rights = Rights {
            ceiling: terms.mode.unwrap_or(Mode::Bypass).min(rights.ceiling),
            model,
            is_subagent: true,
            ..rights.clone()
        };
        let subagent = Subagent::new(self, rights, caller.clone(), &terms, chain);
        Ok(Box::pin(subagent.run(ask)))
    }
}

/// The tools that both allow: a subagent has no tool that its member does not have.
fn intersection(one: Option<Vec<String>>, other: Option<Vec<String>>) -> Option<Vec<String>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(
            one.into_iter()
                .filter(|name| other.contains(name))
                .collect(),
        ),
        (Some(only), None) | (None, Some(only)) => Some(only),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_has_no_tool_that_its_member_does_not_have() {
        let list = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(
            intersection(list(&["bash", "grep"]), list(&["grep"])),
            list(&["grep"])
        );
        assert_eq!(intersection(None, list(&["grep"])), list(&["grep"]));
        assert_eq!(intersection(list(&["bash"]), None), list(&["bash"]));
        assert_eq!(intersection(None, None), None);
    }
}
