//! Looks at servers as `teammate doctor` shows them: what is well, and what is not with what to change.
//!
//! A person's keys make a stream for the look and remove it. A worker's keys open no call on streams, which is looked at instead.

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

use async_nats::{
    Client, HeaderMap, Request,
    jetstream::{
        Context,
        stream::{Config, Info, StorageType},
    },
};
use bytes::Bytes;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    append::{Append, AppendAfter, AppendError},
    conditions::{ServerProof, Unmet, compare, holders, of_servers},
    engine::{Engine, of_streams},
    keys::CircleRole,
    layout::{DUPLICATE_WINDOW, Partition, Replicas, streams},
    read::MessageSpan,
};

/// The stream of the look, which is removed afterwards.
const STREAM: &str = "TM_DOCTOR";
const SUBJECT: &str = "tm.doctor";

/// How many appends are measured.
const APPENDS: usize = 200;

/// The bytes of each: a usual entry of a transcript.
const APPEND_BYTES: usize = 4_096;

/// Slower appends are reported.
const APPEND_MAX: Duration = Duration::from_millis(250);

/// Clocks that differ more are reported.
const SKEW_MAX: Duration = Duration::from_secs(2);

/// The time without an answer after which a request counts as refused.
const REFUSED_WAIT: Duration = Duration::from_secs(3);

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    Well(String),
    /// It is neither.
    Note(String),
    Unmet(Unmet),
}

/// Looks at the servers with the keys of a person or worker.
pub async fn look(
    client: &Client,
    replicas: Replicas,
    proof: &ServerProof,
    by: CircleRole,
) -> Vec<Looked> {
    let info = client.server_info();
    let (name, version) = (info.server_name, info.version);
    let mut looked = vec![Looked::Well(format!(
        "connected to {name}, nats-server {version}"
    ))];
    match by {
        CircleRole::Person => looked.extend(by_person(client, replicas, proof).await),
        CircleRole::Worker => looked.push(by_worker(client).await),
    }
    looked
}

async fn by_worker(client: &Client) -> Looked {
    // Refused, it is not answered at all.
    let names = Request::new().timeout(Some(REFUSED_WAIT));
    match client.send_request("$JS.API.STREAM.NAMES", names).await {
        Ok(_) => Looked::Unmet(Unmet::NoWalls),
        Err(_) => Looked::Well(
            "a worker's keys open no call on streams; look at the rest with a person's".to_owned(),
        ),
    }
}

async fn by_person(client: &Client, replicas: Replicas, proof: &ServerProof) -> Vec<Looked> {
    let jet = of_streams(client);
    // Of a look that was cut off.
    let _ = jet.delete_stream(STREAM).await;
    let made = jet.create_stream(trial(replicas)).await;
    let mut looked = Vec::new();
    match made {
        Err(error) => looked.push(Looked::Unmet(Unmet::FewServers {
            wanted: replicas.count(),
            why: error.to_string(),
        })),
        Ok(_) => {
            looked.extend(appends(client).await);
            let looked_at = of_stream(&jet, client, proof).await;
            looked.extend(looked_at.unwrap_or_else(|why| vec![Looked::Note(why)]));
            let _ = jet.delete_stream(STREAM).await;
        }
    }
    looked.extend(of_teams(&jet, replicas).await);
    looked
}

/// As journals and mail are kept.
fn trial(replicas: Replicas) -> Config {
    Config {
        name: STREAM.to_owned(),
        subjects: vec![SUBJECT.to_owned()],
        storage: StorageType::File,
        num_replicas: replicas.count(),
        duplicate_window: DUPLICATE_WINDOW,
        ..Config::default()
    }
}

/// The servers behind the stream: a majority, their versions, their syncs.
async fn of_stream(
    jet: &Context,
    client: &Client,
    proof: &ServerProof,
) -> Result<Vec<Looked>, String> {
    let stream = jet.get_stream(STREAM).await;
    let stream = stream.map_err(|error| format!("the servers cannot be looked at: {error}"))?;
    let info = stream.cached_info();
    let mut looked = vec![quorum(info)];
    let mut servers: BTreeSet<String> = holders(info).collect();
    servers.insert(client.server_info().server_name);
    let mut unmet = Vec::new();
    of_servers(client, &servers, proof, &mut unmet).await;
    if unmet.is_empty() {
        let names = Vec::from_iter(servers).join(", ");
        looked.push(Looked::Well(format!(
            "{names}: new enough, and synced before they acknowledge"
        )));
    }
    looked.extend(unmet.into_iter().map(Looked::Unmet));
    Ok(looked)
}

