//! The teams that lists show: those that were opened on this machine, those of a directory, and those on the servers that are
//! configured. Servers that do not answer hide no team in files.

use teammate::{TeamPlace, Timestamp, opened_teams, teams_in};

use super::{CliContext, note};
use crate::{screen::clean_line, settings::user_dirs};

/// A team that can be chosen.
pub(super) struct KnownTeam {
    /// Where it is.
    pub(super) place: TeamPlace,
    pub(super) kept: Kept,
}

/// Where a team is kept.
pub(super) enum Kept {
    /// In files here.
    Files {
        /// When it was last opened here, where that is remembered.
        opened: Option<Timestamp>,
    },
    /// On servers.
    Servers {
        /// Its name on the servers.
        name: String,
        /// Their addresses.
        address: String,
    },
}

/// Teams, and what is missing among them.
#[derive(Default)]
pub(super) struct KnownTeams {
    pub(super) teams: Vec<KnownTeam>,
    pub(super) not_listed: Vec<NotListed>,
}

/// A team on servers, or all that they have, of which nothing is known now.
pub(super) struct NotListed {
    pub(super) what: String,
    pub(super) why: String,
}

impl KnownTeam {
    /// The name of the team in the place where it is kept.
    pub(super) fn name(&self) -> &str {
        match &self.kept {
            Kept::Files { .. } => self.place.team_name(),
            Kept::Servers { name, .. } => name,
        }
    }

    /// Where it is, in a line.
    pub(super) fn at(&self) -> String {
        match &self.kept {
            Kept::Files { .. } => clean_line(&self.place.workspace().display().to_string()),
            Kept::Servers { address, .. } => clean_line(address),
        }
    }
}

impl KnownTeams {
    /// Says on standard error what is missing.
    pub(super) fn note_missing(&self) {
        self.not_listed
            .iter()
            .for_each(|missing| note(&missing.in_a_line()));
    }
}

impl NotListed {
    /// The missing part and the reason, in a line.
    pub(super) fn in_a_line(&self) -> String {
        clean_line(&format!("not listed: {} ({})", self.what, self.why))
    }
}

impl CliContext {
    /// The teams that were opened on this machine, the last first, and those on servers.
    pub(super) async fn known_teams(&self) -> KnownTeams {
        let opened = opened_teams(&user_dirs()).into_iter();
        let opened = opened.map(|team| KnownTeam {
            place: team.place,
            kept: Kept::Files {
                opened: Some(team.opened),
            },
        });
        self.with_those_on_servers(opened.collect()).await
    }

    /// The teams in the files of the directory, and those on servers.
    pub(super) async fn teams_here(&self) -> KnownTeams {
        let here = teams_in(&self.dir).into_iter();
        let here = here.map(|place| KnownTeam {
            place,
            kept: Kept::Files { opened: None },
        });
        self.with_those_on_servers(here.collect()).await
    }

    async fn with_those_on_servers(&self, teams: Vec<KnownTeam>) -> KnownTeams {
        let known = KnownTeams {
            teams,
            ..KnownTeams::default()
        };
        #[cfg(feature = "nats")]
        let known = self.and_on_servers(known).await;
        known
    }
}
