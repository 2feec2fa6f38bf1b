//! The user's teams, for the page: the one that this process was started for, and all others that were opened on this machine or are
//! on servers.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate::{BoxFuture, TeamClient, TeamPlace, Timestamp, platform::now};
use teammate_view::Need;
use teammate_web::{OpenTeam, TeamFacts, TeamLine, TeamRunning, Teams};
use tokio::sync::Mutex;

use crate::commands::{
    CliContext,
    doors::{Attached, Chosen},
    facts::{self, Facts},
    known_teams::{Kept, KnownTeam},
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

    /// All of them, that of this command first.
    async fn all(&self) -> Vec<KnownTeam> {
        let own = self.place.team();
        let known = self.place.known_teams().await.teams;
        let (mut all, others): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|team| is_same(&team.place, &own));
        if all.is_empty() {
            let kept = Kept::Files { opened: None };
            all.push(KnownTeam { place: own, kept });
        }
        all.extend(others);
        all
    }

    async fn find(&self, id: &str) -> Result<OpenTeam, String> {
        let mut hosted = self.hosted.lock().await;
        if let Some((_, team)) = hosted.take_if(|(own, _)| own == id) {
            return Ok(team);
        }
        for (number, team) in self.all().await.into_iter().enumerate() {
            let looked = self
                .place
                .look_at(team.place.clone())
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
                    .of_other(&team.place)
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
            for team in self.all().await {
                let looked = self.place.look_at(team.place.clone()).await;
                lines.push(line(&team, looked));
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

/// Whether both are one team.
fn is_same(one: &TeamPlace, other: &TeamPlace) -> bool {
    match (one.store(), other.store()) {
        (Some(one), Some(other)) => one.name().is_some() && one.name() == other.name(),
        (None, None) => {
            let real = |place: &TeamPlace| place.workspace().canonicalize().ok();
            real(one) == real(other) && one.team_name() == other.team_name()
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn line(
    team: &KnownTeam,
    looked: anyhow::Result<Result<TeamClient, teammate::TeamError>>,
) -> TeamLine {
    let mut line = TeamLine {
        id: None,
        name: team.name().to_owned(),
        workspace: match &team.kept {
            Kept::Files { .. } => whole(team.place.workspace()).display().to_string(),
            Kept::Servers { address, .. } => address.clone(),
        },
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
