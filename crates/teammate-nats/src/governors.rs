//! News of workers to each other about model servers: that one is away and for how long, or back, and who probes it.
//!
//! A server is named by a keyed hash of what shares its rate limit, so workers that share a key find each other and nobody else learns
//! it. All teams of an account have one wire: they share keys as well.

use std::sync::Arc;

use async_nats::HeaderMap;
use bytes::Bytes;
use ring::hmac::{HMAC_SHA256, Key, sign};
use serde::{Deserialize, Serialize};
use teammate_core::port::{
    BoxFuture, FileError, FleetFeed, Governors, HeardNews, Seal, ServerKey, ServerNews,
};
use teammate_wire::hex;
use uuid::Uuid;

use crate::{
    append::{Append, AppendAfter, AppendError},
    engine::Engine,
    layout::{PROBES, probe},
    wire::{Wire, WireFeed},
};

const DOMAIN: &[u8] = b"teammate governor 1";

/// The wire on which the governor of one team and process tells of servers, and hears the others.
pub(crate) struct NatsGovernors {
    engine: Engine,
    wire: Wire,
    own: Uuid,
}

/// News as they are sent.
#[derive(Serialize, Deserialize)]
struct NewsLine {
    /// Which governor tells: nobody hears itself.
    by: Uuid,
    news: ServerNews,
}

impl NatsGovernors {
    pub(crate) fn new(engine: Engine, seal: Arc<dyn Seal>) -> Self {
        let client = engine.client.clone();
        Self {
            engine,
            wire: Wire { client, seal },
            own: Uuid::now_v7(),
        }
    }

    async fn claim(&self, server: &ServerKey) -> bool {
        let append = Append {
            stream: PROBES.to_owned(),
            subject: probe(server.as_str()),
            id: Uuid::now_v7().to_string(),
            after: AppendAfter::Last(0),
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

impl Governors for NatsGovernors {
    fn server_key(&self, rate_limit_key: &str) -> ServerKey {
        let key = Key::new(HMAC_SHA256, rate_limit_key.as_bytes());
        ServerKey::new(hex::text(sign(&key, DOMAIN).as_ref()))
    }

    fn publish<'a>(&'a self, server: &'a ServerKey, news: ServerNews) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let line = NewsLine { by: self.own, news };
            let body = serde_json::to_vec(&line).expect("ids and numbers are JSON");
            let subject = subject(server.as_str());
            self.wire.publish(subject, body.into()).await;
        })
    }

    fn heard(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<HeardNews>>, FileError>> {
        Box::pin(async move {
            let feed = self.wire.listen(subject("*")).await;
            let feed = feed.map_err(FileError::Other)?;
            let own = self.own;
            Ok(Box::new(NewsFeed { feed, own }) as Box<dyn FleetFeed<HeardNews>>)
        })
    }

    fn claim_probe<'a>(&'a self, server: &'a ServerKey) -> BoxFuture<'a, bool> {
        Box::pin(self.claim(server))
    }
}

struct NewsFeed {
    feed: WireFeed,
    own: Uuid,
}

impl FleetFeed<HeardNews> for NewsFeed {
    fn next(&mut self) -> BoxFuture<'_, Option<HeardNews>> {
        Box::pin(async move {
            loop {
                let heard = self.feed.next().await?;
                // What cannot be read is of a later version.
                let line = serde_json::from_slice::<NewsLine>(&heard.body);
                if let Some(NewsLine { news, .. }) = line.ok().filter(|line| line.by != self.own) {
                    let server = ServerKey::new(heard.of);
                    return Some(HeardNews { server, news });
                }
            }
        })
    }
}

fn subject(key: &str) -> String {
    format!("tm.gov.{key}")
}
