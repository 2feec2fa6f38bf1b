//! Teams on NATS servers, which sync before they acknowledge: mail to its reader, appends to transcripts, claims. One server, and
//! three that hold each stream thrice, all on this machine's one disk. What is lost with a worker, and what idle members cost, is measured
//! with real workers.

mod claims;
mod crowd;
mod idle;
mod journal;
mod stage;
mod takeover;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp, mail::Metadata,
    transcript::Entry,
};
use teammate_nats::{
    NatsStore,
    connect::{ServerUrl, connect},
    keys::{Circle, CircleRole, Creds},
    layout::{NatsPlace, Partition, Replicas, TeamId},
};
use teammate_testkit::nats::{NatsCluster, NatsServer, Sync, program as nats_server};
use tokio::task::JoinSet;

use self::journal::COMPETITORS;
use super::{
    Effort, Measured, board, program,
    row::{Row, Target},
    sample::Sample,
};

type Failure = Box<dyn std::error::Error + Send + std::marker::Sync>;

/// How many members append at once.
const MEMBERS: usize = 64;

/// How often making streams is tried while a cluster elects.
const MAKES_MAX: usize = 60;

pub(super) fn measure(effort: Effort) -> Measured {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let Some(server) = nats_server() else {
        return Err("there is no nats-server; `cargo xtask test tests` installs it".into());
    };
    let mut rows = runtime.block_on(on_servers(effort, &server))?;
    rows.extend(takeover::measure(effort, &server)?);
    rows.extend(crowd::measure(effort, &server)?);
    Ok(rows)
}

/// What the store costs, on one server and on three.
async fn on_servers(effort: Effort, server: &Path) -> Measured {
    let dir = program::workspace()?;
    let one = NatsServer::start_with(server, dir.path(), Sync::Always, &accounts(dir.path())?)?;
    let servers = [&one];
    let mut rows = of(effort, "R1", &servers, dir.path(), Replicas::One).await?;
    drop(one);
    let dir = program::workspace()?;
    let three = NatsCluster::start_with(server, dir.path(), &accounts(dir.path())?)?;
    let servers: Vec<&NatsServer> = three.servers.iter().collect();
    rows.extend(of(effort, "R3", &servers, dir.path(), Replicas::Three).await?);
    Ok(rows)
}

/// A circle with one person, `ann`, whose seals the measures have in them.
fn accounts(dir: &Path) -> Result<String, Failure> {
    let mut circle = Circle::make(dir)?;
    circle.admit(
        CircleRole::Person,
        teammate_core::name::WorkerName::parse("ann")?,
        vec![],
    )?;
    Ok(std::fs::read_to_string(circle.accounts())?)
}

/// Where a team is, and how to get there.
struct Site {
    servers: Vec<ServerUrl>,
    creds: Creds,
    replicas: Replicas,
}

