//! Tasks claimed by members of eight workers: where a steward decides for all, and where all compete for the journal.

use std::sync::Arc;

use teammate_core::{
    name::WorkerName,
    port::{AskedQuestion, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, Ids as _},
    team::{Command, JournalFormat, PlaceCommand, SeenWorker, Term, Walls},
};
use teammate_nats::fleet::WorkerProcess;
use teammate_runtime::{Ledger, NewsReceiver, WorkerRole};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use tokio::task::JoinSet;

use super::{Failure, Servers, Site};
use crate::bench::suite::{
    Effort, Measured,
    board::{self, Crowd},
    row::Target,
};

/// How many workers there are.
const WORKERS: usize = 8;

pub(super) async fn measure(effort: Effort, servers: &Servers) -> Measured {
    let site = &servers.site;
    let tasks = effort.times(10_000, 1_000);
    let alone = board::crowd(site.store("board").await?.journal, tasks).await?;
    let steward = by_steward(site, tasks).await?;
    let compete = by_competition(site, effort.times(400, 100)).await?;
    let claims = Target::AtLeast(1_500.0);
    let doubled = Target::AtMost(0.0);
    let row = |what: &str, unit, target, measured| servers.row(what, unit, target, measured);
    Ok(vec![
        row(
            "100 claimers, each claim and completion synced",
            "claims/s",
            claims,
            alone.rate(),
        )
        .note(format!("as many completions; {:.0} records", alone.records)),
        row("tasks claimed twice", "", doubled, alone.doubled as f64),
        row(
            "the same on eight workers, whose steward decides",
            "claims/s",
            claims,
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
            doubled,
            (steward.doubled + compete.doubled) as f64,
        ),
    ])
}

/// The claims of members that are spread over workers, whose steward decides.
async fn by_steward(site: &Site, tasks: usize) -> Result<Crowd, Failure> {
    let journal = site.store("stewarded").await?.journal;
    board::team(journal.clone(), tasks).await?;
    let mut answering = JoinSet::new();
    let mut ledgers = Vec::new();
    for number in 1..=WORKERS {
        let (ledger, role) = worker(site, number).await?;
        let (decides, feed) = (ledger.clone(), role.wire.asked().await?);
        answering.spawn(answer(feed, decides));
        if number == 1 {
            claim_stewardship(&ledger, &role).await?;
        }
        ledgers.push(ledger);
    }
    board::crowd_on(&ledgers, &*journal, tasks).await
}

/// The same where each worker decides for itself.
async fn by_competition(site: &Site, tasks: usize) -> Result<Crowd, Failure> {
    let journal = site.store("competing").await?.journal;
    board::team(journal.clone(), tasks).await?;
    let mut ledgers = Vec::new();
    for _ in 0..WORKERS {
        let journal = site.store("competing").await?.journal;
        let (ledger, news, _) = Ledger::open(journal, Arc::new(SystemClock)).await?;
        drop_news(news);
        ledgers.push(ledger);
    }
    board::crowd_on(&ledgers, &*journal, tasks).await
}

/// A worker that has joined.
async fn worker(site: &Site, number: usize) -> Result<(Ledger, WorkerRole), Failure> {
    let store = site.store("stewarded").await?;
    let name = WorkerName::parse(&format!("w{number}"))?;
    let wire = store
        .fleet
        .worker_wire(name.clone(), WorkerProcess::default());
    let role = WorkerRole {
        wire: Arc::new(wire),
        name,
        session: UuidV7Ids.new_id(),
        labels: [].into(),
        places: 16,
        governors: None,
        walls: Walls::default(),
    };
    let opened = Ledger::open_as(store.journal, Arc::new(SystemClock), Some(&role)).await;
    let (ledger, news, _) = opened?;
    drop_news(news);
    let join = PlaceCommand::Join {
        worker: role.name.clone(),
        session: role.session,
        labels: [].into(),
        places: role.places,
        walls: Walls::default(),
        format: JournalFormat::NOW,
        seen: SeenWorker::Silent,
    };
    ledger.decide(Command::Place(join)).await?;
    Ok((ledger, role))
}

async fn claim_stewardship(ledger: &Ledger, role: &WorkerRole) -> Result<(), Failure> {
    let claim = PlaceCommand::Claim {
        worker: role.name.clone(),
        session: role.session,
        term: Term::FIRST,
    };
    ledger.decide(Command::Place(claim)).await?;
    Ok(())
}

async fn answer(mut feed: Box<dyn FleetFeed<FleetAsked>>, ledger: Ledger) {
    let mut answering = JoinSet::new();
    while let Some(FleetAsked {
        by,
        question,
        evidence,
        answer,
    }) = feed.next().await
    {
        while answering.try_join_next().is_some() {}
        match question {
            FleetQuestion::Decide(asked) => {
                let ledger = ledger.clone();
                let question = AskedQuestion {
                    by,
                    asked,
                    evidence,
                };
                answering.spawn(async move { answer(ledger.decide_for(question).await) });
            }
            FleetQuestion::Ping | FleetQuestion::Rest { .. } | FleetQuestion::Job { .. } => {
                answer(FleetAnswer::Unknown);
            }
        }
    }
}

fn drop_news(mut news: NewsReceiver) {
    tokio::spawn(async move { while news.recv().await.is_some() {} });
}
