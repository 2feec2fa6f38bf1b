//! Who looks at a team hears that others run it, and asks nobody meanwhile.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use serde_json::json;
use teammate_core::{Timestamp, name::WorkerName};
use teammate_nats::NatsStore;
use tokio::time::{interval, timeout};

use crate::{
    wire::LONG,
    world::{Own, seal},
};

/// Beats as a worker of this team, until it is aborted.
async fn beat(own: &Own, name: &str) -> tokio::task::JoinHandle<()> {
    let (fleet, name) = (own.store().await.fleet, WorkerName::parse(name).unwrap());
    let said = BTreeMap::from([(own.place.team.clone(), json!({}))]);
    let body = serde_json::to_vec(&said).unwrap();
    tokio::spawn(async move {
        let mut second = interval(std::time::Duration::from_secs(1));
        loop {
            second.tick().await;
            fleet.beat(&name, body.clone().into()).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_hears_who_comes_and_who_goes() {
    let Some(own) = Own::server().await else {
        return;
    };
    let client = own.client().await;
    let looking = NatsStore::at(client.clone(), own.place.clone(), seal()).presence;
    let sent = || client.statistics().out_messages.load(Ordering::Relaxed);
    let changed = async || {
        let changed = timeout(LONG, looking.changed()).await;
        changed.expect("it is heard");
    };
    let worker = beat(&own, "w1").await;
    // Who is there by now.
    changed().await;
    let before = sent();
    let alone = own.store().await.presence;
    let claim = alone.claim(Timestamp(7)).await.unwrap();
    changed().await;
    worker.abort();
    changed().await;
    drop(claim);
    changed().await;
    let _other = beat(&own, "w2").await;
    changed().await;
    assert_eq!(sent(), before);
}
