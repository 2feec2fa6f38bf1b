//! Git: subcommands that are known, each with its harmless options. What the repository's own configuration names is not
//! looked at here.

use super::{
    Clarity,
    options::{Arguments, Known, has_any},
};

mod subcommands;

use subcommands::SUBCOMMANDS;

/// Options of git itself, before the subcommand.
const GLOBAL: Known = Known::Letters(&[
    "-P --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs",
    "--noglob-pathspecs --icase-pathspecs --version",
]);

/// Options of git itself that take a value in the next word.
const GLOBAL_VALUES: [&str; 6] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
];

/// Options by which a subcommand runs a command that it is given.
const RUNS: &[(&str, &str)] = &[
    ("clone", "-u"),
    ("difftool", "-x --extcmd"),
    ("grep", "-O --open-files-in-pager"),
    ("rebase", "-x"),
];

/// Options of many subcommands that run a program.
const RUNS_ANYWHERE: &[&str] = &["--exec --receive-pack --upload-pack"];

/// Subcommands that run their operands.
const RUNNERS: [&str; 5] = [
    "bisect run",
    "filter-branch",
    "for-each-repo",
    "submodule foreach",
    "submodule--helper",
];

/// Judges what follows `git`.
pub(super) fn clarity(arguments: &[&str]) -> Clarity {
    let (global, subcommand) = arguments.split_at(globals(arguments));
    if runs(global, subcommand) {
        return Clarity::RunsArguments;
    }
    let is_harmless =
        GLOBAL.read(global).is_some() && (subcommand.is_empty() || is_harmless(subcommand));
    if is_harmless {
        Clarity::Plain
    } else {
        Clarity::Unsure
    }
}

/// How many words come before the subcommand.
pub(in crate::permission) fn globals(arguments: &[&str]) -> usize {
    let mut count = 0;
    while let Some(word) = arguments.get(count).filter(|word| word.starts_with('-')) {
        count += if GLOBAL_VALUES.contains(word) { 2 } else { 1 };
    }
    count.min(arguments.len())
}

fn runs(global: &[&str], subcommand: &[&str]) -> bool {
    let [name, rest @ ..] = subcommand else {
        return sets_configuration(global);
    };
    let is_runner = RUNNERS.iter().any(|runner| {
        let mut words = runner.split(' ');
        words.next() == Some(name) && words.next().is_none_or(|second| rest.contains(&second))
    });
    is_runner
        || sets_configuration(global)
        || has_any(RUNS_ANYWHERE, rest)
        || RUNS
            .iter()
            .any(|(of, options)| of == name && has_any(&[options], rest))
}

/// Configuration, an alias among it, can be a command.
fn sets_configuration(global: &[&str]) -> bool {
    global.iter().any(|word| {
        word.starts_with("-c")
            || word.starts_with("--config-env")
            || word.starts_with("--exec-path")
    })
}

/// Whether git changes nothing but what it remembers of its own (the index' times).
pub(super) fn only_looks(arguments: &[&str]) -> bool {
    const LOOKING: [&str; 12] = [
        "blame",
        "cat-file",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "ls-tree",
        "rev-list",
        "rev-parse",
        "show",
        "status",
    ];
    let subcommand = &arguments[globals(arguments)..];
    subcommand
        .first()
        .is_some_and(|name| LOOKING.contains(name))
}

fn is_harmless(subcommand: &[&str]) -> bool {
    let row = |length: usize| {
        let name = subcommand.get(..length)?.join(" ");
        let (name, known) = SUBCOMMANDS.iter().find(|(known, _)| *known == name)?;
        Some((*name, *known, &subcommand[length..]))
    };
    let Some((name, known, arguments)) = row(2).or_else(|| row(1)) else {
        return false;
    };
    Known::Letters(known)
        .read(arguments)
        .is_some_and(|read| !opens_editor(name, &read) && !writes_files(name, &read))
}

/// An editor is a program, and the repository may name it.
fn opens_editor(name: &str, read: &Arguments<'_>) -> bool {
    let has = |options: &str| has(read, options);
    let has_message = has("-m --message -F --file");
    match name {
        "commit" => !has_message && !has("-C --reuse-message --no-edit --dry-run"),
        "tag" => has("-a --annotate") && !has_message,
        _ => false,
    }
}

fn writes_files(name: &str, read: &Arguments<'_>) -> bool {
    name == "format-patch" && !has(read, "--stdout")
}

fn has(read: &Arguments<'_>, options: &str) -> bool {
    options
        .split(' ')
        .any(|option| read.options.iter().any(|seen| seen == option))
}
