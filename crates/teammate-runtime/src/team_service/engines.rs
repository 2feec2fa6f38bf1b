//! Whether a member can be answered by the agent of another make that it is to be answered by.

use teammate_core::{name::AgentName, port::Refusal, team::MemberOptions};

use super::TeamService;
use crate::engine::agent::model_name;

impl TeamService {
    /// Refuses an agent that is not there, and what it could not hold to.
    pub(super) fn require_usable_engine(&self, options: &MemberOptions) -> Result<(), Refusal> {
        let Some(agent) = &options.engine else {
            return Ok(());
        };
        let refused = |why: String| Err(Refusal::Rule(why));
        let Some(source) = &self.0.base.ports.agents else {
            return refused(format!(
                "agents of other makes cannot be used here, so not '{agent}'"
            ));
        };
        let terms = source.find(agent).map_err(Refusal::Rule)?;
        if options.model.is_some() {
            return refused(format!(
                "'{agent}' brings its own model; leave the model out"
            ));
        }
        let config = &self.0.base.setup.config;
        let name = model_name(agent);
        if config.budgets.limits_money() && config.prices.of(&name).is_none() {
            return refused(format!(
                "money is limited and '{name}' has no price; the user can give it one, or name another agent"
            ));
        }
        match options.require_plan && !terms.can_be_gated {
            true => refused(not_gated(agent)),
            false => Ok(()),
        }
    }

    /// Refuses to close the plan gate of a member whose agent nothing would hold.
    pub(super) fn require_gateable(&self, name: &teammate_core::MemberName) -> Result<(), Refusal> {
        let team = self.0.base.ledger.team();
        let engine = team
            .member(name)
            .and_then(|member| member.options.engine.as_ref());
        let source = self.0.base.ports.agents.as_ref();
        match engine.zip(source) {
            Some((agent, source)) => match source.find(agent) {
                Ok(terms) if !terms.can_be_gated => Err(Refusal::Rule(not_gated(agent))),
                Ok(_) | Err(_) => Ok(()),
            },
            None => Ok(()),
        }
    }
}

fn not_gated(agent: &AgentName) -> String {
    format!(
        "no plan can be required of '{agent}': the sandbox here cannot keep its workspace read-only until the plan is approved; spawn it without, or a teammate of this program's own"
    )
}
