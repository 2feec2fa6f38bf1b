//! Checks the limits of the machine's policy.

use teammate::{
    policy::{MachinePolicy, POLICY_FILE, PolicyError},
    sandbox::SandboxRules,
};

use super::Finding;

/// The policy with all that it says; nothing if there is none.
pub(super) fn findings(policy: &Result<Option<MachinePolicy>, PolicyError>) -> Vec<Finding> {
    match policy {
        Ok(None) => Vec::new(),
        Ok(Some(policy)) => {
            let rules = policy.rules();
            let counted = match (rules.deny.len(), rules.ask.len()) {
                (0, 0) => None,
                (deny, ask) => Some(format!(
                    "policy: rules that deny: {deny}, rules that ask: {ask}; `teammate rules` lists them"
                )),
            };
            let limits = policy.describe().into_iter();
            std::iter::once(Finding::Good(format!("policy: {POLICY_FILE}, of root")))
                .chain(limits.map(|limit| Finding::Note(format!("policy: {limit}"))))
                .chain(counted.map(Finding::Note))
                .collect()
        }
        Err(why) => vec![Finding::Bad {
            what: format!("no team can be opened: {why}"),
            hint: "ask the administrator of this machine".to_owned(),
        }],
    }
}

/// How commands would be held under the policy.
pub(super) fn held(policy: &MachinePolicy, asked: SandboxRules) -> Result<SandboxRules, Finding> {
    let held = policy.sandbox(asked);
    held.map(|(rules, _)| rules).map_err(|why| Finding::Bad {
        what: format!("no team can be opened: {why}"),
        hint: "leave out what asks for it".to_owned(),
    })
}
