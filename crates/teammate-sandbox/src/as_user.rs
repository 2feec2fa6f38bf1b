//! What the user starts themself: outside of the sandbox, in their own terminal, with their own environment. It is not for
//! anything that a model wrote or a repository brought.

use std::{
    env,
    ffi::OsString,
    io,
    path::Path,
    process::{Command, ExitStatus},
};

/// A command of the user's own. To make one is to say that nobody else had a part in it; clippy's list of disallowed methods
/// names the constructor, so that each place that calls it says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCommand(String);

impl UserCommand {
    /// A command line, as the user typed it at the terminal.
    pub fn typed(line: impl Into<String>) -> Self {
        Self(line.into())
    }

    /// Runs it in a directory, by the user's shell, to its end. It has the terminal meanwhile. Blocks.
    ///
    /// # Errors
    ///
    /// The shell cannot be started.
    pub fn run(&self, directory: &Path) -> io::Result<ExitStatus> {
        Command::new(shell())
            .arg("-c")
            .arg(&self.0)
            .current_dir(directory)
            .status()
    }
}

fn shell() -> OsString {
    env::var_os("SHELL")
        .filter(|shell| Path::new(shell).is_absolute())
        .unwrap_or_else(|| "/bin/sh".into())
}
