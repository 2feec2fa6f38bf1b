//! Shortcuts that are wrong on three servers, each beside what the adapters do: reading by Direct Get what decides, a core
//! subscription as a doorbell, and an append in flight taken for somebody's record.

use std::{io, time::Duration};

use async_nats::jetstream::{self, stream::Config};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use teammate_core::{
    MemberName, Timestamp,
    port::{Durability, JournalError},
    transcript::Entry,
};
use teammate_nats::layout::{Partition, streams};

use super::{
    fault::{Fault, Proxies},
    servers::{Kind, Servers},
    site::Site,
    worker::record_of,
};
use crate::torture::worker::{message, run};

/// How often each is tried.
const TIMES: u64 = 200;

/// How often Direct Get is tried at most, until it has missed something: replicas are seldom behind on a quiet machine.
const MOST_TIMES: u64 = 10 * TIMES;

/// Who has not heard by then has missed it.
const MISSED_AFTER: Duration = Duration::from_secs(20);

/// One shortcut.
pub(super) struct Probe {
    what: &'static str,
    times: u64,
    ours: u64,
    naive: u64,
}

impl Probe {
    /// Whether the adapters miss nothing, and the shortcut does.
    pub(super) fn is_well(&self) -> bool {
        self.ours == 0 && self.naive > 0
    }

    pub(super) fn text(&self) -> String {
        let word = if self.is_well() { "found" } else { "NOT FOUND" };
        format!(
            "three servers, {}: {word}: missed {} of {}; the adapters {}\n",
            self.what, self.naive, self.times, self.ours
        )
    }
}

/// All of them, where there are replicas that can be behind.
pub(super) fn all(servers: &Servers, kind: Kind) -> io::Result<Vec<Probe>> {
    match kind {
        Kind::One => Ok(Vec::new()),
        Kind::Three => {
            let site = Site {
                urls: servers.urls(),
                team: "probes".to_owned(),
            };
            let proxies = Proxies::before(&servers.addresses(), Fault::InFlightIsVerdict)?;
            let all = async {
                Ok(vec![
                    direct_get(&site).await?,
                    core_bell(&site).await?,
                    in_flight(&site, proxies.as_ref()).await?,
                ])
            };
            run(all).and_then(|told| told).map_err(io::Error::other)
        }
    }
}

/// A client of each server, for what adapters do not do.
async fn clients(site: &Site) -> Result<Vec<async_nats::Client>, String> {
    let mut clients = Vec::new();
    for url in &site.urls {
        let client = async_nats::connect(url).await;
        clients.push(client.map_err(|error| error.to_string())?);
    }
    Ok(clients)
}

/// An entry that was acknowledged is there for every later reader.
async fn direct_get(site: &Site) -> Result<Probe, String> {
    let clients = clients(site).await?;
    let jet = jetstream::new(clients[0].clone());
    let [log, ..] = streams(Partition::FIRST, teammate_nats::layout::Replicas::Three);
    let direct = Config {
        allow_direct: true,
        ..log.clone()
    };
    let changed = jet.update_stream(direct).await;
    changed.map_err(|error| error.to_string())?;
    let member = MemberName::teammate("w1").expect("it is a name");
    let (writer, reader) = (site.store().await?, site.store().await?);
    let open = writer.transcripts.open(&member).await;
    let mut open = open.map_err(|error| error.to_string())?;
    let subject = site.place()?.transcript(&member);
    let asked = format!("$JS.API.DIRECT.GET.{}.{subject}", log.name);
    let (mut times, mut ours, mut naive, mut before) = (0, 0, 0, String::new());
    for number in 0..MOST_TIMES {
        if number >= TIMES && naive > 0 {
            break;
        }
        times += 1;
        let entry = Entry::Prompted(number.to_string());
        open.log
            .append(&entry)
            .await
            .map_err(|error| error.to_string())?;
        // Whichever server answers.
        let client = &clients[usize::try_from(number).unwrap_or_default() % clients.len()];
        let answer = client.request(asked.clone(), "".into()).await;
        let sequence = answer.ok().and_then(|answer| {
            let headers = answer.headers?;
            Some(headers.get("Nats-Sequence")?.to_string())
        });
        let sequence = sequence.unwrap_or_else(|| before.clone());
        naive += u64::from(sequence == before);
        before = sequence;
        if number.is_multiple_of(10) {
            let entries = reader.transcripts.peek(&member).await;
            let entries = entries.map_err(|error| error.to_string())?;
            ours += u64::from(entries.last() != Some(&entry));
        }
    }
    let changed = jet.update_stream(log).await;
    changed.map_err(|error| error.to_string())?;
    Ok(Probe {
        what: "Direct Get for what decides",
        times,
        ours,
        naive,
    })
}

