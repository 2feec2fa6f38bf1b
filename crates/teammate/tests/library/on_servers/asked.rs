//! Workers with keys of their own have their steward decide for members that it does not hold: all that it records is proven.

use std::{collections::BTreeMap, path::Path};

use teammate::nats::{
    connect::{ServerUrl, connect},
    layout::{Replicas, TeamId},
};
use teammate_core::{
    Incarnation, MemberName,
    fold::Fold,
    name::WorkerName,
    port::{Durability, RecordWriter},
    team::{Command, Holding, PlaceEvent, Right, TeamEvent, Term},
    transcript::EndReason,
};
use teammate_nats::{
    NatsStore,
    keys::{Circle, CircleRole, Creds},
    layout::{NatsPlace, Partition},
};
use teammate_store::clock::SystemClock;
use teammate_testkit::nats::{NatsServer, Sync, program};

use crate::on_servers::decides::Clerk;

const TURNS: u64 = 20;

fn place() -> NatsPlace {
    NatsPlace {
        partition: Partition::FIRST,
        team: TeamId::parse("lamps").unwrap(),
    }
}

fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

/// A person and three workers.
fn make_circle(dir: &Path) {
    let mut circle = Circle::make(dir).unwrap();
    let ann = circle.admit(CircleRole::Person, worker("ann"), vec![]);
    ann.unwrap();
    for name in ["w1", "w2", "w3"] {
        let admitted = circle.admit(CircleRole::Worker, worker(name), vec![place().team]);
        admitted.unwrap();
    }
}

async fn store(server: &NatsServer, dir: &Path, name: &str) -> NatsStore {
    let creds = Creds::read(&dir.join(format!("{name}.creds"))).unwrap();
    let url = ServerUrl::parse(&server.url()).unwrap();
    let client = connect(&[url], creds.login(), name).await.unwrap();
    if name == "ann" {
        let made = NatsStore::make(&client, &place(), Replicas::One).await;
        made.unwrap();
    }
    NatsStore::by(client, place(), &creds).unwrap()
}

/// Each holder's worker holds one member, of its name.
async fn place_members(by: &NatsStore) {
    let (mut fold, _) = Fold::open(&*by.journal).await.unwrap();
    let adopt = ["of-w2", "of-w3"].map(|name| Command::Adopt {
        member: MemberName::teammate(name).unwrap(),
        role: "any".into(),
        stopped: false,
    });
    let done = fold.commit(&*by.journal, &SystemClock, &adopt).await;
    assert!(done.results.unwrap().iter().all(Result::is_ok));
    let placed = ["w2", "w3"].map(|holder| {
        TeamEvent::Place(PlaceEvent::Placed {
            member: MemberName::teammate(&format!("of-{holder}")).unwrap(),
            worker: worker(holder),
            term: Term(1),
        })
    });
    let (number, at) = (fold.length(), teammate_core::Timestamp(1));
    let appended = by
        .journal
        .append(number, at, placed.to_vec(), Durability::Synced);
    appended.await.unwrap();
}

/// The worker's member has turns, one after the other.
async fn turns(clerk: &Clerk, holder: &str, numbers: std::ops::Range<u64>) {
    let member = MemberName::teammate(&format!("of-{holder}")).unwrap();
    let incarnation = Incarnation::FIRST;
    for number in numbers {
        let start = Command::StartTurn {
            member: member.clone(),
            incarnation,
        };
        let end = Command::EndTurn {
            member: member.clone(),
            incarnation,
            why: EndReason::Done,
            turn: Some(number),
            result: format!("turn {number}"),
        };
        for command in [start, end] {
            let right = Right::Holder(Holding {
                member: member.clone(),
                worker: worker(holder),
                term: Term(1),
            });
            let command = Box::new(command);
            let decided = clerk.ledger.decide(Command::Under { right, command });
            assert_eq!(decided.await.unwrap().len(), 1, "turn {number}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_steward_records_for_others_is_proven_to_everybody() {
    let Some(program) = program() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    make_circle(dir.path());
    let accounts = "include \"../accounts.conf\"\n";
    let server = NatsServer::start_with(&program, dir.path(), Sync::Always, accounts).unwrap();
    let ann = store(&server, dir.path(), "ann").await;
    let join =
        async |name: &str| Clerk::join_by(store(&server, dir.path(), name).await, name).await;
    let w1 = join("w1").await;
    w1.become_steward(1).await;
    let (w2, w3) = (join("w2").await, join("w3").await);
    place_members(&ann).await;
    let placed = |clerk: &Clerk| clerk.ledger.team().places().placements().count() == 2;
    while !placed(&w2) || !placed(&w3) {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    tokio::join!(turns(&w2, "w2", 0..TURNS), turns(&w3, "w3", 0..TURNS));
    // Gone in the middle: what nobody answers its asker decides by itself.
    w1.answers.abort();
    tokio::join!(
        turns(&w2, "w2", TURNS..2 * TURNS),
        turns(&w3, "w3", TURNS..2 * TURNS)
    );
    w2.become_steward(2).await;
    tokio::join!(
        turns(&w2, "w2", 2 * TURNS..3 * TURNS),
        turns(&w3, "w3", 2 * TURNS..3 * TURNS)
    );

    let (fold, findings) = Fold::open(&*ann.journal).await.unwrap();
    assert_eq!(findings.damaged, [], "all of it counts");
    let records = ann.journal.read(0).await.unwrap().records;
    let mut ended = BTreeMap::<&MemberName, Vec<u64>>::new();
    for event in records.iter().flat_map(|record| &record.events) {
        if let TeamEvent::TurnEnded { member, turn, .. } = event {
            ended.entry(member).or_default().extend(turn);
        }
    }
    assert_eq!(ended.len(), 2);
    for (member, turns) in ended {
        assert!(
            turns.iter().copied().eq(0..3 * TURNS),
            "{member}: {turns:?}"
        );
    }
    let proven = |by: &str| {
        let by_it = RecordWriter::Worker(worker(by));
        let of_it = records.iter().filter(|record| record.writer == by_it);
        of_it.map(|record| record.questions.len()).sum::<usize>()
    };
    assert!(proven("w1") > 0 && proven("w2") > 0, "stewards were asked");
    assert_eq!(proven("w3"), 0);
    assert_eq!(fold.length(), records.len() as u64);
}
