//! What workers cost the servers that have nothing to do: beats, and nothing else.

use std::time::Duration;

use teammate_core::{MemberName, name::WorkerName};
use tokio::{task::JoinSet, time::interval};

use super::{Failure, Site};
use crate::monitor;

/// How many workers have nothing to do.
pub(super) const WORKERS: usize = 3;

/// How long.
const IDLE: Duration = Duration::from_secs(10);

/// What the servers saw of it.
pub(super) struct Idle {
    /// Messages that came from workers, a worker and second.
    pub(super) messages: f64,
    /// Messages that were stored.
    pub(super) stored: u64,
}

/// Workers that beat each second, hear all beats, and wait for their doorbells.
pub(super) async fn idle(site: &Site, monitors: &[String]) -> Result<Idle, Failure> {
    let mut workers = JoinSet::new();
    for number in 0..WORKERS {
        let store = site.store("idle").await?;
        let name = WorkerName::parse(&format!("w{number}"))?;
        let member = MemberName::teammate(&format!("m{number}"))?;
        workers.spawn(async move {
            let Ok(mut beats) = store.fleet.beats().await else {
                return;
            };
            let mut second = interval(Duration::from_secs(1));
            let (mut record, mut mail) = (store.journal.grew(), store.mailbox.rang(&member));
            loop {
                tokio::select! {
                    _ = second.tick() => store.fleet.beat(&name, "alive".into()).await,
                    _ = beats.next() => {}
                    () = &mut record => record = store.journal.grew(),
                    () = &mut mail => mail = store.mailbox.rang(&member),
                }
            }
        });
    }
    // What beginning costs is over.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (messages, stored) = seen(monitors)?;
    tokio::time::sleep(IDLE).await;
    let (messages_after, stored_after) = seen(monitors)?;
    workers.shutdown().await;
    let by = WORKERS as f64 * IDLE.as_secs_f64();
    Ok(Idle {
        messages: (messages_after - messages) as f64 / by,
        stored: stored_after - stored,
    })
}

/// Messages that came from clients of all servers, and messages in streams.
pub(super) fn seen(monitors: &[String]) -> Result<(u64, u64), Failure> {
    let (mut messages, mut stored) = (0, 0);
    for monitor in monitors {
        let connections = monitor::asked(monitor, "/connz?limit=1024")?;
        let connections = connections["connections"]
            .as_array()
            .ok_or("no connections")?;
        let of_clients = connections.iter().map(|one| one["in_msgs"].as_u64());
        messages += of_clients.flatten().sum::<u64>();
        let streams = monitor::asked(monitor, "/jsz")?;
        stored += streams["messages"].as_u64().ok_or("no streams")?;
    }
    Ok((messages, stored))
}
