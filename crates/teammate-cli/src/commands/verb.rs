//! What a verb of the command line is. Its name and arguments are clap's; this is the rest that the program knows of it.

use clap::Args;

use super::{CliContext, CliResult};

/// A verb of the command line, declared in a file of its own and listed once, in `commands.rs`.
pub(super) trait Verb: Args {
    /// Which of the options that every verb takes have an effect in this one.
    const SHARED: SharedOptions;

    /// Whether the team that is meant has to be found first.
    fn finds_team(&self) -> bool {
        Self::SHARED.finds_team()
    }

    /// Carries it out.
    fn run(self, place: &CliContext) -> impl Future<Output = CliResult> + Send;
}

/// The options that say which team is meant and where settings are.
pub(super) const WHERE: &[&str] = &["dir", "team", "nats", "creds", "config"];

/// Which of the shared options have an effect in a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedOptions {
    /// It opens the team that is meant.
    Opens,
    /// It opens a team, and finds or makes it by itself.
    All,
    /// It opens a team that has these of its own.
    AllBut(&'static [&'static str]),
    /// It looks at the team that is meant, or changes something of it: which one that is.
    OfTeam,
    /// It is about a directory: which one, and these settings.
    OfPlace(&'static [&'static str]),
    /// It is about all teams.
    Config,
    /// It is about no team.
    None,
}

impl SharedOptions {
    /// Whether an option has an effect, by its long name.
    pub(super) fn has(self, option: &str) -> bool {
        let is_where = WHERE.contains(&option);
        match self {
            Self::Opens | Self::All => true,
            Self::AllBut(own) => !own.contains(&option),
            Self::OfTeam => is_where,
            Self::OfPlace(settings) => is_where || settings.contains(&option),
            Self::Config => option == "config",
            Self::None => false,
        }
    }

    fn finds_team(self) -> bool {
        matches!(self, Self::Opens | Self::OfTeam)
    }
}
