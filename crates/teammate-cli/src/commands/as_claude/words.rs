//! Our command line, made of one for `claude`. A flag that has a meaning here becomes ours, one that changes nothing is taken, and
//! any other is refused in a sentence that says what to do instead.

mod flags;
pub(super) mod values;

use std::{ffi::OsString, path::Path};

use self::flags::{Flag, Means, Takes};
pub(super) use self::values::model;

/// The name of the verb.
const VERB: &str = "as-claude";

/// The name by which it need not be said.
const NAME: &str = "claude";

/// The words behind the program's name as ours, if they are for `claude`; `None` if they are ours.
///
/// Errors: what is not understood, in a sentence.
pub(in crate::commands) fn translated(
    program: Option<&Path>,
    given: &[OsString],
) -> Option<Result<Vec<OsString>, String>> {
    let is_called_so = program
        .and_then(Path::file_stem)
        .is_some_and(|stem| stem == NAME);
    let theirs = match given.split_first() {
        Some((first, rest)) if first == VERB => rest,
        Some(_) | None if is_called_so => given,
        Some(_) | None => return None,
    };
    Some(ours(theirs))
}

fn ours(theirs: &[OsString]) -> Result<Vec<OsString>, String> {
    let words = theirs.iter().map(|word| word.to_str().map(str::to_owned));
    let words: Option<Vec<String>> = words.collect();
    let words = words.ok_or("a flag or the job is no text of UTF-8")?;
    let mut read = Words::default();
    let mut rest = &words[..];
    while let Some((word, behind)) = rest.split_first() {
        rest = read.take(word, behind)?;
    }
    read.end()
}

/// The words that were read.
#[derive(Default)]
struct Words {
    flags: Vec<String>,
    job: Vec<String>,
    /// Whether it is a job, and no talk.
    is_job: bool,
    /// Only this is wanted.
    only: Option<&'static str>,
}

impl Words {
    /// Takes a word, and those behind it that belong to it; what is left.
    fn take<'a>(&mut self, word: &'a str, rest: &'a [String]) -> Result<&'a [String], String> {
        if word == "--" {
            self.job.extend_from_slice(rest);
            return Ok(&[]);
        }
        if !word.starts_with('-') || word == "-" {
            self.job.push(word.to_owned());
            return Ok(rest);
        }
        let (name, inner) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            Some(_) | None => (word, None),
        };
        let flag = Flag::named(name).ok_or_else(|| {
            format!("{name} is no flag that is known here; docs/as-claude.md has those that are")
        })?;
        let (values, rest) = flag.values(name, inner, rest)?;
        self.means(flag, name, &values)?;
        Ok(rest)
    }

    fn means(&mut self, flag: &Flag, name: &str, values: &[&str]) -> Result<(), String> {
        match flag.means {
            Means::Job => self.is_job = true,
            Means::Only(word) => self.only = Some(word),
            Means::Nothing => {}
            Means::Ours(ours) if values.is_empty() => self.flags.push(ours.to_owned()),
            Means::Ours(ours) => {
                self.is_job |= ours == "--output-format" || ours == "--input-format";
                self.flags
                    .extend(values.iter().map(|value| format!("{ours}={value}")));
            }
            Means::Made(made) => {
                for value in values {
                    self.flags
                        .extend(made(value).map_err(|why| format!("{name}: {why}"))?);
                }
            }
            Means::Refused(instead) => return Err(format!("{name} is not done here: {instead}")),
        }
        Ok(())
    }

    fn end(self) -> Result<Vec<OsString>, String> {
        let verb = || OsString::from(VERB);
        match self.only {
            Some("--version") => return Ok(vec!["--version".into()]),
            Some(only) => return Ok(vec![verb(), only.into()]),
            None => {}
        }
        if !self.is_job {
            return Err("this does one job, given with -p, or what an SDK says; `teammate` alone opens the prompt".to_owned());
        }
        let flags = self.flags.into_iter().map(OsString::from);
        let names = ["--tool-names=claude".into(), "--".into()];
        let job = self.job.into_iter().map(OsString::from);
        Ok(std::iter::once(verb())
            .chain(flags)
            .chain(names)
            .chain(job)
            .collect())
    }
}

impl Flag {
    /// The values of this flag, and the words that are left.
    fn values<'a>(
        &self,
        name: &str,
        inner: Option<&'a str>,
        rest: &'a [String],
    ) -> Result<(Vec<&'a str>, &'a [String]), String> {
        let is_value = |word: &String| !word.starts_with('-') || word == "-";
        match (self.takes, inner) {
            (Takes::None, None) => Ok((Vec::new(), rest)),
            (Takes::None, Some(_)) => Err(format!("{name} takes no value")),
            (Takes::One | Takes::Many | Takes::Maybe, Some(value)) => Ok((vec![value], rest)),
            (Takes::One, None) => match rest.split_first() {
                Some((value, rest)) => Ok((vec![value], rest)),
                None => Err(format!("{name} needs a value")),
            },
            (Takes::Maybe, None) => match rest.split_first() {
                Some((value, rest)) if is_value(value) => Ok((vec![value], rest)),
                Some(_) | None => Ok((Vec::new(), rest)),
            },
            (Takes::Many, None) => {
                let count = rest.iter().take_while(|word| is_value(word)).count();
                // An empty list is a word, too.
                let (values, rest) = rest.split_at(count);
                Ok((values.iter().map(String::as_str).collect(), rest))
            }
        }
    }
}

#[cfg(test)]
mod tests;
