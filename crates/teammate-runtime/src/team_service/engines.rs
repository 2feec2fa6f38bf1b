//! Whether a member can be answered by the external agent that it is to be answered by.

use teammate_core::{MemberName, name::AgentName, port::Refusal, team::MemberOptions};

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
        if self.0.base.budgets().limits_money() && config.prices.of(&name).is_none() {
            return refused(format!(
                "money is limited and '{name}' has no price; the user can give it one, or name another agent"
            ));
        }
        match terms.gate {
            Err(why) if options.require_plan => refused(not_gated(agent, why)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Refuses to close the plan gate of a member whose agent nothing would hold.
    pub(super) fn require_gateable(&self, name: &MemberName) -> Result<(), Refusal> {
        let team = self.0.base.ledger.team();
        let engine = team
            .member(name)
            .and_then(|member| member.options.engine.as_ref());
        let source = self.0.base.ports.agents.as_ref();
        match engine.zip(source) {
            Some((agent, source)) => match source.find(agent).map(|terms| terms.gate) {
                Ok(Err(why)) => Err(Refusal::Rule(not_gated(agent, why))),
                Ok(Ok(())) | Err(_) => Ok(()),
            },
            None => Ok(()),
        }
    }
}

fn not_gated(agent: &AgentName, why: &str) -> String {
    format!(
        "no plan can be required of '{agent}': {why}; spawn it without, or a teammate of this program's own"
    )
}
