//! Conditions that servers do not meet, each with what to change.

use super::{SERVER_MIN, Version};

/// A condition that is not met. Its text says what is wrong, [`Unmet::hint`] what to change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unmet {
    #[error("server {server} is version {version}")]
    OldServer { server: String, version: Version },
    /// The server acknowledges what it can still lose.
    #[error("server {server} loses what it acknowledged when the power goes")]
    SyncOff { server: String },
    /// Nobody knows when the server syncs.
    #[error("nothing proves that server {server} syncs before it acknowledges")]
    SyncUnproven { server: String },
    /// A stream is on too few servers.
    #[error("stream {stream} is on {there} of {wanted} servers")]
    FewReplicas {
        stream: String,
        /// On how many it is.
        there: usize,
        /// On how many it must be.
        wanted: usize,
    },
    /// A stream has another setting than it was made with.
    #[error("stream {stream} has another {setting} than it was made with")]
    OtherSetting {
        stream: String,
        setting: &'static str,
    },
    /// The content of a stream can become unreadable.
    #[error(
        "stream {stream} is compressed, and nats-server 2.15.1 cannot read such blocks after some kills"
    )]
    Compressed { stream: String },
    /// A monitoring address does not answer.
    #[error("the monitoring address {address} does not answer ({why})")]
    Monitor { address: String, why: String },
    /// Streams cannot be on so many servers.
    #[error("no stream can be on {wanted} servers ({why})")]
    FewServers {
        /// On how many it must be.
        wanted: usize,
        /// The servers' words.
        why: String,
    },
    /// Too few servers hold what was stored.
    #[error("stream {stream} has no majority that is current ({missing})")]
    NoQuorum {
        stream: String,
        /// The missing servers.
        missing: String,
    },
    #[error("the slowest of a hundred appends took {took_ms} ms, and members wait for each")]
    SlowAppends {
        /// How long.
        took_ms: u64,
    },
    #[error("an append fails ({0})")]
    NoAppend(String),
    /// The clocks differ.
    #[error("the servers' clock and this one differ by {by_ms} ms")]
    Skew {
        /// By how much.
        by_ms: u64,
    },
    /// A worker may do more than it must.
    #[error("a worker's keys open calls on streams")]
    NoWalls,
}

impl Unmet {
    /// The change that would help, as a request.
    pub fn hint(&self) -> String {
        let fixed = match self {
            Self::OldServer { .. } => return format!("install nats-server {SERVER_MIN} or later"),
            Self::FewServers { wanted, .. } => {
                return format!(
                    "run {wanted} servers with JetStream as one cluster, or look with one replica, to try it out: what the one \
                     disk loses is lost"
                );
            }
            Self::SyncOff { .. } => "set jetstream { sync_interval: always }",
            Self::SyncUnproven { .. } => {
                "name its monitoring address, or log in to the system account"
            }
            Self::FewReplicas { .. } => "raise its replicas",
            Self::OtherSetting { .. } => "set it back",
            Self::Compressed { .. } => "back it up, and restore it with compression: none",
            Self::Monitor { .. } => "look whether the servers run",
            Self::NoQuorum { .. } => "look after those servers",
            Self::SlowAppends { .. } => "give the servers a faster disk of their own",
            Self::NoAppend(_) => "look into the servers' logs",
            Self::Skew { .. } => "run a time service on all machines",
            Self::NoWalls => {
                "include accounts.conf as it was made for the circle in each server's configuration, and reload the servers"
            }
        };
        fixed.to_owned()
    }
}
