//! `/rules`: the permission rules in force.

use teammate::policy::MachinePolicy;
use teammate::rules::effective_rules;

use super::{TypedCall, TypedCommand, in_lines};
use crate::{next_steps::wording, screen::rule_lines, settings::user_dirs};

pub(super) const RULES: TypedCommand = TypedCommand {
    word: "/rules",
    usage: "",
    about: "the permission rules in force",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let rules = match call.team.hosted() {
        Some(team) => team.rules(),
        // Those of the command line that started the other process are not known here.
        None => {
            let workspace = call.place.dir.canonicalize()?;
            let policy = MachinePolicy::of_machine()?;
            let own = call.place.options.rules()?;
            effective_rules(&workspace, &user_dirs(), policy.as_ref(), own, wording()).0
        }
    };
    Ok(rule_lines(&rules, call.style).join("\n"))
}
