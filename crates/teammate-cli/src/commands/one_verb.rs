//! Reads a command line by the one verb that it names. To make the commands of all verbs takes longer than all else that happens before
//! a team is opened, and two megabytes. A line that this does not understand is read, and found wrong, by all of them.

use std::ffi::OsString;

use clap::{ArgMatches, Args as _, Command};

use super::{TopCommand, TopFlags};

/// The command of the first word that is a verb, and what it makes of the line. `None` where that is not what was meant, or not all:
/// a verb can be the value of a flag, a line can be wrong or ask for help, and `-p` is no flag of a verb.
pub(super) fn read(given: &[OsString]) -> Option<(Command, ArgMatches)> {
    if given.iter().any(|word| word == "-p" || word == "--print") {
        return None;
    }
    let verb = given
        .iter()
        .find_map(|word| TopCommand::of_verb(word.to_str()?))?;
    let mut command = TopFlags::augment_args(Command::new("teammate")).subcommand(verb);
    let words = std::iter::once("teammate".into()).chain(given.iter().cloned());
    let matches = command.try_get_matches_from_mut(words).ok()?;
    Some((command, matches))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use clap::{CommandFactory as _, Id};

    use super::*;
    use crate::commands::Cli;

    fn line(words: &[&str]) -> Vec<OsString> {
        words.iter().map(Into::into).collect()
    }

    fn by_all(words: &[&str]) -> Option<ArgMatches> {
        let words = std::iter::once("teammate").chain(words.iter().copied());
        Cli::command().try_get_matches_from(words).ok()
    }

    /// The verb with all that belongs to it, and the flags before it.
    type Parts<'a> = (
        Option<(&'a str, &'a ArgMatches)>,
        Vec<(&'a str, Vec<&'a OsStr>)>,
    );

    fn parts(read: &ArgMatches) -> Parts<'_> {
        let flag = |id: &Id| read.get_raw(id.as_str()).into_iter().flatten().collect();
        // Groups have no words of their own.
        let flags = read
            .ids()
            .filter(|id| read.try_get_raw(id.as_str()).is_ok());
        let flags = flags.map(|id| (id.as_str(), flag(id)));
        (read.subcommand(), flags.collect())
    }

    #[test]
    fn one_verb_reads_as_all_of_them() {
        for words in [
            &["run", "fix it"][..],
            &["--model", "a:b", "run", "--timeout", "9m", "fix", "it"],
            &["run", "--dir", "team", "fix"],
            &["send", "alice", "run"],
            &["mcp", "list"],
            &["team", "--json"],
        ] {
            let (_, read) = read(&line(words)).unwrap();
            assert_eq!(parts(&read), parts(&by_all(words).unwrap()), "{words:?}");
        }
        for verb in Cli::command().get_subcommands() {
            let words = [verb.get_name()];
            let read = read(&line(&words)).map(|(_, read)| read);
            let all = by_all(&words);
            assert_eq!(
                read.as_ref().map(parts),
                all.as_ref().map(parts),
                "{words:?}"
            );
        }
    }

    #[test]
    fn what_one_verb_does_not_understand_is_left_to_all() {
        for words in [
            &["--dir", "run", "team"][..],
            &["fix", "the", "team"],
            &["help", "run"],
            &["run", "--help"],
            &["run", "--no-such", "x"],
            &["-p", "run"],
            &["run"],
            &["fix it"],
            &[],
        ] {
            assert!(read(&line(words)).is_none(), "{words:?}");
        }
    }
}
