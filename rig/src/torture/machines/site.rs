//! Where the team of a round is, as each of its processes gets there.

use std::time::Duration;

use async_nats::Client;
use teammate_core::MemberName;
use teammate_nats::{
    NatsStore,
    connect::{NatsLogin, ServerUrl, connect},
    layout::{NatsPlace, Partition, Replicas, TeamId},
};
use tokio::time::sleep;

use crate::torture::worker::seal;

/// How often is tried what servers cannot do while they elect.
const TRIES_MAX: u32 = 120;

/// The pause before it is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// A team on servers. As a word of a command line: addresses with commas between them, a space, and the team.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) urls: Vec<String>,
    pub(super) team: String,
}

impl Site {
    pub(super) fn word(&self) -> String {
        format!("{} {}", self.urls.join(","), self.team)
    }

    pub(super) fn parse(word: &str) -> Result<Self, String> {
        let (urls, team) = word.split_once(' ').ok_or("no site")?;
        Ok(Self {
            urls: urls.split(',').map(str::to_owned).collect(),
            team: team.to_owned(),
        })
    }

    pub(super) fn place(&self) -> Result<NatsPlace, String> {
        Ok(NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse(&self.team).ok_or("no team's id")?,
        })
    }

    /// A connection, as soon as there is a server.
    async fn client(&self) -> Result<Client, String> {
        let servers = self.urls.iter().map(|url| ServerUrl::parse(url));
        let servers: Result<Vec<_>, _> = servers.collect();
        let servers = servers.map_err(|error| error.to_string())?;
        let mut why = String::new();
        for _ in 0..TRIES_MAX {
            match connect(&servers, NatsLogin::Nobody, "torture").await {
                Ok(client) => return Ok(client),
                Err(error) => why = error.to_string(),
            }
            sleep(AGAIN).await;
        }
        Err(why)
    }

    /// The store as one more process sees it.
    pub(super) async fn store(&self) -> Result<NatsStore, String> {
        Ok(NatsStore::at(self.client().await?, self.place()?, seal()))
    }

    /// Makes the streams, as soon as the servers can.
    pub(super) async fn make(&self, replicas: Replicas) -> Result<(), String> {
        let (client, place) = (self.client().await?, self.place()?);
        let mut why = String::new();
        for _ in 0..TRIES_MAX {
            match NatsStore::make(&client, &place, replicas).await {
                Ok(()) => return Ok(()),
                Err(error) => why = error,
            }
            sleep(AGAIN).await;
        }
        Err(why)
    }
}

/// The member that holders take from each other, and that all mail is for.
pub(super) fn held() -> MemberName {
    MemberName::lead()
}
