//! What a command's words show about what it runs and writes.
//!
//! Of programs that can run others or write where an option says, only options known to be harmless are covered by patterns;
//! an exact rule covers anything. The tables are a help against mistakes, not a wall: there are more ways to have a program
//! run another than can be listed.

mod builders;
mod git;
mod lookers;
mod options;
mod readers;
mod runners;

pub(super) use git::globals as git_options;
pub(super) use lookers::only_looks;
use options::{Known, has_any};

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

/// The known options of a program.
struct Program {
    /// Its names.
    names: &'static [&'static str],
    /// Options that take a command.
    runs: &'static [&'static str],
    /// The other options.
    others: Others,
}

enum Others {
    /// All are harmless but these.
    AllBut(&'static [&'static str]),
    /// None is but these, and so many operands.
    Only(Known, Operands),
}

/// The operands that may stand beside the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operands {
    Any,
    /// A second one would be a file to write to.
    One,
    /// Any without these characters.
    Without(&'static [char]),
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
    if names.into_iter().any(runners::is_runner) {
        return Clarity::RunsArguments;
    }
    let known = || readers::PROGRAMS.iter().chain(builders::PROGRAMS);
    match plain {
        "git" => git::clarity(arguments),
        "sed" | "gsed" if !readers::only_prints(arguments) => Clarity::RunsArguments,
        "test" | "[" if arguments.iter().any(|word| word.contains('[')) => Clarity::RunsArguments,
        "tar" | "gtar" | "bsdtar" if builders::has_command_letters(arguments) => {
            Clarity::RunsArguments
        }
        _ => known()
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
    runners::SHELLS.contains(&program.as_str())
        && (arguments.contains(&"-s") || arguments.iter().all(|word| word.starts_with('-')))
}

/// The last part of a program's path.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

impl Program {
    fn clarity(&self, arguments: &[&str]) -> Clarity {
        if has_any(self.runs, arguments) {
            return Clarity::RunsArguments;
        }
        let is_harmless = match &self.others {
            Others::AllBut(options) => !has_any(options, arguments),
            Others::Only(known, operands) => known
                .read(arguments)
                .is_some_and(|read| operands.admits(&read.operands)),
        };
        if is_harmless {
            Clarity::Plain
        } else {
            Clarity::Unsure
        }
    }
}

impl Operands {
    fn admits(self, operands: &[&str]) -> bool {
        match self {
            Self::Any => true,
            Self::One => operands.len() <= 1,
            Self::Without(characters) => operands.iter().all(|word| !word.contains(characters)),
        }
    }
}

#[cfg(test)]
mod tests;
