//! The teams that lists show: those that were opened on this machine, those of a directory, and those on the servers that are
//! configured. Servers that do not answer hide no team in files.

use teammate::{TeamPlace, Timestamp, opened_teams, teams_in};

use super::{CliContext, note};
use crate::{screen::clean_line, settings::user_dirs};

/// A team that can be chosen.
pub(super) struct ListedTeam {
    /// Where it is.
    pub(super) place: TeamPlace,
    /// Its name in the place where it is kept.
    pub(super) name: String,
    /// When it was last opened here, where that is remembered.
    pub(super) opened: Option<Timestamp>,
    /// The address of the servers that it is kept on; none, if it is in files here.
    pub(super) servers: Option<String>,
}

/// Teams, and what is missing among them.
#[derive(Default)]
pub(super) struct ListedTeams {
    pub(super) teams: Vec<ListedTeam>,
    pub(super) not_listed: Vec<NotListed>,
}

/// A team on servers, or all that they have, of which nothing is known now.
pub(super) struct NotListed {
    pub(super) what: String,
    pub(super) why: String,
}

impl ListedTeam {
    /// A team in files here.
    pub(super) fn in_files(place: TeamPlace, opened: Option<Timestamp>) -> Self {
        Self {
            name: place.team_name().to_owned(),
            place,
            opened,
            servers: None,
        }
    }

    /// Where it is, in a line.
    pub(super) fn at(&self) -> String {
        match &self.servers {
            Some(address) => clean_line(address),
            None => clean_line(&self.place.workspace().display().to_string()),
        }
    }
}

impl ListedTeams {
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
    pub(super) async fn known_teams(&self) -> ListedTeams {
        let opened = opened_teams(&user_dirs()).into_iter();
        let opened = opened.map(|team| ListedTeam::in_files(team.place, Some(team.opened)));
        self.with_those_on_servers(opened.collect()).await
    }

    /// The teams in the files of the directory, and those on servers.
    pub(super) async fn teams_here(&self) -> ListedTeams {
        let here = teams_in(&self.dir).into_iter();
        let here = here.map(|place| ListedTeam::in_files(place, None));
        self.with_those_on_servers(here.collect()).await
    }

    async fn with_those_on_servers(&self, teams: Vec<ListedTeam>) -> ListedTeams {
        let known = ListedTeams {
            teams,
            ..ListedTeams::default()
        };
        self.and_on_servers(known).await
    }
}
