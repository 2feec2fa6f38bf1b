//! What a team's store costs on servers: mail to its reader, appends to transcripts and to the journal, and nothing while nobody has
//! something to do.

use std::time::{Duration, Instant};

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp, mail::Metadata,
    transcript::Entry,
};
use tokio::task::JoinSet;

use super::{
    Failure, Servers, Site, idle,
    journal::{self, COMPETITORS},
};
use crate::bench::suite::{Effort, Measured, row::Target, sample::Sample};

/// How many members append at once.
const MEMBERS: usize = 64;

pub(super) async fn measure(effort: Effort, servers: &Servers) -> Measured {
    let site = &servers.site;
    let mail = Sample::ms(mail(site, effort.times(1_000, 200)).await?);
    let alone = Sample::ms(appends(site, 1, effort.times(2_000, 300)).await?.1);
    let each = effort.times(300, 40);
    let (took, _) = appends(site, MEMBERS, each).await?;
    let rate = (MEMBERS * each) as f64 / took.as_secs_f64();
    let by_one = journal::appends(site, 1, effort.times(1_000, 200)).await?;
    let by_eight = journal::appends(site, COMPETITORS, effort.times(60, 15)).await?;
    let conflicts = by_eight.conflicts as f64 / by_eight.records as f64;
    let idle = idle::idle(site, &servers.monitors()).await?;
    let row = |what: &str, unit, target, measured| servers.row(what, unit, target, measured);
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
