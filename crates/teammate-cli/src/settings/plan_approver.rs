//! The approver of plans, as a flag and the configuration file say it.

use std::str::FromStr;

use serde::Deserialize;
use teammate::PlanApprover;

/// The approver of plans, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PlanApproverFlag(pub(super) PlanApprover);

impl FromStr for PlanApproverFlag {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let policy = match text.split_once(':') {
            None if text == "lead" => PlanApprover::Lead,
            None if text == "user" => PlanApprover::User,
            Some(("check", command)) if !command.trim().is_empty() => PlanApprover::Rule {
                command: command.trim().to_owned(),
            },
            Some(_) | None => return Err("write lead, user or check:COMMAND".to_owned()),
        };
        Ok(Self(policy))
    }
}

impl TryFrom<String> for PlanApproverFlag {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_approves_plans_is_one_of_three() {
        let read = |text: &str| text.parse::<PlanApproverFlag>().map(|approver| approver.0);
        assert_eq!(read("lead"), Ok(PlanApprover::Lead));
        assert_eq!(read("user"), Ok(PlanApprover::User));
        let command = "grep -q 'a: b'".to_owned();
        assert_eq!(
            read("check: grep -q 'a: b'"),
            Ok(PlanApprover::Rule { command })
        );
        for wrong in ["", "me", "check:", "lead:x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
