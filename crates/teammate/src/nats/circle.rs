//! A connection to servers, as a person or worker of a circle, or as the user who has them alone.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::name::WorkerName;
use teammate_nats::{
    NatsStore,
    conditions::{self, ServerProof, Unmet},
    connect::{Client, ConnectError, NatsLogin, ServerUrl, connect},
    fleet::WorkerProcess,
    keys::{CircleRole, Creds, KeysError},
    layout::{NatsPlace, Partition, Replicas, TeamId},
    teams::TeamsError,
};

use super::own_seal::OwnSeal;
use crate::{ownership::KnownTeams, project::UserDirs};

/// Which servers, and as whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsServers {
    /// Their addresses: one is enough to find the others.
    pub urls: Vec<ServerUrl>,
    /// The file of a person or worker; without it the servers must be on this machine.
    pub creds: Option<PathBuf>,
}

impl fmt::Display for NatsServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let urls: Vec<String> = self.urls.iter().map(ToString::to_string).collect();
        f.pad(&urls.join(","))
    }
}

/// Why servers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The file of creds cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// A team's card cannot be read or made.
    #[error(transparent)]
    Teams(#[from] TeamsError),
    /// Others could write in the user's name.
    #[error("servers on other machines need the creds of a person or worker of a circle")]
    NoCreds,
    /// Nothing would be known again.
    #[error(
        "there is no state directory with a key, so no other process could read what this one writes"
    )]
    NoKey,
    /// The creds are those of a worker.
    #[error("these are the creds of a worker, which makes no teams; use a person's")]
    NoPerson,
    /// Servers answer the creds of a worker nothing about teams that it does not serve.
    #[error(
        "these are the creds of worker '{worker}', which does not serve team '{team}'; use a person's"
    )]
    NotServed {
        /// Whose they are.
        worker: WorkerName,
        /// Which team was asked for.
        team: TeamId,
    },
    /// The streams could not be made or looked at.
    #[error("{0}")]
    Streams(String),
    /// The team's first record could not be written.
    #[error("the team could not be begun: {0}")]
    NotBegun(String),
}

/// A connection to servers, with the teams of one circle on them. Cheap to clone.
#[derive(Clone)]
pub struct TeamCircle {
    client: Client,
    servers: NatsServers,
    by: By,
    process: WorkerProcess,
}

/// In whose name.
#[derive(Clone)]
enum By {
    Party(Arc<Creds>),
    User(Arc<KnownTeams>),
}

impl TeamCircle {
    /// Connects. `name` is what operators see of this process.
    pub async fn connect(
        servers: NatsServers,
        user: &UserDirs,
        name: &str,
    ) -> Result<Self, NatsError> {
        let (by, login) = match &servers.creds {
            Some(path) => {
                let creds = Creds::read(path)?;
                let login = creds.login();
                (By::Party(Arc::new(creds)), login)
            }
            None if !servers.urls.iter().all(ServerUrl::is_here) => return Err(NatsError::NoCreds),
            None => {
                let teams = KnownTeams::of_user(user, Path::new("/"));
                if !teams.are_kept() {
                    return Err(NatsError::NoKey);
                }
                (By::User(Arc::new(teams)), NatsLogin::Nobody)
            }
        };
        Ok(Self {
            client: connect(&servers.urls, login, name).await?,
            servers,
            by,
            process: WorkerProcess::default(),
        })
    }

    /// Where it is: the addresses of its servers.
    pub fn address(&self) -> String {
        self.servers.to_string()
    }

    /// The name in the creds; `None` without any.
    pub fn own_name(&self) -> Option<&WorkerName> {
        match &self.by {
            By::Party(creds) => Some(&creds.name),
            By::User(_) => None,
        }
    }

    /// Whether the creds are those of a worker, which makes no teams and no streams.
    pub fn is_of_worker(&self) -> bool {
        matches!(&self.by, By::Party(creds) if creds.role == CircleRole::Worker)
    }

    /// Fails at once where the servers would answer nothing.
    pub(super) fn must_open(&self, team: &TeamId) -> Result<(), NatsError> {
        match &self.by {
            By::Party(creds) if !creds.teams.is_empty() && !creds.teams.contains(team) => {
                Err(NatsError::NotServed {
                    worker: creds.name.clone(),
                    team: team.clone(),
                })
            }
            By::Party(_) | By::User(_) => Ok(()),
        }
    }

    /// Makes the streams that are missing, and says which conditions the servers do not meet. By a monitoring address, or the system
    /// account of a person's creds, they prove what they are.
    pub async fn prepare(
        &self,
        replicas: Replicas,
        monitors: &[String],
    ) -> Result<Vec<Unmet>, NatsError> {
        if self.is_of_worker() {
            return Err(NatsError::NoPerson);
        }
        let place = NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse("conditions").expect("letters"),
        };
        let made = NatsStore::make(&self.client, &place, replicas).await;
        made.map_err(NatsError::Streams)?;
        let proof = self.proof(monitors).await?;
        let unmet = conditions::unmet(&self.client, &place, replicas, &proof).await;
        unmet.map_err(NatsError::Streams)
    }

    async fn proof(&self, monitors: &[String]) -> Result<ServerProof, NatsError> {
        if !monitors.is_empty() {
            return Ok(ServerProof::Monitors(monitors.to_vec()));
        }
        let system = match &self.by {
            By::Party(creds) => creds.system_login(),
            By::User(_) => None,
        };
        Ok(match system {
            Some(system) => {
                let client = connect(&self.servers.urls, system, "teammate conditions").await?;
                ServerProof::SystemAccount(client)
            }
            None => ServerProof::Missing,
        })
    }

    /// The store of a team; `None` if the keys do not fit each other.
    pub(super) fn store(&self, place: &NatsPlace) -> Option<NatsStore> {
        let client = self.client.clone();
        match &self.by {
            By::Party(creds) => NatsStore::by(client, place.clone(), creds),
            By::User(teams) => {
                let seal = OwnSeal::of(teams, &place.team)?;
                Some(NatsStore::at(client, place.clone(), Arc::new(seal)))
            }
        }
    }

    /// Resolves when somebody of the circle asks this process to drain, as a worker of any team.
    pub async fn drain_asked(&self) {
        self.process.drain_asked().await;
    }

    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// The teams that its creds open, if they name any.
    pub(super) fn named_teams(&self) -> &[TeamId] {
        match &self.by {
            By::Party(creds) => &creds.teams,
            By::User(_) => &[],
        }
    }

    pub(super) fn process(&self) -> WorkerProcess {
        self.process.clone()
    }
}
