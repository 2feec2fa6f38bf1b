//! How much holds commands here.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The level that the machine allows, the best last. Found out by trying, never assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing holds commands, because the user said so. They still end with the team.
    Off,
    /// Nothing holds commands but limits and filtered system calls.
    None,
    /// Landlock: what is written, and what of the home directory is read. No walls inside of the workspace; processes, and
    /// sockets of other programs, are in reach.
    Landlock,
    /// Namespaces, filtered system calls and, where the kernel has it, Landlock.
    Full,
}

impl Level {
    /// The level that is tried next where this one cannot be had. Commands are not let go without anything because of that.
    pub(crate) fn below(self) -> Option<Self> {
        match self {
            Self::Full => Some(Self::Landlock),
            Self::Landlock => Some(Self::None),
            Self::None | Self::Off => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::None => "none",
            Self::Landlock => "landlock",
            Self::Full => "full",
        })
    }
}
