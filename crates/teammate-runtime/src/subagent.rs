//! Subagents: the agent machine with a fresh conversation. A subagent has no mailbox, no place on the roster and none of the
//! team's tools; whatever it runs passes the gate as its member's own.

mod life;

use std::sync::Arc;

use teammate_core::{
    permission::Mode,
    port::{BoxFuture, Caller, Refusal, SubagentAsk},
    team::Terms,
    tool::Outcome,
};

use self::life::Subagent;
use crate::{
    ask::Asker,
    base::Base,
    gate::Gate,
    identity::Kits,
    rights::{Rights, ToolContexts},
    spending::Meter,
};

/// What subagents work with.
#[derive(Clone)]
pub(crate) struct SubagentParts {
    pub(crate) base: Arc<Base>,
    pub(crate) kits: Arc<Kits>,
    pub(crate) asker: Arc<Asker>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
}

impl SubagentParts {
    /// Makes a subagent for a caller with these rights.
    pub(crate) fn subagent(
        self,
        rights: &Rights,
        caller: &Caller,
        ask: SubagentAsk,
    ) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        let base = &self.base;
        let asked = Terms {
            agent: Some(kind_of(&ask.kind).to_owned()),
            model: ask.model.clone(),
            ..Terms::default()
        };
        let mut terms = base
            .setup
            .agents
            .apply(asked, rights.mode())
            .map_err(Refusal::Rule)?;
        let model = terms.model.clone().unwrap_or_else(|| rights.model.clone());
        let adapter = base
            .world
            .models
            .open(&model)
            .map_err(|failure| Refusal::Rule(failure.what))?;
        terms.tools = both(terms.tools, rights.tools.clone());
        let rights = Rights {
            ceiling: terms.mode.unwrap_or(Mode::Bypass).min(rights.ceiling),
            model,
            is_subagent: true,
            ..rights.clone()
        };
        let subagent = Subagent::new(self, rights, caller.clone(), &terms, adapter);
        Ok(Box::pin(subagent.run(ask)))
    }
}

/// What both allow: a subagent has no tool that its member does not have.
fn both(one: Option<Vec<String>>, other: Option<Vec<String>>) -> Option<Vec<String>> {
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

/// Names that other programs use for the kinds that are always there.
fn kind_of(word: &str) -> &str {
    match word {
        "" | "code" | "general-purpose" => "general",
        "Explore" => "explore",
        "Plan" => "plan",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_has_no_tool_that_its_member_does_not_have() {
        let list = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(
            both(list(&["bash", "grep"]), list(&["grep"])),
            list(&["grep"])
        );
        assert_eq!(both(None, list(&["grep"])), list(&["grep"]));
        assert_eq!(both(list(&["bash"]), None), list(&["bash"]));
        assert_eq!(both(None, None), None);
    }
}
