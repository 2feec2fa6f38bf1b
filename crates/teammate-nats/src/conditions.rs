//! What servers must be before their acknowledgements are worth something: new enough, synced before
//! they acknowledge, and streams on as many of them as was asked for.
//!
//! A setting that a server does not prove counts as missing. (TLS off this machine is a condition of
//! [`connect`](crate::connect).)

mod monitor;

use std::{collections::BTreeSet, fmt};

use async_nats::{Client, jetstream::stream::Config};
use serde::Deserialize;

use crate::{
    engine::Engine,
    layout::{NatsPlace, Replicas, streams},
};

/// The oldest server whose clusters write at the speed, and lose as little, as was measured.
pub const SERVER_MIN: Version = Version([2, 15, 1]);

/// A server's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub [u32; 3]);

impl Version {
    /// Reads `2.15.1`, also with a suffix; what is no number counts as 0.
    fn read(text: &str) -> Self {
        let mut parts = text
            .split(['.', '-', '+'])
            .map(|part| part.parse().unwrap_or(0));
        Self([(); 3].map(|()| parts.next().unwrap_or(0)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// By what servers prove how they are set.
pub enum ServerProof {
    /// Their monitoring addresses, `HOST:PORT`, one a server.
    Monitors(Vec<String>),
    /// A connection to their system account.
    SystemAccount(Client),
    /// Nothing.
    Missing,
}

/// A condition that is not met.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unmet {
    /// The server is too old.
    #[error("server {server} is version {version}; install nats-server {SERVER_MIN} or later")]
    OldServer {
        /// Its name.
        server: String,
        /// Its version.
        version: Version,
    },
    /// The server acknowledges what it can still lose.
    #[error(
        "server {server} loses what it acknowledged when the power goes; set jetstream \
         {{ sync_interval: always }}"
    )]
    SyncOff {
        /// Its name.
        server: String,
    },
    /// Nobody knows when the server syncs.
    #[error(
        "nothing proves that server {server} syncs before it acknowledges; name its monitoring \
         address, or log in to the system account"
    )]
    SyncUnproven {
        /// Its name.
        server: String,
    },
    /// A stream is on too few servers.
    #[error("stream {stream} is on {there} of {wanted} servers; raise its replicas")]
    FewReplicas {
        /// Its name.
        stream: String,
        /// On how many it is.
        there: usize,
        /// On how many it must be.
        wanted: usize,
    },
    /// A stream has another setting than it was made with.
    #[error("stream {stream} has another {setting} than it was made with; set it back")]
    OtherSetting {
        /// Its name.
        stream: String,
        /// The setting.
        setting: &'static str,
    },
    /// A monitoring address does not answer.
    #[error("the monitoring address {address} does not answer ({why})")]
    Monitor {
        /// The address.
        address: String,
        /// Why.
        why: String,
    },
}

/// What a server says of itself.
#[derive(Debug, Deserialize)]
struct Facts {
    server_name: String,
    version: String,
    #[serde(default)]
    jetstream: Jetstream,
}

#[derive(Debug, Default, Deserialize)]
struct Jetstream {
    #[serde(default)]
    config: Option<Settings>,
}

#[derive(Debug, Deserialize)]
struct Settings {
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
    let engine = Engine::new(client.clone());
    for wanted in streams(place.partition, replicas) {
        let failed = |error: String| format!("stream {}: {error}", wanted.name);
        let stream = engine.jet.get_stream(&wanted.name).await;
        let stream = stream.map_err(|error| failed(error.to_string()))?;
        let info = stream.cached_info();
        if let Some(cluster) = &info.cluster {
            servers.extend(cluster.leader.clone());
            servers.extend(cluster.replicas.iter().map(|peer| peer.name.clone()));
        }
        compare(&info.config, &wanted, &mut unmet);
    }
    let facts = monitor::facts(proof, &servers, &mut unmet).await;
    if facts
        .iter()
        .all(|facts| facts.server_name != info.server_name)
    {
        old(&info.server_name, &info.version, &mut unmet);
    }
    for facts in &facts {
        old(&facts.server_name, &facts.version, &mut unmet);
    }
    for server in servers {
        let told = facts.iter().find(|facts| facts.server_name == server);
        match told.and_then(|facts| facts.jetstream.config.as_ref()) {
            Some(settings) if settings.sync_always => {}
            Some(_) => unmet.push(Unmet::SyncOff { server }),
            None => unmet.push(Unmet::SyncUnproven { server }),
        }
    }
    Ok(unmet)
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

/// What of a stream decides whether mail and records are kept as was promised.
fn compare(there: &Config, wanted: &Config, unmet: &mut Vec<Unmet>) {
    if there.num_replicas < wanted.num_replicas {
        unmet.push(Unmet::FewReplicas {
            stream: wanted.name.clone(),
            there: there.num_replicas,
            wanted: wanted.num_replicas,
        });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_numbers() {
        for (text, is_old) in [
            ("2.15.1", false),
            ("2.15.10", false),
            ("2.16.0-dev", false),
            ("3.0.0", false),
            ("2.15.0", true),
            ("2.9.30", true),
            ("", true),
        ] {
            assert_eq!(Version::read(text) < SERVER_MIN, is_old, "{text}");
        }
    }
}
