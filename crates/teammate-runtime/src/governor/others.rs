//! The other workers that ask the same servers: sends what the queues have to tell, hands over what is heard, and asks which worker
//! probes. It decides nothing: the queues do.

use std::{sync::Arc, time::Duration};

use teammate_core::port::{Governors, HeardNews, ServerKey};
use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use super::queues::Queues;

/// News that take longer are lost.
const SEND_WITHIN: Duration = Duration::from_secs(1);

/// The time after which a worker probes whose claim nobody answered: better several than nobody.
const CLAIM_WITHIN: Duration = Duration::from_secs(2);

/// The pause before the wire is listened to again.
const LISTEN_AGAIN: Duration = Duration::from_millis(500);

/// The way to the other workers. What is under way ends when it is dropped.
pub(super) struct OtherGovernors {
    wire: Arc<dyn Governors>,
    queues: Arc<Queues>,
    _running: JoinSet<()>,
}

impl OtherGovernors {
    /// Sends and hears for these queues from now on.
    pub(super) fn begin(
        wire: Arc<dyn Governors>,
        queues: Arc<Queues>,
        to_send: mpsc::Receiver<HeardNews>,
    ) -> Self {
        let mut running = JoinSet::new();
        running.spawn(send(wire.clone(), to_send));
        running.spawn(hear(wire.clone(), queues.clone()));
        Self {
            wire,
            queues,
            _running: running,
        }
    }

    /// How all workers name the queue of this endpoint and key.
    pub(super) fn server_key(&self, rate_limit_key: &str) -> ServerKey {
        self.wire.server_key(rate_limit_key)
    }

    /// Asks for the claim to probe, and has the queue look again when there is an answer.
    pub(super) fn claim(&self, server: &ServerKey) {
        let (wire, queues, server) = (self.wire.clone(), self.queues.clone(), server.clone());
        let asked = Instant::now();
        // Not the request's: it may be cancelled, and the next one waits for the same answer.
        drop(tokio::spawn(async move {
            let claimed = timeout(CLAIM_WITHIN, wire.claim_probe(&server)).await;
            let is_own = claimed.unwrap_or(true);
            queues.change(&server, |queue| queue.probe_claimed(is_own, asked));
        }));
    }
}

async fn send(wire: Arc<dyn Governors>, mut to_send: mpsc::Receiver<HeardNews>) {
    while let Some(HeardNews { server, news }) = to_send.recv().await {
        // One that is lost is found out by each worker itself.
        let _ = timeout(SEND_WITHIN, wire.publish(&server, news)).await;
    }
}

async fn hear(wire: Arc<dyn Governors>, queues: Arc<Queues>) {
    loop {
        if let Ok(mut feed) = wire.heard().await {
            while let Some(HeardNews { server, news }) = feed.next().await {
                queues.hear(&server, news);
            }
        }
        sleep(LISTEN_AGAIN).await;
    }
}