fn quorum(info: &Info) -> Looked {
    let Some(cluster) = &info.cluster else {
        return Looked::Note("one server, no cluster: to try it out".to_owned());
    };
    let peers = &cluster.replicas;
    let missing: Vec<_> = peers
        .iter()
        .filter(|peer| !peer.current || peer.offline)
        .map(|peer| peer.name.as_str())
        .collect();
    let current = peers.len() - missing.len() + usize::from(cluster.leader.is_some());
    let all = peers.len() + 1;
    if current * 2 <= all {
        return Looked::Unmet(Unmet::NoQuorum {
            stream: STREAM.to_owned(),
            missing: missing.join(", "),
        });
    }
    match missing.is_empty() {
        true => Looked::Well(format!("a stream is on {all} servers, all of them current")),
        false => Looked::Note(format!(
            "a stream is on {current} of {all} servers; {} is not current",
            missing.join(", ")
        )),
    }
}

/// How long appends take, and how far the clocks are from each other.
async fn appends(client: &Client) -> Vec<Looked> {
    match measured(client).await {
        Ok(looked) => looked,
        Err(why) => vec![Looked::Unmet(Unmet::NoAppend(why))],
    }
}

async fn measured(client: &Client) -> Result<Vec<Looked>, String> {
    let failed = |error: AppendError| error.to_string();
    let engine = Engine::new(client.clone());
    let body = Bytes::from(vec![b'x'; APPEND_BYTES]);
    let mut took = Vec::new();
    let (mut last, mut before) = (0, SystemTime::now());
    for _ in 0..APPENDS {
        let append = Append {
            stream: STREAM.to_owned(),
            subject: SUBJECT.to_owned(),
            id: Uuid::now_v7().to_string(),
            after: AppendAfter::Last(last),
            headers: HeaderMap::new(),
            body: body.clone(),
        };
        before = SystemTime::now();
        let begun = Instant::now();
        last = engine.append(&append).await.map_err(failed)?;
        took.push(begun.elapsed());
    }
    let after = SystemTime::now();
    took.sort();
    let (median, slow) = (took[APPENDS / 2], took[APPENDS * 99 / 100]);
    let mut looked = vec![match slow > APPEND_MAX {
        true => Looked::Unmet(Unmet::SlowAppends { took_ms: ms(slow) }),
        false => Looked::Well(format!(
            "{APPENDS} appends of 4 KiB: p50 {:.1} ms, p99 {:.1} ms",
            median.as_secs_f64() * 1e3,
            slow.as_secs_f64() * 1e3
        )),
    }];
    let span = MessageSpan {
        stream: STREAM.to_owned(),
        subject: SUBJECT.to_owned(),
        from: last,
        through: last,
    };
    let read = engine.read(span).await.map_err(|error| error.to_string())?;
    if let Some(stored) = read.last() {
        let early = before.duration_since(stored.at).unwrap_or_default();
        let late = stored.at.duration_since(after).unwrap_or_default();
        let skew = early.max(late);
        looked.push(match skew > SKEW_MAX {
            true => Looked::Unmet(Unmet::Skew { by_ms: ms(skew) }),
            false => Looked::Well("the clocks agree".to_owned()),
        });
    }
    Ok(looked)
}

/// The streams of teams, where there are any.
async fn of_teams(jet: &Context, replicas: Replicas) -> Vec<Looked> {
    let (mut there, mut unmet) = (0, Vec::new());
    for wanted in streams(Partition::FIRST, replicas) {
        if let Ok(stream) = jet.get_stream(&wanted.name).await {
            there += 1;
            compare(&stream.cached_info().config, &wanted, &mut unmet);
        }
    }
    match (there, unmet.is_empty()) {
        (0, _) => vec![Looked::Note("no streams of teams yet".to_owned())],
        (_, true) => vec![Looked::Well(format!(
            "{there} streams of teams, with the settings they were made with"
        ))],
        (_, false) => unmet.into_iter().map(Looked::Unmet).collect(),
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
