//! A job without a verb: `teammate "fix it"`, and `teammate -p "fix it"` for those who know that from other tools. Both are read
//! as `run` is, with the same flags.

use std::{ffi::OsString, io::IsTerminal as _};

use clap::{ArgMatches, Command, Error, error::ContextKind, error::ErrorKind};

use super::features;

/// How a command line gives a job without the verb `run`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// As a text: at a terminal it opens the prompt.
    Text,
    /// After `-p` or `--print`: as `run`.
    Print,
}

/// A command line, read.
pub(super) struct BareWords {
    pub(super) matches: ArgMatches,
    pub(super) bare: Option<Bare>,
}

/// Reads a command line, without the program's name. A wrong one is clap's error, of the reading that was meant.
pub(super) fn read(command: &Command, given: &[OsString]) -> Result<BareWords, Error> {
    if let Some(words) = after_print(command, given) {
        let read = as_run(command, &words);
        return read.map(|matches| BareWords {
            matches,
            bare: Some(Bare::Print),
        });
    }
    let error = match parse(command, given) {
        Ok(matches) => {
            return Ok(BareWords {
                matches,
                bare: None,
            });
        }
        Err(error) => error,
    };
    match as_run(command, given) {
        Ok(matches) if is_job(command, given, &matches) => Ok(BareWords {
            matches,
            bare: Some(Bare::Text),
        }),
        // What is wrong is a flag behind the job.
        Err(of_run) if is_unknown(&error) && has_blank_command(&error) => Err(of_run),
        Ok(_) | Err(_) => Err(error),
    }
}

/// Whether the user may have meant a job, and no verb that is written wrongly.
pub(super) fn looks_like_a_job(error: &Error) -> bool {
    error.kind() == ErrorKind::InvalidSubcommand
        && (has_blank_command(error) || error.get(ContextKind::SuggestedSubcommand).is_none())
}

fn parse(command: &Command, given: &[OsString]) -> Result<ArgMatches, Error> {
    let name = OsString::from("teammate");
    command
        .clone()
        .try_get_matches_from(std::iter::once(name).chain(given.iter().cloned()))
}

/// Reads this behind the verb `run`.
fn as_run(command: &Command, given: &[OsString]) -> Result<ArgMatches, Error> {
    let mut words = vec![OsString::from("run")];
    words.extend_from_slice(given);
    parse(command, &words)
}

/// The words beside `-p`, if only flags stand before it. Without a job, that comes on standard input.
fn after_print(command: &Command, given: &[OsString]) -> Option<Vec<OsString>> {
    let before_words = given.iter().take_while(|word| *word != "--");
    let at = before_words
        .clone()
        .position(|word| word == "-p" || word == "--print")?;
    if !has_only_flags(command, &given[..at]) {
        return None;
    }
    let mut words = [&given[..at], &given[at + 1..]].concat();
    let lacks_job = as_run(command, &words)
        .is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument);
    if lacks_job && !std::io::stdin().is_terminal() {
        words.push("-".into());
    }
    Some(words)
}

/// Whether a job could follow these flags.
fn has_only_flags(command: &Command, given: &[OsString]) -> bool {
    let job = [given, &["x".into()]].concat();
    as_run(command, &job).is_ok_and(|matches| prompt(&matches) == ["x"])
}

/// The words of the job that `run` was given; none, if it is another verb.
fn prompt(matches: &ArgMatches) -> Vec<&str> {
    let words = matches
        .subcommand_matches("run")
        .and_then(|run| run.get_many::<String>("prompt"));
    words.into_iter().flatten().map(String::as_str).collect()
}

/// Whether the words are a job: a text with a blank, several words of which the first is nearly no verb, or all behind `--`.
fn is_job(command: &Command, given: &[OsString], matches: &ArgMatches) -> bool {
    let end_of_flags = given.iter().position(|word| word == "--");
    if end_of_flags.is_some_and(|at| has_only_flags(command, &given[..at])) {
        return true;
    }
    match prompt(matches)[..] {
        [] => false,
        [first, ..] if first.contains(char::is_whitespace) => true,
        [_] => false,
        [first, ..] => !is_nearly_verb(command, first),
    }
}