impl Site {
    async fn store(&self, team: &str) -> Result<NatsStore, Failure> {
        let place = NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse(team).ok_or("no team's id")?,
        };
        let client = connect(&self.servers, self.creds.login(), "bench").await?;
        let mut tried = 0;
        while let Err(why) = NatsStore::make(&client, &place, self.replicas).await {
            tried += 1;
            if tried == MAKES_MAX {
                return Err(why.into());
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        NatsStore::by(client, place, &self.creds).ok_or_else(|| "keys that do not fit".into())
    }
}

async fn of(
    effort: Effort,
    kind: &str,
    nats: &[&NatsServer],
    dir: &Path,
    replicas: Replicas,
) -> Measured {
    let servers = nats.iter().map(|server| ServerUrl::parse(&server.url()));
    let servers: Result<Vec<_>, _> = servers.collect();
    let site = Site {
        servers: servers?,
        creds: Creds::read(&dir.join("ann.creds"))?,
        replicas,
    };
    let mail = Sample::ms(mail(&site, effort.times(1_000, 200)).await?);
    let alone = Sample::ms(appends(&site, 1, effort.times(2_000, 300)).await?.1);
    let each = effort.times(300, 40);
    let (took, _) = appends(&site, MEMBERS, each).await?;
    let rate = (MEMBERS * each) as f64 / took.as_secs_f64();
    let tasks = effort.times(10_000, 1_000);
    let crowd = board::crowd(site.store("board").await?.journal, tasks).await?;
    let claims = crowd.rate();
    let steward = claims::by_steward(&site, tasks).await?;
    let compete = claims::by_competition(&site, effort.times(400, 100)).await?;
    let by_one = journal::appends(&site, 1, effort.times(1_000, 200)).await?;
    let by_eight = journal::appends(&site, COMPETITORS, effort.times(60, 15)).await?;
    let conflicts = by_eight.conflicts as f64 / by_eight.records as f64;
    let monitors: Vec<String> = nats.iter().map(|server| server.monitor()).collect();
    let idle = idle::idle(&site, &monitors).await?;
    let row = |what: &str, unit, target, measured| {
        Row::new(&format!("machines {kind}: {what}"), unit, target, measured)
    };
    Ok(vec![
        row(
            "mail to its reader, median",
            "ms",
            Target::AtMost(5.0),
            mail.median(),
        )
        .note(mail.spread()),
        row(
            "the same, p99",
            "ms",
            Target::AtMost(25.0),
            mail.quantile(0.99),
        ),
        row(
            "an append of 4 KB to a transcript, median",
            "ms",
            Target::AtMost(4.0),
            alone.median(),
        )
        .note(alone.spread()),
        row(
            "64 members append 4 KB",
            "/s",
            Target::AtLeast(2_000.0),
            rate,
        )
        .note(format!(
            "{:.1} times one alone",
            rate * alone.median() / 1e3
        )),
        row(
            "journal appends by one decider",
            "/s",
            Target::Nothing,
            by_one.rate(),
        ),
        row(
            "the same by eight competitors",
            "/s",
            Target::Nothing,
            by_eight.rate(),
        )
        .note(format!(
            "{:.2} of one decider; {conflicts:.1} conflicts an append",
            by_eight.rate() / by_one.rate()
        )),
        row(
            "100 claimers, each claim and completion synced",
            "claims/s",
            Target::AtLeast(1_500.0),
            claims,
        )
        .note(format!("as many completions; {:.0} records", crowd.records)),
        row(
            "tasks claimed twice",
            "",
            Target::AtMost(0.0),
            crowd.doubled as f64,
        ),
        row(
            "the same on eight workers, whose steward decides",
            "claims/s",
            Target::AtLeast(1_500.0),
            steward.rate(),
        )
        .note(format!(
            "as many completions; {:.0} records; {:.0} claims/s where all eight decide",
            steward.records,
            compete.rate()
        )),
        row(
            "tasks claimed twice on eight workers",
            "",
            Target::AtMost(0.0),
            (steward.doubled + compete.doubled) as f64,
        ),
        row(
            "three idle workers: messages a worker and second",
            "",
            Target::AtMost(1.1),
            idle.messages,
        ),
        row(
            "the same: messages stored in ten seconds",
            "",
            Target::AtMost(0.0),
            idle.stored as f64,
        ),
    ])
}

/// From the call of `send` until the message is in another connection's hands, one after the other.
async fn mail(site: &Site, count: usize) -> Result<Vec<Duration>, Failure> {
    let (sender, reader) = (site.store("mail").await?, site.store("mail").await?);
    let bob = MemberName::teammate("bob")?;
    let mut took = Vec::new();
    for number in 0..count {
        let begun = Instant::now();
        sender.mailbox.send(message(&bob, number)?).await?;
        loop {
            let batches = reader.mailbox.take(&bob).await?;
            if let Some(batch) = batches.into_iter().next() {
                took.push(begun.elapsed());
                reader.mailbox.ack(&bob, batch.id).await?;
                break;
            }
            reader.mailbox.rang(&bob).await;
        }
    }
    Ok(took)
}

fn message(to: &MemberName, number: usize) -> Result<Message, Failure> {
    Ok(Message {
        id: MessageId::parse(&format!("m{number}")).ok_or("no id")?,
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: to.clone(),
        to_incarnation: None,
        content: "The parser is fine, but look at the empty line before the table".to_owned(),
        sent_at: Timestamp(1_732_230_000_500),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    })
}

/// So many members append so many entries each: how long all took, and each append.
async fn appends(
    site: &Site,
    members: usize,
    each: usize,
) -> Result<(Duration, Vec<Duration>), Failure> {
    let store = site.store(&format!("of-{members}")).await?;
    let entry = Entry::Prompted("x".repeat(4_000));
    let mut logs = Vec::new();
    for number in 0..members {
        let name = MemberName::teammate(&format!("m{number}"))?;
        let mut open = store.transcripts.open(&name).await?;
        // What the first append has besides is not measured.
        open.log.append(&entry).await?;
        logs.push(open.log);
    }
    let begun = Instant::now();
    let mut writers = JoinSet::new();
    for mut log in logs {
        let entry = entry.clone();
        writers.spawn(async move {
            let mut took = Vec::new();
            for _ in 0..each {
                let begun = Instant::now();
                log.append(&entry).await?;
                took.push(begun.elapsed());
            }
            Ok::<_, Failure>(took)
        });
    }
    let mut took = Vec::new();
    for wrote in writers.join_all().await {
        took.extend(wrote?);
    }
    Ok((begun.elapsed(), took))
}
