//! What workers of one process tell each other of model servers. It arrives at once, and is kept for the test.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use teammate_core::port::{
    BoxFuture, FileError, FleetFeed, Governors, HeardNews, PROBE_CLAIMED, ServerKey, ServerNews,
};
use tokio::{sync::mpsc, time::Instant};

use crate::locked;

/// The wire between governors. Clones are the same.
#[derive(Clone, Default)]
pub struct MemoryGovernors(Arc<Shared>);

#[derive(Default)]
struct Shared {
    names: AtomicU64,
    feeds: Mutex<Vec<(u64, mpsc::UnboundedSender<HeardNews>)>>,
    news: Mutex<Vec<HeardNews>>,
    claims: Mutex<BTreeMap<ServerKey, Instant>>,
}

/// The wire as one worker has it.
pub struct MemoryGovernorsWire {
    shared: Arc<Shared>,
    own: u64,
}

impl MemoryGovernors {
    /// The wire as one more worker has it.
    #[must_use]
    pub fn wire(&self) -> MemoryGovernorsWire {
        MemoryGovernorsWire {
            shared: self.0.clone(),
            own: self.0.names.fetch_add(1, Ordering::SeqCst),
        }
    }

    /// All news, in order.
    pub fn all_news(&self) -> Vec<HeardNews> {
        locked(&self.0.news).clone()
    }
}

impl Governors for MemoryGovernorsWire {
    fn server_key(&self, rate_limit_key: &str) -> ServerKey {
        ServerKey::new(rate_limit_key)
    }

    fn publish<'a>(&'a self, server: &'a ServerKey, news: ServerNews) -> BoxFuture<'a, ()> {
        let news = HeardNews {
            server: server.clone(),
            news,
        };
        locked(&self.shared.news).push(news.clone());
        let mut feeds = locked(&self.shared.feeds);
        feeds.retain(|(by, feed)| *by == self.own || feed.send(news.clone()).is_ok());
        drop(feeds);
        Box::pin(std::future::ready(()))
    }

    fn heard(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<HeardNews>>, FileError>> {
        let (feed, heard) = mpsc::unbounded_channel();
        locked(&self.shared.feeds).push((self.own, feed));
        let heard: Box<dyn FleetFeed<HeardNews>> = Box::new(Feed(heard));
        Box::pin(std::future::ready(Ok(heard)))
    }

    fn claim_probe<'a>(&'a self, server: &'a ServerKey) -> BoxFuture<'a, bool> {
        let (now, mut claims) = (Instant::now(), locked(&self.shared.claims));
        let is_free = claims
            .get(server)
            .is_none_or(|claimed| *claimed + PROBE_CLAIMED <= now);
        if is_free {
            claims.insert(server.clone(), now);
        }
        Box::pin(std::future::ready(is_free))
    }
}

struct Feed(mpsc::UnboundedReceiver<HeardNews>);

impl FleetFeed<HeardNews> for Feed {
    fn next(&mut self) -> BoxFuture<'_, Option<HeardNews>> {
        Box::pin(self.0.recv())
    }
}