fn is_nearly_verb(command: &Command, word: &str) -> bool {
    if features::bring_verb(word) {
        return true;
    }
    match parse(command, &[word.into()]) {
        Ok(_) => true,
        Err(error) => {
            error.kind() != ErrorKind::InvalidSubcommand
                || error.get(ContextKind::SuggestedSubcommand).is_some()
        }
    }
}

fn is_unknown(error: &Error) -> bool {
    error.kind() == ErrorKind::InvalidSubcommand
}

/// Whether what stands where a verb was expected is a text.
fn has_blank_command(error: &Error) -> bool {
    let given = error.get(ContextKind::InvalidSubcommand);
    given.is_some_and(|word| word.to_string().contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::CommandFactory as _;

    fn given(words: &[&str]) -> Result<(Option<Bare>, Vec<String>), Error> {
        let words: Vec<OsString> = words.iter().map(Into::into).collect();
        read(&Cli::command(), &words).map(|read| {
            let job = prompt(&read.matches).into_iter().map(str::to_owned);
            (read.bare, job.collect())
        })
    }

    #[track_caller]
    fn assert_read(words: &[&str], bare: Bare, job: &[&str]) {
        let (how, words) = given(words).unwrap();
        assert_eq!((how, &words[..]), (Some(bare), &job.map_owned()[..]));
    }

    trait Owned {
        fn map_owned(&self) -> Vec<String>;
    }

    impl Owned for [&str] {
        fn map_owned(&self) -> Vec<String> {
            self.iter().map(|word| (*word).to_owned()).collect()
        }
    }

    #[test]
    fn a_text_several_words_and_what_follows_two_dashes_are_jobs() {
        assert_read(&["fix it"], Bare::Text, &["fix it"]);
        assert_read(&["team up with bob"], Bare::Text, &["team up with bob"]);
        assert_read(&["fix", "the", "bug"], Bare::Text, &["fix", "the", "bug"]);
        assert_read(&["--", "team"], Bare::Text, &["team"]);
        assert_read(&["--model", "a:b", "--", "fix"], Bare::Text, &["fix"]);
        assert_read(&["--model", "fix it", "do it"], Bare::Text, &["do it"]);
        assert_read(&["--continue", "fix it"], Bare::Text, &["fix it"]);
        assert_read(&["fix it", "--timeout", "10m"], Bare::Text, &["fix it"]);
    }

    #[test]
    fn print_is_run_with_its_flags_before_and_after() {
        assert_read(&["-p", "fix"], Bare::Print, &["fix"]);
        assert_read(&["-p", "team"], Bare::Print, &["team"]);
        assert_read(
            &["--output-format", "json", "-p", "fix it", "--continue"],
            Bare::Print,
            &["fix it"],
        );
        assert_eq!(
            given(&["--print", "--no-such"]).unwrap_err().kind(),
            ErrorKind::UnknownArgument
        );
    }

    #[test]
    fn a_verb_stays_a_verb_and_one_that_is_nearly_one_gets_a_tip() {
        assert_eq!(given(&["team"]).unwrap().0, None);
        for slip in [&["tem"][..], &["sned", "alice", "hi"], &["tem", "--json"]] {
            let error = given(slip).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidSubcommand, "{slip:?}");
            assert!(error.get(ContextKind::SuggestedSubcommand).is_some());
        }
        for wrong in [
            &["log", "-p"][..],
            &["team", "--print"],
            &["team", "--continue", "x y"],
            &["frobnicate"],
        ] {
            assert!(given(wrong).is_err(), "{wrong:?}");
        }
        let behind = given(&["fix it", "--no-such"]).unwrap_err();
        assert_eq!(behind.kind(), ErrorKind::UnknownArgument);
    }
}
