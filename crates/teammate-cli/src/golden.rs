//! The words of the command line and of the configuration file, as golden files: scripts and people's files have them in them.

use std::{fmt::Write as _, path::PathBuf};

use clap::{Arg, Command, CommandFactory as _};
use teammate_testkit::{assert_golden, known_names};
use teammate_view::keys::KeyAction;

use crate::{commands::Cli, settings::refusal_of};

/// A configuration file with every key there is.
const CONFIG: &str = include_str!("../tests/golden/config.toml");

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

/// One line for each argument: `teammate run --timeout <SECONDS>`.
fn lines(path: &str, command: &Command, lines: &mut String) {
    let mut arguments: Vec<String> = command.get_arguments().map(argument).collect();
    arguments.sort();
    writeln!(lines, "{path}").ok();
    for argument in arguments {
        writeln!(lines, "{path} {argument}").ok();
    }
    for verb in command.get_subcommands() {
        self::lines(&format!("{path} {}", verb.get_name()), verb, lines);
    }
}

fn argument(argument: &Arg) -> String {
    let mut line = argument
        .get_short()
        .map_or_else(String::new, |short| format!("-{short}, "));
    match argument.get_long() {
        Some(long) => write!(line, "--{long}").ok(),
        None => write!(line, "[{}]", argument.get_id()).ok(),
    };
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    let takes_value = argument.get_action().takes_values();
    match (takes_value, values.is_empty()) {
        (true, false) => write!(line, " {}", values.join("|")).ok(),
        (true, true) => write!(line, " <VALUE>").ok(),
        (false, _) => None,
    };
    line
}

#[test]
fn every_verb_and_flag_is_called_what_it_always_was() {
    let mut written = String::new();
    lines("teammate", &Cli::command(), &mut written);
    assert_golden(&file("command-line.txt"), &written);
}

/// The keys of a table, without those of the tables in it but with their names.
fn keys(table: &toml::Table) -> Vec<String> {
    let mut keys: Vec<String> = table.keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn the_golden_configuration_has_every_key_and_is_read() {
    assert_eq!(refusal_of(CONFIG), None);
    let config: toml::Table = toml::from_str(CONFIG).unwrap();
    let table = |path: &[&str]| {
        path.iter().fold(&config, |table, name| {
            table[*name].as_table().expect("a table")
        })
    };
    let mut actions: Vec<&str> = KeyAction::ALL.iter().map(|action| action.name()).collect();
    actions.push("vi");
    actions.sort_unstable();
    assert_eq!(keys(table(&["keys"])), actions);
    // No provider has all keys: some exclude each other.
    let mut of_provider = [
        keys(table(&["providers", "local"])),
        keys(table(&["providers", "cloud"])),
    ]
    .concat();
    of_provider.sort();
    of_provider.dedup();
    let refusal = refusal_of("[providers.local]\nno_such_key = 1\n");
    assert_eq!(
        of_provider,
        known_names(&refusal.expect("an unknown key is refused"))
    );
    for (path, header) in [
        (&[][..], ""),
        (&["sandbox"], "[sandbox]"),
        (&["sandbox", "limits"], "[sandbox.limits]"),
        (&["keep"], "[keep]"),
        (&["memory"], "[memory]"),
        (&["nats"], "[nats]"),
        (&["otel"], "[otel]"),
        (&["schedules"], "[schedules]"),
        (&["web"], "[web]"),
        (&["web_search"], "[web_search]"),
        (&["theme"], "[theme]"),
        (&["notify"], "[notify]"),
        (&["ui"], "[ui]"),
        (&["mcp_server"], "[mcp_server]"),
        (&["agent", "mine"], "[agent.mine]"),
        (&["budget"], "[budget]"),
        (&["budget", "member"], "[budget.member]"),
        (&["prices", "local:*"], "[prices.\"local:*\"]"),
        (&["models", "local:*"], "[models.\"local:*\"]"),
    ] {
        let wrong = format!("{header}\nno_such_key = 1\n");
        let refusal = refusal_of(&wrong).expect("an unknown key is refused");
        assert_eq!(keys(table(path)), known_names(&refusal), "{header}");
    }
}

#[test]
fn wrong_keys_and_colours_say_what_would_be_right() {
    let why = |text: &str| refusal_of(text).expect("it is refused");
    for (text, says) in [
        (
            "[keys]\nboard = \"F4\"\n",
            "F4 would be board and mail everywhere: give one of them another key",
        ),
        ("[keys]\nbord = \"F9\"\n", "did you mean board?"),
        ("[keys]\nboard = \"Crtl-B\"\n", "did you mean Ctrl-B?"),
        (
            "[keys]\nboard = 9\n",
            "write a key, such as \"F3\", or a list of keys",
        ),
        ("[theme]\nname = \"grean\"\n", "did you mean green?"),
        (
            "[theme]\nname = \"#12\"\n",
            "Write #rrggbb or one of: black,",
        ),
        (
            "[theme]\npreset = \"drak\"\n",
            "expected one of `terminal`, `dark`",
        ),
        ("[notify]\ncommand = \" \"\n", "write a line for the shell"),
    ] {
        let why = why(text);
        assert!(why.contains(says), "{text}: {why}");
    }
    assert_eq!(refusal_of("[keys]\nmail = \"F3\"\nboard = \"F4\"\n"), None);
}
