//! Tasks claimed by members of eight workers: where a steward decides for all, with the person's keys on each worker or keys of its
//! own, and where all compete for the journal.

use std::sync::Arc;

use teammate_core::{
    Timestamp,
    fold::Fold,
    name::WorkerName,
    port::{
        AskedQuestion, Durability, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, Ids as _,
        Journal,
    },
    team::{Command, JournalFormat, PlaceCommand, PlaceEvent, SeenWorker, TeamEvent, Term, Walls},
};
use teammate_nats::{NatsStore, fleet::WorkerProcess};
use teammate_runtime::{Ledger, NewsReceiver, WorkerRole};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use tokio::task::JoinSet;

use super::{Failure, KEYED, Servers, Site, WORKERS, questions, worker_name};
use crate::bench::suite::{
    Effort, Measured,
    board::{self, Crowd},
    row::Target,
};

/// With whose keys workers write.
#[derive(Clone, Copy)]
enum Keys {
    OfPerson,
    OfWorker,
}

impl Keys {
    fn team(self) -> &'static str {
        match self {
            Self::OfPerson => "stewarded",
            Self::OfWorker => KEYED,
        }
    }
}

pub(super) async fn measure(effort: Effort, servers: &Servers) -> Measured {
    let site = &servers.site;
    let tasks = effort.times(10_000, 1_000);
    let alone = board::crowd(site.store("board").await?.journal, tasks).await?;
    let steward = by_steward(site, tasks, Keys::OfPerson).await?;
    let keyed = by_steward(site, tasks, Keys::OfWorker).await?;
    let compete = by_competition(site, effort.times(400, 100)).await?;
    let claims = Target::AtLeast(1_500.0);
    let doubled = Target::AtMost(0.0);
    let row = |what: &str, unit, target, measured| servers.row(what, unit, target, measured);
    let mut rows = vec![
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
            "the same, each worker with keys of its own",
            "claims/s",
            claims,
            keyed.rate(),
        )
        .note(format!(
            "{:.2} of the same with the person's keys; {:.0} records",
            keyed.rate() / steward.rate(),
            keyed.records
        )),
        row(
            "tasks claimed twice on eight workers",
            "",
            doubled,
            (steward.doubled + keyed.doubled + compete.doubled) as f64,
        ),
    ];
    rows.extend(questions::measure(servers).await?);
    Ok(rows)
}

/// The claims of members that are spread over workers, whose steward decides.
async fn by_steward(site: &Site, tasks: usize, keys: Keys) -> Result<Crowd, Failure> {
    let journal = site.store(keys.team()).await?.journal;
    board::team(journal.clone(), tasks).await?;
    let mut answering = JoinSet::new();
    let mut ledgers = Vec::new();
    for number in 1..=WORKERS {
        let store = match keys {
            Keys::OfPerson => site.store(keys.team()).await?,
            Keys::OfWorker => site.store_by(&worker_name(number)?, keys.team()).await?,
        };
        let (ledger, role) = worker(store, number).await?;
        let (feed, decides) = (role.wire.asked().await?, ledger.clone());
        answering.spawn(answer(feed, (decides, role.name.clone())));
        if number == 1 {
            claim_stewardship(&ledger, &role).await?;
        }
        ledgers.push(ledger);
    }
    place_claimers(&*journal).await?;
    board::crowd_on(&ledgers, &*journal, tasks).await
}

/// Each worker holds the members whose claims it asks for.
async fn place_claimers(journal: &dyn Journal) -> Result<(), Failure> {
    let (fold, _) = Fold::open(journal).await?;
    let placed = |number: usize| {
        Ok(TeamEvent::Place(PlaceEvent::Placed {
            member: board::name(number)?,
            worker: worker_name(number % WORKERS + 1)?,
            term: Term::FIRST,
        }))
    };
    let placed: Result<Vec<_>, Failure> = (0..board::CLAIMERS).map(placed).collect();
    let appended = journal.append(fold.length(), Timestamp(1), placed?, Durability::Synced);
    Ok(appended.await?)
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
async fn worker(store: NatsStore, number: usize) -> Result<(Ledger, WorkerRole), Failure> {
    let name = worker_name(number)?;
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
    let opened = Ledger::open_as(store.journal, Arc::new(SystemClock), &role, Arc::default()).await;
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

async fn answer(mut feed: Box<dyn FleetFeed<FleetAsked>>, (ledger, own): (Ledger, WorkerName)) {
    let mut answering = JoinSet::new();
    while let Some(FleetAsked {
        by,
        question,
        proof,
        answer,
    }) = feed.next().await
    {
        while answering.try_join_next().is_some() {}
        match question {
            FleetQuestion::Decide(asked) => {
                let (ledger, own) = (ledger.clone(), own.clone());
                let question = AskedQuestion { by, asked, proof };
                answering.spawn(async move { answer(ledger.decide_for(&own, question).await) });
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
