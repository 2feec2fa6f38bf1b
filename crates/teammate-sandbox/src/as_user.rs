//! Programs that the user starts themself: outside of the sandbox, with their own environment. A line that they typed has
//! their own terminal; a line of their configuration has none, and its output is taken. It is not for anything that a model
//! wrote or a repository brought.

use std::{
    env,
    ffi::OsString,
    io,
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};

mod output;

pub use output::UserOutput;

/// A command of the user's own. To make one is to say that nobody else had a part in it; clippy's list of disallowed methods
/// names the constructors, so that each place that calls one says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCommand(String);

impl UserCommand {
    /// A command line, as the user typed it at the terminal.
    pub fn typed(line: impl Into<String>) -> Self {
        Self(line.into())
    }

    /// A command line of the user's own configuration file.
    pub fn configured(line: impl Into<String>) -> Self {
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

    /// Runs it in a directory, by `/bin/sh`, and takes what it prints. It reads nothing, and is ended with all that it started
    /// when the time is over or the future is dropped. `None`: the time was over.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub async fn output(&self, directory: &Path, time: Duration) -> io::Result<Option<UserOutput>> {
        output::of(&self.0, &[], directory, time).await
    }

    /// Runs the program with something on its standard input. It need not read it.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub async fn output_for(
        &self,
        input: &[u8],
        directory: &Path,
        time: Duration,
    ) -> io::Result<Option<UserOutput>> {
        output::of(&self.0, input, directory, time).await
    }
}

fn shell() -> OsString {
    env::var_os("SHELL")
        .filter(|shell| Path::new(shell).is_absolute())
        .unwrap_or_else(|| "/bin/sh".into())
}
