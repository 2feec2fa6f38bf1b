//! Where the team of a round is, as each of its processes gets there.

use std::time::Duration;

use teammate_core::MemberName;
use teammate_nats::{
    NatsStore,
    connect::{NatsLogin, ServerUrl, connect},
    layout::{NatsPlace, Partition, Replicas, TeamId},
};

use crate::torture::worker::seal;

/// How often making streams is tried while servers elect.
const MAKES_MAX: u32 = 120;

/// A team on servers. As a word of a command line: addresses with commas between them, then `/` and the team.
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

    /// The store as one more process sees it.
    pub(super) async fn store(&self) -> Result<NatsStore, String> {
        let servers: Result<Vec<_>, _> =
            self.urls.iter().map(|url| ServerUrl::parse(url)).collect();
        let servers = servers.map_err(|error| error.to_string())?;
        let mut why = String::new();
        for _ in 0..MAKES_MAX {
            match connect(&servers, NatsLogin::Nobody, "torture").await {
                Ok(client) => return Ok(NatsStore::at(client, self.place()?, seal())),
                Err(error) => why = error.to_string(),
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        Err(why)
    }

    /// Makes the streams, as soon as the servers can.
    pub(super) async fn make(&self, replicas: Replicas) -> Result<(), String> {
        let servers: Result<Vec<_>, _> =
            self.urls.iter().map(|url| ServerUrl::parse(url)).collect();
        let servers = servers.map_err(|error| error.to_string())?;
        let client = connect(&servers, NatsLogin::Nobody, "torture");
        let client = client.await.map_err(|error| error.to_string())?;
        let (place, mut why) = (self.place()?, String::new());
        for _ in 0..MAKES_MAX {
            match NatsStore::make(&client, &place, replicas).await {
                Ok(()) => return Ok(()),
                Err(error) => why = error,
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Err(why)
    }
}

/// The member that holders take from each other, and that all mail is for.
pub(super) fn held() -> MemberName {
    MemberName::lead()
}
