//! `teammate rules`: which permission rules are in force here, and where each one stands.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{
    Origin, Rule, Rules as InForce,
    rules::{Remembered, in_force},
};

use super::{Ended, Place, say, say_json};
use crate::{
    screen::{clean, origin, rule_lines},
    settings::user_dirs,
};

/// Show the permission rules in force, and forget what was answered with "always"
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Rules {
    /// As JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Forget a rule that an "always" made; a team that is open keeps it until it is closed
    Remove {
        /// Which, as it is listed
        rule: String,
    },
}

impl Rules {
    pub(crate) fn run(self, place: &Place) -> Ended {
        let workspace = place
            .dir
            .canonicalize()
            .with_context(|| format!("cannot use {} as a workspace", place.dir.display()))?;
        let user = user_dirs();
        let (rules, notices) = in_force(&workspace, &user, place.options.rules()?);
        match self.action {
            Some(Action::Remove { rule }) => {
                if !Remembered::of(&workspace, &user).remove(&rule)? {
                    return not_remembered(&rule, &rules, place);
                }
                say(format!("Forgotten: {}", clean(rule.trim())));
            }
            None if self.json => say_json(&json_of(&rules)),
            None => {
                for notice in notices {
                    say(format!("note: {}", clean(&notice)));
                }
                for line in rule_lines(&rules) {
                    say(line);
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn json_of(rules: &InForce) -> Value {
    let list = |rules: &[Rule]| -> Value {
        let of = |rule: &Rule| json!({"rule": rule.to_string(), "origin": rule.origin().word()});
        rules.iter().map(of).collect()
    };
    json!({
        "deny": list(&rules.deny),
        "allow": list(&rules.allow),
        "lead_may_allow": list(&rules.lead_may),
    })
}

/// Says where a rule is that is not ours to forget.
fn not_remembered(text: &str, rules: &InForce, place: &Place) -> Ended {
    let all = [&rules.deny, &rules.allow, &rules.lead_may];
    let Some(rule) = all
        .into_iter()
        .flatten()
        .find(|rule| rule.to_string() == text.trim())
    else {
        bail!("there is no rule '{text}' here; `teammate rules` lists them");
    };
    match rule.origin() {
        Origin::User => {
            let path = place.options.config_path().unwrap_or_default();
            bail!(
                "'{rule}' is in your configuration; take it out of {}",
                path.display()
            )
        }
        Origin::Project => {
            bail!("'{rule}' is the project's; take it out of .teammate/settings.toml")
        }
        Origin::CommandLine | Origin::Always => {
            bail!(
                "'{rule}' stands on {}; leave it out there",
                origin(rule.origin())
            )
        }
    }
}
