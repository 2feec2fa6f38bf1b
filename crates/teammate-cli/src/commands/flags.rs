//! Flags that the policy of the machine forbids.

use clap::{ArgMatches, Command, parser::ValueSource};
use teammate::{
    TeamError,
    policy::{MachinePolicy, PolicyError},
};

/// Refuses a forbidden flag that was given, and a policy with flags that this program does not have: nobody would know
/// what it was to forbid. `doctor`, which shows the policy, runs in any case.
pub(super) fn check(
    command: &Command,
    matches: &ArgMatches,
    is_print: bool,
) -> Result<(), TeamError> {
    if matches.subcommand_name() == Some("doctor") {
        return Ok(());
    }
    let Some(policy) = MachinePolicy::of_machine()? else {
        return Ok(());
    };
    let unknown = policy.flags().find(|flag| !has_flag(command, flag));
    if let Some(flag) = unknown {
        let why = format!("this program has no flag --{flag}");
        let path = policy.path().to_owned();
        return Err(PolicyError::Unusable { path, why }.into());
    }
    // `-p` is taken off before the rest is read.
    let print = is_print.then(|| "print".to_owned());
    for flag in given(command, matches).into_iter().chain(print) {
        policy.check_flag(&flag)?;
    }
    Ok(())
}

fn has_flag(command: &Command, flag: &str) -> bool {
    let is_own = command
        .get_arguments()
        .any(|argument| argument.get_long() == Some(flag));
    is_own || command.get_subcommands().any(|below| has_flag(below, flag))
}

/// The flags on this command line, also those of its subcommands.
fn given(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let is_given = |id: &str| {
        matches
            .try_contains_id(id)
            .is_ok_and(|_| matches.value_source(id) == Some(ValueSource::CommandLine))
    };
    let own = command
        .get_arguments()
        .filter(|argument| is_given(argument.get_id().as_str()))
        .filter_map(|argument| argument.get_long().map(str::to_owned));
    let below = matches
        .subcommand()
        .and_then(|(name, matches)| Some(given(command.find_subcommand(name)?, matches)));
    own.chain(below.into_iter().flatten()).collect()
}
