//! Which rules an "always" may make of a call. A rule is offered only if it would have let the call through unasked.

use super::{Rule, RuleOrigin, RuleVerdict, Rules, prefix};
use crate::{
    breadth::{Breadth, OfferedRules},
    mode::Mode,
    permission::{Action, Target},
    tool::EffectClass,
};

impl Rules {
    /// The rules that a question about this call offers. None where rules do not help: the user is asked each time, the place
    /// is protected, the sandbox does not hold it.
    pub fn offered(
        &self,
        mode: Mode,
        tool: &str,
        class: EffectClass,
        action: &Action,
    ) -> OfferedRules {
        let rule = |breadth| rule_for_always(breadth, tool, class, action);
        let text = |rule: Rule| rule.to_string();
        let helps = |rule: &Rule| {
            let mut rules = self.clone();
            rules.allow.push(rule.clone());
            rules.decide(mode, tool, class, &action.target) == RuleVerdict::Allow
        };
        let offered = |breadth| rule(breadth).filter(helps).map(text);
        OfferedRules {
            exact: offered(Breadth::Exact),
            prefix: offered(Breadth::Prefix),
            tool: offered(Breadth::Tool),
        }
    }
}

/// The rule for an "always" of this breadth. `None` if no rule text can say it, or none that still means something.
fn rule_for_always(
    breadth: Breadth,
    tool: &str,
    class: EffectClass,
    action: &Action,
) -> Option<Rule> {
    match breadth {
        Breadth::Exact => rule_for_exactly(tool, action),
        Breadth::Prefix => match &action.target {
            Target::Command(command) => {
                let prefix = prefix::of_command(command)?;
                Rule::parse(&format!("{tool}({prefix} *)"), RuleOrigin::Always).ok()
            }
            Target::Path(_) | Target::Host(_) | Target::Team => None,
        },
        Breadth::Tool => {
            is_bounded(class, &action.target).then(|| Rule::parse(tool, RuleOrigin::Always).ok())?
        }
    }
}

/// Whether all calls of a tool together are still something that one can name: files of the workspace, as the mode
/// `accept-edits` allows. All commands, all hosts and all calls of a service can be anything.
fn is_bounded(class: EffectClass, target: &Target) -> bool {
    match (class, target) {
        (EffectClass::Reads | EffectClass::Writes, Target::Path(_)) => true,
        (
            EffectClass::Reads | EffectClass::Writes,
            Target::Command(_) | Target::Host(_) | Target::Team,
        )
        | (
            EffectClass::Executes | EffectClass::Calls | EffectClass::Delegates | EffectClass::Team,
            _,
        ) => false,
    }
}

/// The rule that allows exactly this action. `None` if no rule text can name it.
pub fn rule_for_exactly(tool: &str, action: &Action) -> Option<Rule> {
    let text = match &action.target {
        // Its text does not show what it runs.
        Target::Command(command) if !command.untrusted.is_empty() => return None,
        // Rules do not help where the sandbox does not hold.
        Target::Command(command) if command.unheld.is_some() => return None,
        Target::Command(command) => command.text.trim(),
        Target::Path(path) => path.resolved.to_str()?,
        Target::Host(to) => return Some(Rule::for_destination(tool, to)),
        Target::Team => return None,
    };
    (!text.is_empty()).then(|| Rule::exactly(tool, text))
}
