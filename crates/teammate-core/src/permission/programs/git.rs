//! Git: subcommands that are known, each with its harmless options. What the repository's own configuration names is not
//! looked at here.

use super::Clarity;
use crate::permission::{
    options::{Arguments, Operands, has_any},
    tables::{TableEntry, TableKind, entries, list},
};

/// Judges what follows `git`.
pub(super) fn clarity(arguments: &[&str]) -> Clarity {
    let (global, subcommand) = arguments.split_at(globals(arguments));
    if runs(global, subcommand) {
        return Clarity::RunsArguments;
    }
    let is_harmless = known(&[])
        .and_then(|git| git.harmless.as_ref())
        .is_some_and(|known| known.read(global).is_some())
        && (subcommand.is_empty() || is_harmless(subcommand));
    if is_harmless {
        Clarity::Plain
    } else {
        Clarity::Unsure
    }
}

/// The known entry of a subcommand, by its words; without any, of git itself.
fn known(names: &[&str]) -> Option<&'static TableEntry> {
    subcommands().find(|entry| entry.names == names)
}

fn subcommands() -> impl Iterator<Item = &'static TableEntry> {
    entries()
        .iter()
        .filter(|entry| entry.kind == TableKind::Git)
}

/// How many words come before the subcommand.
pub(in crate::permission) fn globals(arguments: &[&str]) -> usize {
    let mut count = 0;
    while let Some(word) = arguments.get(count).filter(|word| word.starts_with('-')) {
        count += if list("git-values").contains(word) {
            2
        } else {
            1
        };
    }
    count.min(arguments.len())
}

fn runs(global: &[&str], subcommand: &[&str]) -> bool {
    let [name, rest @ ..] = subcommand else {
        return sets_configuration(global);
    };
    let is_runner = |entry: &TableEntry| {
        let [first, words @ ..] = &entry.names[..] else {
            return false;
        };
        entry.operands == Operands::Run
            && first == name
            && words.iter().all(|word| rest.contains(word))
    };
    subcommands().any(is_runner)
        || sets_configuration(global)
        || [&[][..], &[*name]]
            .into_iter()
            .filter_map(known)
            .any(|entry| has_any(&entry.runs, rest))
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
    let subcommand = &arguments[globals(arguments)..];
    subcommand
        .first()
        .is_some_and(|name| list("git-lookers").contains(name))
}

fn is_harmless(subcommand: &[&str]) -> bool {
    let row = |length: usize| Some((known(subcommand.get(..length)?)?, &subcommand[length..]));
    let Some((entry, arguments)) = row(2).or_else(|| row(1)) else {
        return false;
    };
    let read = entry
        .harmless
        .as_ref()
        .and_then(|known| known.read(arguments));
    read.is_some_and(|read| {
        !opens_editor(&entry.names, &read) && !writes_files(&entry.names, &read)
    })
}

/// An editor is a program, and the repository may name it.
fn opens_editor(subcommand: &[&str], read: &Arguments<'_>) -> bool {
    let has = |options: &str| has(read, options);
    let has_message = has("-m --message -F --file");
    match subcommand {
        ["commit"] => !has_message && !has("-C --reuse-message --no-edit --dry-run"),
        ["tag"] => has("-a --annotate") && !has_message,
        _ => false,
    }
}

fn writes_files(subcommand: &[&str], read: &Arguments<'_>) -> bool {
    subcommand == ["format-patch"] && !has(read, "--stdout")
}

fn has(read: &Arguments<'_>, options: &str) -> bool {
    options
        .split(' ')
        .any(|option| read.options.iter().any(|seen| seen == option))
}
