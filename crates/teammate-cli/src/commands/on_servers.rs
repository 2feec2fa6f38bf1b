//! Teams on NATS servers, as the verbs find them: by the place that they have in any case.

use std::{
    io::{IsTerminal as _, stderr},
    pin::pin,
    time::{Duration, Instant},
};

use teammate::{
    GroupName, TeamPlace,
    audit::AuditTrail,
    nats::{NatsError, NatsTeam, TeamCircle, layout::TeamId},
    store::SharedStore,
};
use tokio::time::{sleep, timeout};

use super::{
    CliContext,
    known_teams::{ListedTeam, ListedTeams, NotListed},
};
use crate::{screen::write_clean, settings::user_dirs};

/// How long workers have to take up a team that is opened again.
const TAKEN_UP_WITHIN: Duration = Duration::from_secs(10);
/// The pause between two looks whether they have.
const LOOK_PAUSE: Duration = Duration::from_millis(250);
/// How long a list waits for a connection to servers.
const LIST_WAIT: Duration = Duration::from_secs(5);
/// How long servers may take before a person gets a notice.
const NOTICE_AFTER: Duration = Duration::from_secs(2);

impl CliContext {
    /// The place of a team in this store that this process never runs itself.
    pub(super) fn attached_to(self, store: SharedStore) -> Self {
        Self {
            options: self.options.kept_in(store),
            is_attached: true,
            ..self
        }
    }

    /// The place with the team found on the servers that it is kept on, if it is kept on any.
    ///
    /// Errors: it is not there.
    pub(super) async fn found(self) -> anyhow::Result<Self> {
        let Some(servers) = self.options.servers()? else {
            return Ok(self);
        };
        let circle = TeamCircle::connect(servers, &user_dirs(), "teammate").await?;
        let name = self.options.name_on_servers()?;
        let team = with_notice(circle.find(&name)).await?;
        let team = team.ok_or_else(|| no_team_on_servers(&name))?;
        Ok(Self {
            options: self.options.kept_in(team.store()),
            ..self
        })
    }

    /// The record that this machine keeps of the team, if it is kept on servers. They need not answer for it.
    pub(super) fn audit_on_servers(&self) -> anyhow::Result<Option<AuditTrail>> {
        if self.options.servers()?.is_none() {
            return Ok(None);
        }
        let name = self.options.name_on_servers()?.to_string();
        let dir = self.dir.canonicalize()?;
        let trail = AuditTrail::of_team_on_servers(&name, &dir, &user_dirs())?;
        Ok(Some(trail))
    }

    /// Has workers take the team up again that let it go when it was stopped. False if it was not stopped, or never had workers.
    pub(super) async fn open_again(&self, team: &NatsTeam) -> anyhow::Result<bool> {
        let client = self.look().await?;
        if client.host().is_some() || !client.team().places().is_used() {
            return Ok(false);
        }
        team.open_again().await?;
        Ok(true)
    }

    /// Waits until workers have taken the team up, so that this process does not run it itself. Who runs it then, if somebody
    /// does.
    pub(super) async fn taken_up_by_workers(&self) -> anyhow::Result<Option<String>> {
        let Some(servers) = self.options.servers()? else {
            return Ok(None);
        };
        let circle = TeamCircle::connect(servers, &user_dirs(), "teammate").await?;
        let name = self.options.name_on_servers()?;
        let Some(team) = with_notice(circle.find(&name)).await? else {
            return Ok(None);
        };
        if !self.open_again(&team).await? {
            // Nobody has let it go: workers may run it.
            let client = self.look().await?;
            let workers = client.is_on_workers().then(|| client.host());
            return Ok(workers.flatten());
        }
        let begun = Instant::now();
        while begun.elapsed() < TAKEN_UP_WITHIN {
            let client = self.look().await?;
            if client.is_on_workers() {
                return Ok(client.host());
            }
            sleep(LOOK_PAUSE).await;
        }
        Ok(None)
    }
}

/// Lists of teams.
impl CliContext {
    /// Adds the teams on the servers that are configured, as far as the creds open them.
    pub(super) async fn and_on_servers(&self, mut known: ListedTeams) -> ListedTeams {
        let servers = match self.options.servers() {
            Ok(Some(servers)) => servers,
            Ok(None) => return known,
            Err(error) => {
                known.not_listed.push(NotListed {
                    what: "the teams on servers".to_owned(),
                    why: format!("{error:#}"),
                });
                return known;
            }
        };
        let what = format!("the teams on {servers}");
        let user = user_dirs();
        let connecting = TeamCircle::connect(servers, &user, "teammate");
        let why = match timeout(LIST_WAIT, connecting).await {
            Ok(Ok(circle)) => match with_notice(self.add_all(&circle, &mut known)).await {
                Ok(()) => return known,
                Err(error) => error.to_string(),
            },
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {} s", LIST_WAIT.as_secs()),
        };
        known.not_listed.push(NotListed { what, why });
        known
    }

    async fn add_all(&self, circle: &TeamCircle, known: &mut ListedTeams) -> Result<(), NatsError> {
        let own = self.options.clone().unnamed().name_on_servers().ok();
        let address = circle.address();
        for (name, team) in circle.all().await? {
            let place = match GroupName::parse(&name.to_string()) {
                // As the program finds it here without --team.
                _ if own.as_ref() == Some(&name) => TeamPlace::default_of(&self.dir),
                Ok(group) => TeamPlace::named(&self.dir, group),
                // No verb could name it.
                Err(_) => continue,
            };
            match team {
                Ok(team) => known.teams.push(ListedTeam {
                    place: place.kept_in(team.store()),
                    name: name.to_string(),
                    opened: None,
                    servers: Some(address.clone()),
                }),
                Err(error) => known.not_listed.push(NotListed {
                    what: format!("team '{name}' on {address}"),
                    why: error.to_string(),
                }),
            }
        }
        Ok(())
    }
}

/// Waits for the answer of servers. A person at a terminal gets a notice if it takes long: servers elect who leads for seconds.
async fn with_notice<T>(asking: impl Future<Output = T>) -> T {
    let mut asking = pin!(asking);
    match timeout(NOTICE_AFTER, &mut asking).await {
        Ok(asked) => asked,
        Err(_) => {
            if stderr().is_terminal() {
                let notice = "waiting for the servers: they may be electing which of them leads\n";
                write_clean(&mut stderr(), notice);
            }
            asking.await
        }
    }
}

pub(super) fn no_team_on_servers(name: &TeamId) -> anyhow::Error {
    anyhow::anyhow!(
        "there is no team '{name}' on these servers; `teammate up --nats URL` makes it, --team names another"
    )
}
