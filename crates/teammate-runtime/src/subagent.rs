//! Subagents: the agent machine with a fresh conversation. A subagent has no mailbox, no place on the roster and none of the
//! team's tools; whatever it runs passes the gate as its member's own.

mod life;
mod no_background;

use teammate_core::{
    permission::Mode,
    port::{BoxFuture, Caller, Refusal, SubagentAsk, Subagents},
    team::Terms,
    tool::Outcome,
};

use self::life::Subagent;
use crate::reach::Reach;

/// Makes subagents for one member.
#[derive(Clone)]
pub(crate) struct SubagentDesk(pub(crate) Reach);

impl Subagents for SubagentDesk {
    fn make(
        &self,
        caller: &Caller,
        ask: SubagentAsk,
    ) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        let shared = &self.0.shared;
        let asked = Terms {
            agent: Some(kind_of(&ask.kind).to_owned()),
            model: ask.model.clone(),
            ..Terms::default()
        };
        let mut terms = shared
            .setup
            .agents
            .apply(asked, self.0.mode())
            .map_err(Refusal::Rule)?;
        let model = terms.model.clone().unwrap_or_else(|| self.0.model.clone());
        let adapter = shared
            .world
            .models
            .open(&model)
            .map_err(|failure| Refusal::Rule(failure.what))?;
        terms.tools = both(terms.tools, self.0.tools.clone());
        let reach = Reach {
            ceiling: terms.mode.unwrap_or(Mode::Bypass).min(self.0.ceiling),
            model,
            ..self.0.clone()
        };
        let subagent = Subagent::new(reach, caller.clone(), &terms, adapter);
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
