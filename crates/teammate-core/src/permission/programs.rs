//! Judges by a command's words what it runs and writes.
//!
//! Of programs that can run others or write where an option says, only options known to be harmless are covered by patterns;
//! an exact rule covers anything. The tables (`tables.txt`) are a help against mistakes, not a wall: there are more ways to have a program
//! run another than can be listed.

mod git;
mod lookers;

pub(super) use git::globals as git_options;
pub(super) use lookers::only_looks;

use super::{
    options::has_any,
    tables::{TableEntry, TableKind, entries, list},
};

/// The clarity of a command's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clarity {
    /// It does only what its words show.
    Plain,
    /// Something in it is not known to be harmless.
    Unsure,
    /// It runs some of its arguments, or code in them.
    RunsArguments,
}

/// Judges a command; the first word is the program.
pub(super) fn clarity(words: &[&str]) -> Clarity {
    let Some((program, arguments)) = words.split_first() else {
        return Clarity::RunsArguments;
    };
    let program = base_name(program).to_ascii_lowercase();
    // `python3.12` is `python3` or `python`.
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || "-.".contains(c));
    let names = [&program, plain];
    if names.into_iter().any(is_runner) {
        return Clarity::RunsArguments;
    }
    match plain {
        "git" => git::clarity(arguments),
        "sed" | "gsed" if !only_prints(arguments) => Clarity::RunsArguments,
        "test" | "[" if arguments.iter().any(|word| word.contains('[')) => Clarity::RunsArguments,
        "tar" | "gtar" | "bsdtar" if has_command_letters(arguments) => Clarity::RunsArguments,
        _ => entries()
            .iter()
            .filter(|known| known.kind == TableKind::Program)
            .find(|known| known.names.iter().any(|name| names.contains(name)))
            .map_or(Clarity::Plain, |known| known.clarity(arguments)),
    }
}

/// Whether it is a shell that takes its commands from what it reads.
pub(super) fn reads_commands(words: &[&str]) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let program = base_name(program).to_ascii_lowercase();
    list("shells").contains(&program.as_str())
        && (arguments.contains(&"-s") || arguments.iter().all(|word| word.starts_with('-')))
}

/// The last part of a program's path.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

impl TableEntry {
    fn clarity(&self, arguments: &[&str]) -> Clarity {
        if has_any(&self.runs, arguments) {
            return Clarity::RunsArguments;
        }
        let is_harmless = match &self.harmless {
            None => !has_any(&self.harmful, arguments),
            Some(known) => known
                .read(arguments)
                .is_some_and(|read| self.operands.admits(&read.operands)),
        };
        if is_harmless {
            Clarity::Plain
        } else {
            Clarity::Unsure
        }
    }
}

/// Whether a program, by the last part of its path in small letters, runs what it is given; as the dynamic loader does:
/// `ld.so`, `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`.
fn is_runner(program: &str) -> bool {
    list("shells").contains(&program)
        || list("runners").contains(&program)
        || program.starts_with("ld") && program.contains(".so")
}

/// The first word of `tar` may be letters without a dash; `F` and `I` among them take a command.
fn has_command_letters(arguments: &[&str]) -> bool {
    arguments
        .first()
        .is_some_and(|letters| letters.contains(['F', 'I']))
}

/// `sed -n 5p FILE` and `sed -n 2,7p FILE`: of all scripts those that certainly only print.
fn only_prints(arguments: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match arguments {
        ["-n", script, files @ ..] => {
            files.iter().all(|file| !file.starts_with('-'))
                && script.strip_suffix('p').is_some_and(|lines| {
                    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
                    is_number(from) && (is_number(to) || to == "$")
                })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