/// When the bell has rung for the last time, what it rang for must be there.
async fn core_bell(site: &Site) -> Result<Probe, String> {
    let clients = clients(site).await?;
    let (member, sender) = (
        MemberName::lead(),
        MemberName::teammate("w1").expect("it is a name"),
    );
    let (writer, reader) = (site.store().await?, site.store().await?);
    let subject = site.place()?.mail(&member);
    let listening = clients[1].subscribe(subject.clone()).await;
    let mut naive_bell = listening.map_err(|error| error.to_string())?;
    clients[1]
        .flush()
        .await
        .map_err(|error| error.to_string())?;
    let (mut ours, mut naive, mut before) = (0, 0, 0);
    for number in 0..TIMES {
        let sending = writer.mailbox.send(message(&sender, number));
        let ringing = async {
            naive_bell.next().await;
            last(&clients[1], &subject).await
        };
        let hearing = async {
            loop {
                reader.mailbox.rang(&member).await;
                let there = reader.mailbox.peek(&member).await.unwrap_or_default();
                if there.len() as u64 > number {
                    break;
                }
            }
        };
        let hearing = tokio::time::timeout(MISSED_AFTER, hearing);
        let (sent, seen, heard) = tokio::join!(sending, ringing, hearing);
        sent.map_err(|error| error.to_string())?;
        // It rings once: what is not there then is left lying.
        naive += u64::from(seen <= before);
        ours += u64::from(heard.is_err());
        before = last(&clients[1], &subject).await;
    }
    Ok(Probe {
        what: "a core subscription as a doorbell",
        times: TIMES,
        ours,
        naive,
    })
}

/// Of those who append at the same length, each must hear that it won or that the journal is longer by now.
async fn in_flight(site: &Site, proxies: Option<&Proxies>) -> Result<Probe, String> {
    let through = Site {
        urls: proxies.map(Proxies::urls).unwrap_or_default(),
        team: "competitors-2".to_owned(),
    };
    let straight = Site {
        urls: site.urls.clone(),
        team: "competitors-1".to_owned(),
    };
    Ok(Probe {
        what: "an append in flight as a verdict",
        times: TIMES,
        ours: competition(&straight).await?,
        naive: competition(&through).await?,
    })
}

/// Three that append; how many answers were neither.
async fn competition(site: &Site) -> Result<u64, String> {
    let (one, two, three) = tokio::join!(
        competitor(site, "w1"),
        competitor(site, "w2"),
        competitor(site, "w3")
    );
    Ok(one? + two? + three?)
}

async fn competitor(site: &Site, name: &str) -> Result<u64, String> {
    let journal = site.store().await?.journal;
    let name = MemberName::teammate(name).map_err(|error| error.to_string())?;
    let (mut length, mut wrong) = (0, 0);
    for number in 0..TIMES / 3 {
        let events = record_of(&name, number);
        let appended = journal.append(length, Timestamp(number), events, Durability::Synced);
        match appended.await {
            Ok(()) => length += 1,
            Err(JournalError::Conflict { length: there }) if there > length => length = there,
            Err(
                JournalError::Conflict { .. } | JournalError::Broken(_) | JournalError::Unsound(_),
            ) => wrong += 1,
        }
    }
    Ok(wrong)
}

/// The sequence of a subject's last message, by the stream's leader.
async fn last(client: &async_nats::Client, subject: &str) -> u64 {
    let ask = json!({ "last_by_subj": subject }).to_string();
    let mail = Partition::FIRST.mail();
    let answer = client
        .request(format!("$JS.API.STREAM.MSG.GET.{mail}"), ask.into())
        .await;
    let answer = answer.map(|answer| serde_json::from_slice::<Value>(&answer.payload));
    let Ok(Ok(answer)) = answer else { return 0 };
    answer["message"]["seq"].as_u64().unwrap_or_default()
}
