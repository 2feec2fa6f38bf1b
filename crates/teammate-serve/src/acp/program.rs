//! The port to the program around the door.

use std::sync::Arc;

use teammate::{BoxFuture, LookOptions, Team, TeamBuilder, TeamPlace, project::UserDirs};

/// A command that may be typed in place of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditorCommand {
    /// Its word, without `/`.
    pub name: &'static str,
    /// The command's purpose, in a line.
    pub about: &'static str,
    /// A hint at the words that may follow it; empty if there is none.
    pub hint: &'static str,
}

/// The port that the door needs of the program which opens it.
pub trait EditorProgram: Send + Sync {
    /// The user whose teams these are.
    fn user(&self) -> UserDirs;

    /// How teams are looked at.
    ///
    /// Errors: the configuration cannot be used, in words.
    fn look_options(&self) -> Result<LookOptions, String>;

    /// A team at a place, with the settings of the user.
    ///
    /// Errors: the configuration cannot be used, in words.
    fn builder(&self, place: &TeamPlace) -> Result<TeamBuilder, String>;

    /// The commands that may be typed.
    fn commands(&self) -> &'static [EditorCommand];

    /// Does what a typed command is for: its word without `/`, and what follows. Answers with lines.
    ///
    /// Errors: why it was not done, in words.
    fn run<'a>(
        &'a self,
        team: &'a Arc<Team>,
        place: &'a TeamPlace,
        command: (&'a str, &'a str),
    ) -> BoxFuture<'a, Result<String, String>>;
}
