//! The user's teams, for the page: the one that this process was started for, and all others that were opened on this machine or are
//! on servers.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate::{
    BoxFuture, TeamClient, TeamHandle, TeamPlace, Timestamp,
    platform::{now, process_ends},
};
use teammate_view::Need;
use teammate_web::{OpenTeam, TeamFacts, TeamLine, TeamRunning, Teams};
use tokio::{
    sync::{Mutex, watch},
    task::JoinSet,
};

use super::words::words_of;
use crate::commands::{
    CliContext,
    door::{ChosenTalk, TeamDoor},
    facts::{self, Facts},
    known_teams::ListedTeam,
};

/// All teams of the user.
pub(super) struct UsersTeams {
    place: CliContext,
    /// The team that this process runs, with its id, until it is looked at.
    hosted: Mutex<Option<(String, OpenTeam)>>,
    followed: Mutex<Followed>,
    changes: watch::Sender<u64>,
}

/// Those whose lines are followed: each by a task that ends with this.
#[derive(Default)]
struct Followed {
    ids: HashSet<String>,
    tasks: JoinSet<()>,
}

/// So many teams are followed; the lines of more are as they were when they were listed last.
const FOLLOWED_MAX: usize = 64;

impl UsersTeams {
    pub(super) fn new(place: CliContext, hosted: Option<(String, OpenTeam)>) -> Self {
        Self {
            place,
            hosted: Mutex::new(hosted),
            followed: Mutex::default(),
            changes: watch::Sender::new(now().0),
        }
    }

    /// Tells from now on when this team's line changes.
    async fn follow(&self, client: TeamClient) {
        let mut followed = self.followed.lock().await;
        let id = client.team().id().to_string();
        if followed.ids.len() < FOLLOWED_MAX && followed.ids.insert(id) {
            followed.tasks.spawn(follow(client, self.changes.clone()));
        }
    }

    /// All of them, that of this command first.
    async fn all(&self) -> Vec<ListedTeam> {
        let own = self.place.team();
        let known = self.place.known_teams().await.teams;
        let (mut all, others): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|team| is_same(&team.place, &own));
        if all.is_empty() {
            all.push(ListedTeam::in_files(own, None));
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
    let words = words_of(&place);
    Ok(OpenTeam {
        door: Arc::new(TeamDoor {
            team: TeamHandle::there(client),
            place,
            chosen: Arc::new(ChosenTalk::default()),
        }),
        words,
        facts,
        first,
        next,
        pump: pump.abort_handle(),
    })
}

/// How a team that nobody runs goes on. The page does not open it by a button: settings and what is to be trusted are decided at a
/// terminal.
const WAY_ON: &str = "Nobody runs this team: `teammate resume` in its directory continues it, `teammate web --host` with this page";

/// The facts about a team besides its view.
pub(super) fn team_facts(place: &CliContext) -> anyhow::Result<TeamFacts> {
    Ok(TeamFacts {
        workspace: whole(&place.dir).display().to_string(),
        prices: place.options.prices()?,
        limits: place.options.budgets()?.team,
        way_on: WAY_ON.to_owned(),
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
                lines.push(line(&team, &looked));
                if let Ok(Ok(client)) = looked {
                    self.follow(client).await;
                }
            }
            lines
        })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
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

/// Counts the changes of a team's line until its files cannot be read any more.
async fn follow(client: TeamClient, changes: watch::Sender<u64>) {
    let mut shown = standing(&client);
    let mut host = client.host_process();
    let mut end: BoxFuture<'static, ()> = Box::pin(process_ends(host));
    let Ok(mut team) = client.follow().await else {
        return;
    };
    loop {
        // First of all what came before it was followed.
        let now = standing(team.client());
        if std::mem::replace(&mut shown, now) != now {
            changes.send_modify(|count| *count += 1);
        }
        let (looked, has_ended) = tokio::select! {
            looked = team.changed() => (looked.map(|_| ()), false),
            // No file tells that the process was killed.
            () = &mut end => (team.look_again().await.map(|_| ()), true),
        };
        if looked.is_err() {
            return;
        }
        if team.client().host_process() != host {
            host = team.client().host_process();
            end = Box::pin(process_ends(host));
        } else if has_ended {
            // A program that it was just starting may hold its lock for a moment more.
            let presence = team.client().presence();
            end = Box::pin(async move { presence.left().await });
        }
    }
}

/// How a team is, and how much waits for the user.
fn standing(client: &TeamClient) -> (TeamRunning, usize) {
    let state = match (client.host().is_some(), client.is_paused()) {
        (true, _) => TeamRunning::Running,
        (false, true) => TeamRunning::Paused,
        (false, false) => TeamRunning::NotRunning,
    };
    (state, Need::of(client.team(), now()).len())
}

fn line(
    team: &ListedTeam,
    looked: &anyhow::Result<Result<TeamClient, teammate::TeamError>>,
) -> TeamLine {
    let mut line = TeamLine {
        id: None,
        name: team.name.clone(),
        workspace: match &team.servers {
            Some(address) => address.clone(),
            None => whole(team.place.workspace()).display().to_string(),
        },
        state: TeamRunning::Unusable,
        needs: 0,
        why: String::new(),
    };
    match looked {
        Ok(Ok(client)) => {
            line.id = Some(client.team().id().to_string());
            line.name = client.team().name().to_owned();
            (line.state, line.needs) = standing(client);
        }
        Ok(Err(error)) => line.why = error.to_string(),
        Err(error) => line.why = error.to_string(),
    }
    line
}
