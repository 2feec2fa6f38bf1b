//! The help of each command: its own options first, then those that say which team is meant, then the settings; only what has an
//! effect there.

use clap::{Arg, Command};

use super::{
    TopCommand,
    verb::{SharedOptions, WHERE},
};

const WHERE_HEADING: &str = "Which team";
const SETTINGS_HEADING: &str = "Settings (also in the configuration file)";

/// The command line with the shared options arranged for people: for help, manual pages and completions. It reads the same words as
/// before.
pub(super) fn arranged(mut command: Command) -> Command {
    let shared = command.get_arguments().filter(|own| own.is_global_set());
    let shared: Vec<String> = shared
        .filter_map(|option| option.get_long().map(str::to_owned))
        .collect();
    // Puts the shared options into each command.
    command.build();
    command
        .mut_args(|option| arranged_option(option, &shared, SharedOptions::All))
        .mut_subcommands(|verb| {
            let used = TopCommand::shared(verb.get_name());
            arranged_verb(verb, &shared, used)
        })
}

/// Arranges the help of a command and of all below it.
fn arranged_verb(verb: Command, shared: &[String], used: SharedOptions) -> Command {
    verb.mut_args(|option| arranged_option(option, shared, used))
        .mut_subcommands(|below| arranged_verb(below, shared, used))
}

fn arranged_option(option: Arg, shared: &[String], used: SharedOptions) -> Arg {
    let Some(name) = option.get_long().map(str::to_owned) else {
        return option;
    };
    if !option.is_global_set() || !shared.contains(&name) {
        return option;
    }
    let heading = match WHERE.contains(&name.as_str()) {
        true => WHERE_HEADING,
        false => SETTINGS_HEADING,
    };
    let is_hidden = option.is_hide_set() || !used.has(&name);
    option.help_heading(heading).hide(is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::{CommandFactory as _, error::ErrorKind};

    /// The help of a command, by the words that lead to it.
    fn help(words: &[&str]) -> String {
        let line = ["teammate"].iter().chain(words).chain(&["--help"]);
        let error = arranged(Cli::command())
            .try_get_matches_from(line)
            .expect_err("help is shown");
        assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{words:?}: {error}");
        error.render().to_string()
    }

    fn paths(command: &Command, path: &[String], all: &mut Vec<Vec<String>>) {
        for verb in command.get_subcommands() {
            let path = [path, &[verb.get_name().to_owned()]].concat();
            paths(verb, &path, all);
            all.push(path);
        }
    }

    #[test]
    fn every_command_shows_its_own_options_first_and_only_shared_ones_that_have_an_effect() {
        let mut all = vec![Vec::new()];
        paths(&Cli::command(), &[], &mut all);
        for path in all {
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            let shown = help(&words);
            let used = words
                .first()
                .map_or(SharedOptions::All, |verb| TopCommand::shared(verb));
            let at = |text: &str| shown.find(text);
            let own = at("\nOptions:").unwrap_or_else(|| panic!("{words:?}:\n{shown}"));
            let place = at(&format!("\n{WHERE_HEADING}:"));
            let settings = at(&format!("\n{SETTINGS_HEADING}:"));
            assert_eq!(
                place.is_some(),
                used != SharedOptions::None,
                "{words:?}:\n{shown}"
            );
            assert!(place.is_none_or(|place| own < place), "{words:?}:\n{shown}");
            let both = place.zip(settings);
            assert!(both.is_none_or(|(a, b)| a < b), "{words:?}:\n{shown}");
            for option in ["--dir", "--model", "--permission-mode", "--max-hops"] {
                let is_shown = at(&format!("{option} <")).is_some();
                assert_eq!(is_shown, used.has(&option[2..]), "{words:?}: {option}");
            }
        }
    }

    #[test]
    fn every_option_that_a_verb_names_is_one() {
        let command = Cli::command();
        let options = command.get_arguments().filter_map(Arg::get_long);
        let options: Vec<&str> = options.collect();
        let named = |shared| match shared {
            SharedOptions::AllBut(names) | SharedOptions::OfPlace(names) => names,
            SharedOptions::Opens
            | SharedOptions::All
            | SharedOptions::OfTeam
            | SharedOptions::Config
            | SharedOptions::None => &[],
        };
        let verbs = command.get_subcommands().map(Command::get_name);
        let named = verbs.flat_map(|verb| named(TopCommand::shared(verb)));
        for name in WHERE.iter().chain(named) {
            assert!(options.contains(name), "--{name}");
        }
    }
}
