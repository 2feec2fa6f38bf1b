//! The flags of a command line: those that the policy of the machine forbids, and those that every command has.

use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgMatches, Command, CommandFactory as _, parser::ValueSource};
use teammate::{
    TeamError,
    policy::{MachinePolicy, PolicyError},
};

use super::Cli;

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
    let all = Cli::command();
    let unknown = policy.flags().find(|flag| !has_flag(&all, flag));
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

/// The settings among the flags that every command has, as they were given: words for another command line. Which team is meant is
/// none of them.
pub(super) fn shared(command: &Command, matches: &ArgMatches) -> Vec<OsString> {
    let shared = command.get_arguments().filter(|flag| flag.is_global_set());
    let settings = shared.filter(|flag| !matches!(flag.get_id().as_str(), "dir" | "team"));
    let given = settings.filter(|flag| is_given(matches, flag.get_id().as_str()));
    given.flat_map(|flag| words(flag, matches)).collect()
}

/// Those of the settings that hold for another team, too: they allow nothing.
pub(super) fn of_every_team(given: &[OsString]) -> Vec<OsString> {
    let holds = |word: &&OsString| {
        let word = word.to_string_lossy();
        word == "--plain" || word.starts_with("--lang=") || word.starts_with("--config=")
    };
    given.iter().filter(holds).cloned().collect()
}

/// A flag with each of its values.
fn words(flag: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let Some(name) = flag.get_long().map(|long| format!("--{long}")) else {
        return Vec::new();
    };
    if !flag.get_action().takes_values() {
        return vec![name.into()];
    }
    let values = matches
        .get_raw(flag.get_id().as_str())
        .into_iter()
        .flatten();
    let word = |value: &OsStr| {
        let mut word = OsString::from(format!("{name}="));
        word.push(value);
        word
    };
    values.map(word).collect()
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches
        .try_contains_id(id)
        .is_ok_and(|_| matches.value_source(id) == Some(ValueSource::CommandLine))
}

fn has_flag(command: &Command, flag: &str) -> bool {
    let is_own = command
        .get_arguments()
        .any(|argument| argument.get_long() == Some(flag));
    is_own || command.get_subcommands().any(|below| has_flag(below, flag))
}

/// The flags on this command line, also those of its subcommands.
fn given(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let own = command
        .get_arguments()
        .filter(|argument| is_given(matches, argument.get_id().as_str()))
        .filter_map(|argument| argument.get_long().map(str::to_owned));
    let below = matches
        .subcommand()
        .and_then(|(name, matches)| Some(given(command.find_subcommand(name)?, matches)));
    own.chain(below.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_every_command_has_are_given_on_wherever_they_stood() {
        for words in [
            &[
                "teammate",
                "--model",
                "a:b",
                "--dir",
                "x y",
                "--plain",
                "--allow=bash(ls)",
                "--allow=edit(*)",
            ][..],
            &[
                "teammate",
                "--dir=x y",
                "run",
                "--model=a:b",
                "--plain",
                "fix",
                "--timeout=9m",
                "--allow=bash(ls)",
                "--allow=edit(*)",
            ],
        ] {
            let command = Cli::command();
            let matches = command.clone().try_get_matches_from(words).unwrap();
            let mut given = shared(&command, &matches);
            given.sort();
            let wanted = [
                "--allow=bash(ls)",
                "--allow=edit(*)",
                "--model=a:b",
                "--plain",
            ];
            assert_eq!(given, wanted, "{words:?}");
        }
    }
}
