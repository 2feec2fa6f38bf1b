//! The context of a command: the team that is meant, and what flags said.

use std::{ffi::OsString, path::PathBuf};

use teammate::{LookOptions, TeamClient, TeamError, TeamPlace, of_other_programs};

use super::{failure::note, flags};
use crate::{
    next_steps::wording,
    settings::{Options, user_dirs},
};

/// Where the team is.
#[derive(Clone)]
pub(crate) struct CliContext {
    pub(crate) dir: PathBuf,
    pub(crate) options: Options,
    /// The flags by which `options` were given, but for those that name the team: for another process with the same.
    pub(crate) given: Vec<OsString>,
    /// Whether a talk is with a team that other processes run, also where none does so now.
    pub(crate) is_attached: bool,
}

impl CliContext {
    /// Where another team is, as if the program were started for it: what flags allow here is not allowed there.
    pub(crate) fn of_other(&self, team: &TeamPlace) -> anyhow::Result<Self> {
        let options = self.options.of_other(team)?;
        Ok(Self {
            dir: options.dir(),
            options,
            given: flags::of_every_team(&self.given),
            // Who chooses a team on servers wants to talk with it; who runs it is said with the command line.
            is_attached: team.store().is_some(),
        })
    }

    /// The model that a flag names, which comes before all others.
    pub(crate) fn given_model(&self) -> Option<String> {
        let mut words = self.given.iter().filter_map(|word| word.to_str());
        words.find_map(|word| word.strip_prefix("--model=").map(str::to_owned))
    }

    /// Whether the team is one that another process runs.
    pub(crate) fn is_of_others(&self, client: &TeamClient) -> bool {
        self.is_attached || client.host().is_some()
    }

    /// The team that is there.
    pub(crate) async fn look(&self) -> anyhow::Result<TeamClient> {
        let client = self.look_at(self.team()).await?;
        if let Err(TeamError::NoTeam(_)) = &client {
            of_other_programs(&self.dir, wording())
                .iter()
                .for_each(|text| note(text));
        }
        let client = client?;
        for notice in client.warnings() {
            note(notice);
        }
        Ok(client)
    }

    /// A team of the directory; outside is what the configuration says wrongly, inside why this team cannot be looked at.
    pub(crate) async fn look_at(
        &self,
        team: TeamPlace,
    ) -> anyhow::Result<Result<TeamClient, TeamError>> {
        let options = self.look_options()?;
        Ok(TeamClient::open_with(team, &user_dirs(), options).await)
    }

    /// How a team is looked at.
    pub(crate) fn look_options(&self) -> anyhow::Result<LookOptions> {
        Ok(LookOptions {
            read_max: self.options.read_max()?,
            wording: wording(),
            secrets: self.options.secrets()?,
        })
    }

    /// Which team of the directory is meant.
    pub(crate) fn team(&self) -> TeamPlace {
        self.options.place()
    }
}
