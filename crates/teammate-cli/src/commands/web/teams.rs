//! The user's teams, for the page: the one that this process was started for, and all others that were opened on this machine.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate::{BoxFuture, TeamClient, TeamPlace, Timestamp, opened_teams, platform::now};
use teammate_view::Need;
use teammate_web::{OpenTeam, TeamFacts, TeamLine, TeamRunning, Teams};
use tokio::sync::Mutex;

use crate::{
    commands::{
        CliContext,
        doors::{Attached, Chosen},
        facts::{self, Facts},
    },
    settings::user_dirs,
};

/// All teams of the user.
pub(super) struct UsersTeams {
    place: CliContext,
    /// The team that this process runs, with its id, until it is looked at.
    hosted: Mutex<Option<(String, OpenTeam)>>,
}

impl UsersTeams {
    pub(super) fn new(place: CliContext, hosted: Option<(String, OpenTeam)>) -> Self {
        Self {
            place,
            hosted: Mutex::new(hosted),
        }
    }

    /// The places of all of them, that of this command first.
    fn places(&self) -> Vec<TeamPlace> {
        let own = self.place.team();
        let is_own = |place: &TeamPlace| {
            let real = |place: &TeamPlace| place.workspace().canonicalize().ok();
            real(place) == real(&own) && place.team_name() == own.team_name()
        };
        let others = opened_teams(&user_dirs())
            .into_iter()
            .map(|team| team.place);
        let others: Vec<TeamPlace> = others.filter(|place| !is_own(place)).collect();
        std::iter::once(own).chain(others).collect()
    }

    async fn find(&self, id: &str) -> Result<OpenTeam, String> {
        let mut hosted = self.hosted.lock().await;
        if let Some((_, team)) = hosted.take_if(|(own, _)| own == id) {
            return Ok(team);
        }
        for (number, team) in self.places().into_iter().enumerate() {
            let looked = self
                .place
                .look_at(team.clone())
                .await
                .map_err(|error| error.to_string())?;
            let Ok(client) = looked else { continue };
            if client.team().id().to_string() != id {
                continue;
            }
            let place = match number {
                0 => self.place.clone(),
                _ => self
                    .place
                    .of_other(&team)
                    .map_err(|error| error.to_string())?,
            };
            return open(place, client).await.map_err(|error| error.to_string());
        }
        Err("there is no such team among those that you have opened on this machine".to_owned())
    }
}

async fn open(place: CliContext, client: TeamClient) -> anyhow::Result<OpenTeam> {
    client.require_user()?;
    let Facts { first, next, pump } = facts::of_files(&client).await?;
    let facts = team_facts(&place)?;
    Ok(OpenTeam {
        door: Arc::new(Attached::new(client, place, Arc::new(Chosen::default()))),
        facts,
        first,
        next,
        pump: pump.abort_handle(),
    })
}

/// What is known of a team besides its view.
pub(super) fn team_facts(place: &CliContext) -> anyhow::Result<TeamFacts> {
    Ok(TeamFacts {
        workspace: whole(&place.dir).display().to_string(),
        prices: place.options.prices()?,
        limits: place.options.budgets()?.team,
    })
}

/// A directory from the root on, where that is known.
fn whole(dir: &Path) -> PathBuf {
    dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
}

impl Teams for UsersTeams {
    fn list(&self) -> BoxFuture<'_, Vec<TeamLine>> {
        Box::pin(async {
            let mut lines = Vec::new();
            for team in self.places() {
                lines.push(line(&team, self.place.look_at(team.clone()).await));
            }
            lines
        })
    }

    fn open<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<OpenTeam, String>> {
        Box::pin(self.find(id))
    }

    fn now(&self) -> Timestamp {
        now()
    }
}

fn line(
    team: &TeamPlace,
    looked: anyhow::Result<Result<TeamClient, teammate::TeamError>>,
) -> TeamLine {
    let mut line = TeamLine {
        id: None,
        name: team.team_name().to_owned(),
        workspace: whole(team.workspace()).display().to_string(),
        state: TeamRunning::Unusable,
        needs: 0,
        why: String::new(),
    };
    match looked {
        Ok(Ok(client)) => {
            line.id = Some(client.team().id().to_string());
            line.name = client.team().name().to_owned();
            line.needs = Need::of(client.team(), now()).len();
            line.state = match (client.host().is_some(), client.is_paused()) {
                (true, _) => TeamRunning::Running,
                (false, true) => TeamRunning::Paused,
                (false, false) => TeamRunning::NotRunning,
            };
        }
        Ok(Err(error)) => line.why = error.to_string(),
        Err(error) => line.why = error.to_string(),
    }
    line
}
