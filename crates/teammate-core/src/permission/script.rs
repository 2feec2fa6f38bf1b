//! A shell command as it was read: which programs it runs, with which words. What reads it is an adapter.

use std::sync::Arc;

use super::programs::only_looks;
use crate::permission::Word;

/// A shell command: its text, and how it was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The whole text, as the shell gets it.
    pub text: String,
    /// The command's parts, as they were read.
    pub script: Script,
    /// Programs that git in it would run because the repository configures them, without the user's trust: names of
    /// settings and hooks. Empty if there is no git in it.
    pub untrusted: Vec<String>,
    /// Why the sandbox does not hold it so well that it could run unasked. `None` where it does, or where the user said that
    /// less is enough.
    pub unheld: Option<Arc<str>>,
}

/// A shell command as it was read, for rules and questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Script {
    /// It is not certain what a shell would make of it.
    Unparsed { why: &'static str },
    /// All commands in it are known.
    Parsed {
        /// Every command in it: in pipes, lists, loops, bodies of functions, substitutions.
        commands: Vec<Vec<Word>>,
        /// The files that it reads from or writes to by redirection.
        files: Vec<Word>,
        /// Of these, the files that it only reads.
        inputs: Vec<Word>,
        /// Texts that programs get to read with the command: here-documents and here-strings, as they are written.
        texts: Vec<String>,
        /// Something besides the commands that their words do not tell: a variable that is set, a function.
        doubt: Option<&'static str>,
    },
}

impl Script {
    /// Whether it is certain that it changes nothing: each command in it is one that looks or waits, whatever it is given, and
    /// nothing is redirected but to `/dev/null`.
    pub fn only_looks(&self) -> bool {
        match self {
            Self::Unparsed { .. } | Self::Parsed { doubt: Some(_), .. } => false,
            Self::Parsed {
                commands,
                files,
                inputs: _,
                texts: _,
                doubt: None,
            } => {
                !commands.is_empty()
                    && commands.iter().all(|words| only_looks(words))
                    && files.iter().all(Word::is_dev_null)
            }
        }
    }
}
