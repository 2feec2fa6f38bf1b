//! `teammate rules`: the permission rules in force here, each with its origin.

#[cfg(feature = "nats")]
mod standing;

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{
    Rule, RuleOrigin, Rules as InForce,
    policy::{MachinePolicy, POLICY_FILE},
    rules::{AlwaysRules, UnknownTools, effective_rules},
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::{
    next_steps::wording,
    screen::{Style, clean, origin, rule_lines},
    settings::{connects, user_dirs},
};

/// Show the permission rules in force; `remove` takes back an "always"
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Rules {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<RulesCommand>,
}

#[derive(Subcommand)]
enum RulesCommand {
    /// Remove a rule that an "always" answer made; a running team keeps it until it is closed
    Remove {
        /// The rule, as `teammate rules` lists it
        rule: String,
    },
}

impl Verb for Rules {
    const SHARED: SharedOptions =
        SharedOptions::OfPlace(&["allow", "deny", "lead-may-allow", "network", "sandbox"]);

    async fn run(self, place: &CliContext) -> CliResult {
        let workspace = place
            .dir
            .canonicalize()
            .with_context(|| format!("cannot use {} as a workspace", place.dir.display()))?;
        let user = user_dirs();
        let policy = MachinePolicy::of_machine()?;
        let own = place.options.rules()?;
        let (rules, notices) = effective_rules(&workspace, &user, policy.as_ref(), own, wording());
        match self.action {
            Some(RulesCommand::Remove { rule }) => {
                let was_here = AlwaysRules::of(&workspace, &user).remove(&rule)?;
                let was_on_servers = place.remove_standing_rule(rule.trim()).await?;
                if !was_here && !was_on_servers {
                    return not_remembered(&rule, &rules, place);
                }
                print_line(format!("Forgotten: {}", clean(rule.trim())));
            }
            None if self.json => print_json(&json_of(&rules)),
            None => {
                let UnknownTools {
                    errors,
                    notices: more,
                } = UnknownTools::of(&rules, &[]);
                for notice in [notices, errors, more].concat() {
                    print_line(format!("note: {}", clean(&notice)));
                }
                for line in rule_lines(&rules, Style::for_stdout()) {
                    print_line(line);
                }
                for line in place.standing_rules().await {
                    print_line(clean(&line));
                }
                for line in policy.iter().flat_map(MachinePolicy::describe) {
                    print_line(format!("policy  {}", clean(&line)));
                }
                let network = place.options.sandbox()?.network;
                print_line(format!("network: {}", connects(network)));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn json_of(rules: &InForce) -> Value {
    let list = |rules: &[Rule]| -> Value {
        let of = |rule: &Rule| json!({"rule": rule.to_string(), "origin": rule.origin().as_str()});
        rules.iter().map(of).collect()
    };
    json!({
        "deny": list(&rules.deny),
        "ask": list(&rules.ask),
        "allow": list(&rules.allow),
        "lead_may_allow": list(&rules.lead_may),
    })
}

/// Says where a rule is that is not ours to forget.
fn not_remembered(text: &str, rules: &InForce, place: &CliContext) -> CliResult {
    let all = [&rules.deny, &rules.ask, &rules.allow, &rules.lead_may];
    let Some(rule) = all
        .into_iter()
        .flatten()
        .find(|rule| rule.to_string() == text.trim())
    else {
        bail!("there is no rule '{text}' here; `teammate rules` lists them");
    };
    match rule.origin() {
        RuleOrigin::User => {
            let path = place.options.config_path().unwrap_or_default();
            bail!(
                "'{rule}' is in your configuration; remove it from {}",
                path.display()
            )
        }
        RuleOrigin::Project => {
            bail!("'{rule}' is a rule of the project; remove it from .teammate/settings.toml")
        }
        RuleOrigin::Policy => bail!(
            "'{rule}' is in the policy of this machine, {POLICY_FILE}, which only its administrator changes"
        ),
        RuleOrigin::CommandLine | RuleOrigin::Always => {
            bail!(
                "'{rule}' is on {}; leave it out there",
                origin(rule.origin())
            )
        }
    }
}
