//! Rules that an "always" of the user made, for all workers of the team: those that hold members now, and those that come later.
//!
//! They are the user's word: they count from records of the user's own process, never from a worker's. They only allow, so a
//! worker's own rules that deny or ask come first, as they do before any rule that allows. A team that one process runs keeps
//! its rules in that user's files instead.

use super::{Decision, TeamEvent, TeamState};
use crate::{
    breadth::Breadth,
    id::RequestId,
    permission::{Rule, RuleOrigin},
    request::{Principal, RequestEvent, RequestState},
    team::{Durability, decision::decision_if},
};

/// The most that are kept; the oldest go first.
const RULES_MAX: usize = 256;

/// A rule, and how long it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingRule {
    /// The rule that allows.
    pub rule: Rule,
    /// How much was chosen. That of a tool holds until the team is stopped.
    pub breadth: Breadth,
}

/// The rules, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandingRules(Vec<StandingRule>);

impl StandingRules {
    /// All of them, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &StandingRule> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a rule of this text.
    pub fn has(&self, text: &str) -> bool {
        self.iter().any(|known| known.rule.to_string() == text)
    }

    /// Takes out the rule of this text.
    pub(super) fn remove(&mut self, text: &str) {
        self.0.retain(|known| known.rule.to_string() != text);
    }

    fn add(&mut self, new: StandingRule) {
        self.0.retain(|known| known.rule != new.rule);
        if self.0.len() >= RULES_MAX {
            self.0.remove(0);
        }
        self.0.push(new);
    }
}

impl TeamState {
    /// The rules that hold on every worker of the team.
    pub fn standing_rules(&self) -> &StandingRules {
        &self.standing_rules
    }

    /// The user's answer "always", where workers run the team.
    pub(super) fn take_standing_rule(&mut self, event: &TeamEvent) {
        let TeamEvent::Request {
            request,
            change:
                RequestEvent::Approved {
                    by: Principal::User,
                    always: Some(breadth),
                    ..
                },
        } = event
        else {
            return;
        };
        if !self.places.is_used() {
            return;
        }
        if let Some(rule) = self.rule_of(*request, *breadth) {
            self.standing_rules.add(StandingRule {
                rule,
                breadth: *breadth,
            });
        }
    }

    pub(super) fn drop_rule(&self, text: &str) -> Decision {
        let is_known = self.standing_rules.has(text);
        let rule = text.to_owned();
        decision_if(
            is_known,
            TeamEvent::RuleDropped { rule },
            Durability::Synced,
        )
    }

    fn rule_of(&self, request: RequestId, breadth: Breadth) -> Option<Rule> {
        let ask = self.requests.get(request)?.permission()?;
        Rule::parse(ask.rules.of(breadth)?, RuleOrigin::Always).ok()
    }

    /// Ends the rules that held until the team is closed with its stop; all end where records are missing.
    pub(super) fn end_standing_rules(&mut self, event: &TeamEvent) {
        if let TeamEvent::Lapsed { .. } = event {
            self.standing_rules.0.clear();
        }
        if let TeamEvent::Request { request, .. } = event
            && self.is_stopping(*request)
        {
            let rules = &mut self.standing_rules.0;
            rules.retain(|rule| rule.breadth != Breadth::Tool);
        }
    }

    fn is_stopping(&self, request: RequestId) -> bool {
        let request = self.requests.get(request);
        request.is_some_and(|request| {
            let is_to_end = matches!(
                request.state,
                RequestState::Approved(_) | RequestState::Expired
            );
            request.pauses_team() && is_to_end
        })
    }
}

#[cfg(test)]
mod tests;
