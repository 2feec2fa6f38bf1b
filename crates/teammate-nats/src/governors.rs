//! What workers tell each other about servers of models: that one is away and for how long, or back, and who tries it.
//!
//! A server is named by a keyed hash of its address and key, so workers that share a key find each other and nobody else learns
//! it. Times are durations: no two clocks are compared.

use std::{sync::Arc, time::Duration};

use async_nats::HeaderMap;
use bytes::Bytes;
use ring::hmac::{HMAC_SHA256, Key, sign};
use serde::{Deserialize, Serialize};
use teammate_core::port::Seal;
use teammate_wire::hex;
use uuid::Uuid;

use crate::{
    append::{After, Append, AppendError},
    engine::Engine,
    layout::{PROBES, probe},
    wire::{Wire, WireFeed},
};

const DOMAIN: &str = "teammate governor 1";

/// A server of models under one key, as workers name it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerKey(String);

impl ServerKey {
    /// The name of what shares its limits under this address and key.
    pub fn of(address: &str, key: &str) -> Self {
        let hash = sign(
            &Key::new(HMAC_SHA256, key.as_bytes()),
            format!("{DOMAIN}\n{address}").as_bytes(),
        );
        Self(hex::text(hash.as_ref()))
    }
}

/// What one worker has seen of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerNews {
    /// It did not answer, or refused: nobody asks it for so many milliseconds.
    Away {
        /// From when this is heard.
        for_ms: u64,
    },
    /// It answers.
    Back,
}

/// The wire on which workers tell of servers.
#[derive(Clone)]
pub struct Governors {
    engine: Engine,
    wire: Wire,
}

/// News as they come.
pub struct ServerNewsFeed(WireFeed);

impl Governors {
    pub(crate) fn new(engine: Engine, seal: Arc<dyn Seal>) -> Self {
        let client = engine.client.clone();
        let wire = Wire { client, seal };
        Self { engine, wire }
    }

    /// Tells all workers of a server. It may be lost: each sees for itself then.
    pub async fn publish(&self, server: &ServerKey, news: ServerNews) {
        let body = serde_json::to_vec(&news).expect("numbers are JSON");
        self.wire.publish(subject(&server.0), body.into()).await;
    }

    /// Hears of all servers, also what this worker tells.
    pub async fn heard(&self) -> Result<ServerNewsFeed, String> {
        self.wire.listen(subject("*")).await.map(ServerNewsFeed)
    }

    /// Whether this worker tries a server that is away: of all that ask within 30 s, one. A worker that asks no servers may try.
    pub async fn may_probe(&self, server: &ServerKey) -> bool {
        let append = Append {
            stream: PROBES.to_owned(),
            subject: probe(&server.0),
            id: Uuid::now_v7().to_string(),
            after: After::Last(0),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        match self.engine.append(&append).await {
            Err(AppendError::Conflict { .. }) => false,
            // Without an answer it is better that several try than that nobody does.
            Ok(_)
            | Err(AppendError::Refused(_) | AppendError::Busy(_) | AppendError::Unknown(_)) => true,
        }
    }
}

impl ServerNewsFeed {
    /// The next news that is proven and known; `None` once the connection is closed for good.
    pub async fn next(&mut self) -> Option<(ServerKey, ServerNews)> {
        loop {
            let heard = self.0.next().await?;
            if let Ok(news) = serde_json::from_slice(&heard.body) {
                return Some((ServerKey(heard.of), news));
            }
        }
    }
}

impl From<Duration> for ServerNews {
    fn from(rest: Duration) -> Self {
        let for_ms = u64::try_from(rest.as_millis()).unwrap_or(u64::MAX);
        Self::Away { for_ms }
    }
}

fn subject(key: &str) -> String {
    format!("tm.gov.{key}")
}
