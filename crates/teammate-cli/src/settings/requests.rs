//! What is asked of whom, and for how long: flags and the configuration file's words.

use std::{str::FromStr, time::Duration};

use anyhow::Context as _;
use clap::Args;
use serde::Deserialize;
use teammate::{PlanPolicy, TeamBuilder};

/// How many minutes a person has to answer a permission question unless configured otherwise.
const ANSWER_MINUTES: f64 = 10.0;

/// Who answers, and within which time.
#[derive(Args, Clone, Default)]
pub(super) struct AnswerFlags {
    /// Who approves plans: lead, user, or check:COMMAND (reads the variable PLAN, approves with exit code 0) [default: lead]
    #[arg(long, global = true, value_name = "WHO")]
    plan_approver: Option<PlanApprover>,

    /// How many seconds a teammate that works has when it is asked to shut down [default: 30]
    #[arg(long, global = true, value_name = "N")]
    shutdown_seconds: Option<f64>,

    /// How many minutes a permission question waits; then the answer is no [default: 10]
    #[arg(long, global = true, value_name = "N")]
    answer_minutes: Option<f64>,
}

/// The same, as the configuration file says it.
pub(super) struct Words {
    pub(super) plan_approver: Option<PlanApprover>,
    pub(super) shutdown_seconds: Option<f64>,
    pub(super) answer_minutes: Option<f64>,
}

/// Who approves plans, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PlanApprover(PlanPolicy);

impl FromStr for PlanApprover {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let policy = match text.split_once(':') {
            None if text == "lead" => PlanPolicy::Lead,
            None if text == "user" => PlanPolicy::User,
            Some(("check", command)) if !command.trim().is_empty() => PlanPolicy::Rule {
                command: command.trim().to_owned(),
            },
            Some(_) | None => return Err("write lead, user or check:COMMAND".to_owned()),
        };
        Ok(Self(policy))
    }
}

impl TryFrom<String> for PlanApprover {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl AnswerFlags {
    /// The builder with what was said. A flag comes before the file.
    pub(super) fn apply(
        &self,
        file: Words,
        mut builder: TeamBuilder,
        with_person: bool,
    ) -> anyhow::Result<TeamBuilder> {
        if let Some(approver) = self.plan_approver.clone().or(file.plan_approver) {
            builder = builder.plans(approver.0);
        }
        if let Some(seconds) = self.shutdown_seconds.or(file.shutdown_seconds) {
            let within = Duration::try_from_secs_f64(seconds).context("shutdown_seconds")?;
            builder = builder.shutdown_within(within);
        }
        let minutes = self.answer_minutes.or(file.answer_minutes);
        let minutes = minutes.unwrap_or(ANSWER_MINUTES);
        let deadline = Duration::try_from_secs_f64(minutes * 60.0).context("answer_minutes")?;
        Ok(if with_person {
            builder.asks_person(deadline)
        } else {
            builder
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_approves_plans_is_one_of_three() {
        let read = |text: &str| text.parse::<PlanApprover>().map(|approver| approver.0);
        assert_eq!(read("lead"), Ok(PlanPolicy::Lead));
        assert_eq!(read("user"), Ok(PlanPolicy::User));
        let command = "grep -q 'a: b'".to_owned();
        assert_eq!(
            read("check: grep -q 'a: b'"),
            Ok(PlanPolicy::Rule { command })
        );
        for wrong in ["", "me", "check:", "lead:x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
