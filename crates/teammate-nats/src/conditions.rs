//! The conditions on servers before their acknowledgements are worth something: new enough, synced before they acknowledge,
//! and streams on as many of them as was asked for.
//!
//! A setting that a server does not prove counts as missing. (TLS off this machine is a condition of
//! [`connect`](crate::connect).)

mod monitor;
mod unmet;
mod version;

use std::collections::BTreeSet;

use async_nats::{
    Client,
    jetstream::stream::{Compression, Config, Info},
};
use serde::Deserialize;

use crate::{
    engine::of_streams,
    layout::{NatsPlace, Replicas, streams},
};

pub use unmet::Unmet;
pub use version::{SERVER_MIN, Version};

/// By what servers prove how they are set.
pub enum ServerProof {
    /// Their monitoring addresses, `HOST:PORT`, one a server.
    Monitors(Vec<String>),
    SystemAccount(Client),
    /// Nothing.
    Missing,
}

/// The facts that a server tells of itself.
#[derive(Debug, Deserialize)]
struct FoundFacts {
    server_name: String,
    version: String,
    #[serde(default)]
    jetstream: Jetstream,
}

#[derive(Debug, Default, Deserialize)]
struct Jetstream {
    #[serde(default)]
    config: Option<StoreSettings>,
}

#[derive(Debug, Deserialize)]
struct StoreSettings {
    #[serde(default)]
    sync_always: bool,
}

/// The conditions that are not met where this place's streams are; none if all are.
///
/// Errors: why the streams cannot be looked at.
pub async fn unmet(
    client: &Client,
    place: &NatsPlace,
    replicas: Replicas,
    proof: &ServerProof,
) -> Result<Vec<Unmet>, String> {
    let mut unmet = Vec::new();
    let info = client.server_info();
    let mut servers = BTreeSet::from([info.server_name.clone()]);
    let jet = of_streams(client);
    for wanted in streams(place.partition, replicas) {
        let failed = |error: String| format!("stream {}: {error}", wanted.name);
        let stream = jet.get_stream(&wanted.name).await;
        let stream = stream.map_err(|error| failed(error.to_string()))?;
        let info = stream.cached_info();
        servers.extend(holders(info));
        compare(&info.config, &wanted, &mut unmet);
    }
    of_servers(client, &servers, proof, &mut unmet).await;
    Ok(unmet)
}

/// The servers that a stream is on.
pub(crate) fn holders(info: &Info) -> impl Iterator<Item = String> {
    let cluster = info.cluster.iter();
    cluster.flat_map(|cluster| {
        let peers = cluster.replicas.iter().map(|peer| peer.name.clone());
        cluster.leader.clone().into_iter().chain(peers)
    })
}

/// The conditions that these servers do not meet, and the one that this connection is to.
pub(crate) async fn of_servers(
    client: &Client,
    servers: &BTreeSet<String>,
    proof: &ServerProof,
    unmet: &mut Vec<Unmet>,
) {
    let info = client.server_info();
    let facts = monitor::facts(proof, servers, unmet).await;
    if facts
        .iter()
        .all(|facts| facts.server_name != info.server_name)
    {
        old(&info.server_name, &info.version, unmet);
    }
    for facts in &facts {
        old(&facts.server_name, &facts.version, unmet);
    }
    for server in servers.iter().cloned() {
        let told = facts.iter().find(|facts| facts.server_name == server);
        match told.and_then(|facts| facts.jetstream.config.as_ref()) {
            Some(settings) if settings.sync_always => {}
            Some(_) => unmet.push(Unmet::SyncOff { server }),
            None => unmet.push(Unmet::SyncUnproven { server }),
        }
    }
}

fn old(server: &str, version: &str, unmet: &mut Vec<Unmet>) {
    let version = Version::read(version);
    if version < SERVER_MIN {
        unmet.push(Unmet::OldServer {
            server: server.to_owned(),
            version,
        });
    }
}

/// Compares the settings of a stream that decide whether mail and records are kept as was promised.
pub(crate) fn compare(there: &Config, wanted: &Config, unmet: &mut Vec<Unmet>) {
    if there.num_replicas < wanted.num_replicas {
        unmet.push(Unmet::FewReplicas {
            stream: wanted.name.clone(),
            there: there.num_replicas,
            wanted: wanted.num_replicas,
        });
    }
    match there.compression {
        None | Some(Compression::None) => {}
        Some(Compression::S2) => unmet.push(Unmet::Compressed {
            stream: wanted.name.clone(),
        }),
    }
    let settings = [
        ("storage", there.storage == wanted.storage),
        ("subjects", there.subjects == wanted.subjects),
        ("retention", there.retention == wanted.retention),
        ("discard", there.discard == wanted.discard),
        ("max_age", there.max_age == wanted.max_age),
        ("deny_delete", there.deny_delete == wanted.deny_delete),
        ("deny_purge", there.deny_purge == wanted.deny_purge),
        (
            "allow_rollup_hdrs",
            there.allow_rollup == wanted.allow_rollup,
        ),
        (
            "duplicate_window",
            there.duplicate_window >= wanted.duplicate_window,
        ),
        (
            "max_msgs_per_subject",
            there.max_messages_per_subject == wanted.max_messages_per_subject,
        ),
        (
            "discard_new_per_subject",
            there.discard_new_per_subject == wanted.discard_new_per_subject,
        ),
    ];
    for (setting, is_same) in settings {
        if !is_same {
            unmet.push(Unmet::OtherSetting {
                stream: wanted.name.clone(),
                setting,
            });
        }
    }
}
