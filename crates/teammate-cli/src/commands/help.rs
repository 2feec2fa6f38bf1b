//! The help of each command: its own options first, then those that say which team is meant, then the settings; only what has an
//! effect there.

use clap::{Arg, Command};

/// The options that say which team is meant and where settings are.
const WHERE: &[&str] = &["dir", "team", "nats", "creds", "config"];

const WHERE_HEADING: &str = "Which team";
const SETTINGS_HEADING: &str = "Settings (also in the configuration file)";

/// Which of the shared options have an effect in a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shared {
    /// It opens the team.
    All,
    /// It opens a team whose model and rights are fixed.
    Demo,
    /// It looks at a team, or changes something of it: which team is meant, and these settings.
    Where(&'static [&'static str]),
    /// It is about all teams.
    Config,
    /// It is about no team.
    None,
}

/// Settings that a demo has of its own.
const OF_DEMO: &[&str] = &[
    "model",
    "fallback",
    "permission-mode",
    "allow",
    "lead-may-allow",
    "no-project-instructions",
];

const OF_RULES: &[&str] = &["allow", "deny", "lead-may-allow", "network", "sandbox"];
const OF_HOOKS: &[&str] = &["hooks", "sandbox"];
const OF_PLUGINS: &[&str] = &["sandbox"];
const OF_DOCTOR: &[&str] = &[
    "model",
    "effort",
    "allow",
    "deny",
    "lead-may-allow",
    "hooks",
    "mcp-config",
    "network",
    "sandbox",
];
const OF_AGENTS: &[&str] = &["deny", "network", "sandbox"];

/// Every command, with what of the shared options it uses.
const VERBS: &[(&str, Shared)] = &[
    ("run", Shared::All),
    ("resume", Shared::All),
    ("up", Shared::All),
    ("watch", Shared::Where(&[])),
    ("web", Shared::All),
    ("team", Shared::Where(&[])),
    ("tasks", Shared::Where(&[])),
    ("inbox", Shared::Where(&[])),
    ("send", Shared::Where(&[])),
    ("recall", Shared::Where(&[])),
    ("interrupt", Shared::Where(&[])),
    ("compact", Shared::Where(&[])),
    ("needs", Shared::Where(&[])),
    ("requests", Shared::Where(&[])),
    ("approve", Shared::Where(&[])),
    ("deny", Shared::Where(&[])),
    ("stop", Shared::Where(&[])),
    ("conversations", Shared::Where(&[])),
    ("log", Shared::Where(&[])),
    ("export", Shared::Where(&[])),
    ("share", Shared::Where(&[])),
    ("worktrees", Shared::Where(&[])),
    ("held", Shared::Where(&[])),
    ("cost", Shared::Where(&[])),
    ("mcp", Shared::All),
    ("hooks", Shared::Where(OF_HOOKS)),
    ("plugin", Shared::Where(OF_PLUGINS)),
    ("agents", Shared::Where(OF_AGENTS)),
    ("acp", Shared::All),
    ("models", Shared::Where(&[])),
    ("keys", Shared::None),
    ("worker", Shared::All),
    ("workers", Shared::Where(&[])),
    ("audit", Shared::Where(&[])),
    ("purge", Shared::Where(&[])),
    ("demo", Shared::Demo),
    ("doctor", Shared::Where(OF_DOCTOR)),
    ("trust", Shared::Where(&[])),
    ("recover", Shared::Where(&[])),
    ("rules", Shared::Where(OF_RULES)),
    ("memory", Shared::Where(&[])),
    ("schedules", Shared::Where(&[])),
    ("schema", Shared::None),
    ("teams", Shared::Config),
    ("completions", Shared::None),
    ("man", Shared::None),
    ("help", Shared::None),
];

impl Shared {
    /// Of a command that is not in the table everything is shown; a test finds it.
    fn of(verb: &str) -> Self {
        let known = VERBS.iter().find(|(name, _)| *name == verb);
        known.map_or(Self::All, |(_, shared)| *shared)
    }

    fn has(self, option: &str) -> bool {
        let is_where = WHERE.contains(&option);
        match self {
            Self::All => true,
            Self::Demo => !OF_DEMO.contains(&option),
            Self::Where(settings) => is_where || settings.contains(&option),
            Self::Config => option == "config",
            Self::None => false,
        }
    }
}

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
        .mut_args(|option| arranged_option(option, &shared, Shared::All))
        .mut_subcommands(|verb| {
            let used = Shared::of(verb.get_name());
            arranged_verb(verb, &shared, used)
        })
}

/// The same for a command and all below it.
fn arranged_verb(verb: Command, shared: &[String], used: Shared) -> Command {
    verb.mut_args(|option| arranged_option(option, shared, used))
        .mut_subcommands(|below| arranged_verb(below, shared, used))
}

fn arranged_option(option: Arg, shared: &[String], used: Shared) -> Arg {
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
            let used = words.first().map_or(Shared::All, |verb| Shared::of(verb));
            let at = |text: &str| shown.find(text);
            let own = at("\nOptions:").unwrap_or_else(|| panic!("{words:?}:\n{shown}"));
            let place = at(&format!("\n{WHERE_HEADING}:"));
            let settings = at(&format!("\n{SETTINGS_HEADING}:"));
            assert_eq!(place.is_some(), used != Shared::None, "{words:?}:\n{shown}");
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
    fn every_command_has_its_place_in_the_table_and_the_table_no_other() {
        let command = Cli::command();
        let verbs = command.get_subcommands().map(Command::get_name);
        let mut verbs: Vec<&str> = verbs.chain(["help"]).collect();
        let mut known: Vec<&str> = VERBS.iter().map(|(verb, _)| *verb).collect();
        verbs.sort_unstable();
        known.sort_unstable();
        assert_eq!(verbs, known);
        let options = command.get_arguments().filter_map(Arg::get_long);
        let options: Vec<&str> = options.collect();
        for name in [WHERE, OF_DEMO, OF_RULES, OF_DOCTOR, OF_AGENTS].concat() {
            assert!(options.contains(&name), "--{name}");
        }
    }
}
