//! Permission: whether a tool call may run, must be asked about, or may not run.
//!
//! Deny rules first, then rules that ask, then allow rules, then the mode; everything else is asked about. It decides; asking and
//! answering is the runtime's business. The language of rules is described in `docs/permissions.md`.

mod allow_match;
mod because;
mod deny_match;
mod file_walls;
mod host_name;
mod host_pattern;
mod location;
mod offer;
mod options;
mod path_pattern;
mod prefix;
mod programs;
mod protected;
mod rule;
mod script;
mod tables;
mod target;
mod touches;
mod wall;
mod word;

pub use file_walls::FileWalls;
pub use host_name::{Destination, HostName};
pub use location::Location;
pub use offer::rule_for_exactly;
pub use rule::{NET, Rule, RuleError, RuleOrigin};
pub use script::{Script, ShellCommand};
pub use target::{Action, Target};
pub use teammate_words::{
    breadth::{Breadth, OfferedRules},
    mode::Mode,
};
pub use touches::Touches;
pub use wall::{FileWall, WallStart};
pub use word::Word;

use crate::tool::EffectClass;

/// All rules in force. Deny is always first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Calls that may never run.
    pub deny: Vec<Rule>,
    /// Calls that the user is asked about each time, whatever rules and modes allow. No "always" and no lead answers for the
    /// user.
    pub ask: Vec<Rule>,
    /// The only hosts that commands may connect to: each of these lists has the host, or it is denied. One that all have still
    /// needs what any host needs.
    pub host_lists: Vec<Vec<Rule>>,
    /// Calls that may run without asking.
    pub allow: Vec<Rule>,
    /// Calls that the lead may allow its teammates in the user's place.
    pub lead_may: Vec<Rule>,
}

/// The gate's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It may run.
    Allow,
    /// It may not, because of this rule.
    Deny(Rule),
    /// The user must be asked.
    Ask,
}

impl Rules {
    /// Decides about one call of `tool`.
    pub fn decide(
        &self,
        mode: Mode,
        tool: &str,
        class: EffectClass,
        target: &Target,
    ) -> RuleVerdict {
        if let Some(rule) = self.denying(tool, target) {
            return RuleVerdict::Deny(rule);
        }
        let is_open = target.unheld().is_some()
            || self.asking(tool, target).is_some()
            || (mode < Mode::Bypass && is_protected(class, target));
        if is_open {
            RuleVerdict::Ask
        } else if mode.frees(class) || is_covered_by_any(&self.allow, tool, target) {
            RuleVerdict::Allow
        } else {
            RuleVerdict::Ask
        }
    }

    /// The fewest rules that together allow this call, where it is rules that do.
    pub fn allowing(&self, tool: &str, target: &Target) -> Vec<&Rule> {
        let mut needed: Vec<&Rule> = self.allow.iter().filter(|rule| rule.names(tool)).collect();
        let mut at = needed.len();
        while let Some(next) = at.checked_sub(1) {
            at = next;
            let left_out = needed.remove(at);
            if !is_covered(&needed, target) {
                needed.insert(at, left_out);
            }
        }
        needed
    }

    /// Whether the lead may say yes to this call in the user's place: within the ceiling that the user set, and nothing
    /// that is denied or protected.
    pub fn lead_may_allow(&self, tool: &str, class: EffectClass, target: &Target) -> bool {
        self.denying(tool, target).is_none()
            && self.asking(tool, target).is_none()
            && !is_protected(class, target)
            && target.unheld().is_none()
            && is_covered_by_any(&self.lead_may, tool, target)
    }

    /// The rule that forbids this call.
    fn denying(&self, tool: &str, target: &Target) -> Option<Rule> {
        let found = self.deny.iter().find(|rule| rule.denies(tool, target));
        let is_listed = |list: &Vec<Rule>| list.iter().any(|rule| rule.covers(target));
        let is_other_host =
            matches!(target, Target::Host(_)) && !self.host_lists.iter().all(is_listed);
        found
            .cloned()
            .or_else(|| is_other_host.then(Rule::for_other_hosts))
    }

    /// The rule for which the user is asked about this call, whatever else allows it.
    pub fn asking(&self, tool: &str, target: &Target) -> Option<&Rule> {
        self.ask.iter().find(|rule| rule.denies(tool, target))
    }

    /// Whether the user wrote a rule that allows this to a tool and names the host itself. Only then may the host's address be
    /// one of this machine or its network: an "always" was answered without seeing the address, and a project is not the user.
    pub fn name_host(&self, tool: &str, to: &Destination) -> bool {
        let mut own = self.allow.iter().filter(|rule| rule.names(tool));
        own.any(|rule| rule.is_users_for_host(to))
    }

    /// Adds those of another source.
    pub fn extend(&mut self, more: Self) {
        self.deny.extend(more.deny);
        self.ask.extend(more.ask);
        self.host_lists.extend(more.host_lists);
        self.allow.extend(more.allow);
        self.lead_may.extend(more.lead_may);
    }
}

/// Writing to such a place is asked about whatever rules say, and so is git where the repository brings what it would run.
fn is_protected(class: EffectClass, target: &Target) -> bool {
    match (class, target) {
        (EffectClass::Writes, Target::Path(path)) => path.is_protected(),
        (EffectClass::Executes, Target::Command(command)) => !command.untrusted.is_empty(),
        (EffectClass::Writes, Target::Command(_) | Target::Host(_) | Target::Team)
        | (
            EffectClass::Reads
            | EffectClass::Executes
            | EffectClass::Calls
            | EffectClass::Delegates
            | EffectClass::Team,
            _,
        ) => false,
    }
}

/// Whether a call is covered by rules that allow: by one of them, or each part of a command by one.
fn is_covered_by_any(rules: &[Rule], tool: &str, target: &Target) -> bool {
    let named: Vec<&Rule> = rules.iter().filter(|rule| rule.names(tool)).collect();
    is_covered(&named, target)
}

/// Whether a target is covered by rules that are about the tool.
fn is_covered(named: &[&Rule], target: &Target) -> bool {
    named.iter().any(|rule| rule.covers(target))
        || match target {
            Target::Command(command) => allow_match::allow_matches(named, command),
            Target::Path(_) | Target::Host(_) | Target::Team => false,
        }
}

#[cfg(test)]
mod tests;
