//! The target of a call: its deed as rules, people and hooks look at it.

use super::{Destination, Location, ShellCommand};

/// The action that a call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub target: Target,
    /// Exactly what will happen, for the user: the whole command, the path and what is written.
    pub shows: String,
    /// The action in one short line, for the live screen.
    pub summary: String,
}

/// The target of permission rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Command(ShellCommand),
    /// A file or directory.
    Path(Location),
    /// A connection of a command.
    Host(Destination),
    Team,
}

impl Target {
    /// Why the sandbox does not hold it so well that it could run unasked.
    pub fn unheld(&self) -> Option<&str> {
        match self {
            Self::Command(command) => command.unheld.as_deref(),
            Self::Path(_) | Self::Host(_) | Self::Team => None,
        }
    }
}
