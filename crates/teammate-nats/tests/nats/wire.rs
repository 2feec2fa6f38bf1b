//! What workers tell each other, what watchers see, and the teams' cards.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value, json};
use teammate_core::{
    Timestamp,
    event::{Event, EventKind},
    name::WorkerName,
    port::{Durability, EventReader, EventStore, Fleet as _, HostError, LockHolder},
    team::Beat,
};
use teammate_nats::{
    NatsStore,
    fleet::{AskOutcome, WorkerProcess},
    layout::{NatsPlace, TeamId},
    teams::{Card, FORMAT, TeamsError, find, find_or_make},
};
use teammate_testkit::stories::name;
use uuid::Uuid;

use crate::world::{Own, seal};

/// Far longer than any answer takes.
pub(crate) const LONG: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn workers_beat_ask_and_answer() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await.fleet, own.store().await.fleet);
    let [w1, w2] = ["w1", "w2"].map(|name| WorkerName::parse(name).unwrap());
    let mut beats = one.beats().await.unwrap();
    one.beat(&w1, "alive".into()).await;
    let beat = beats.next().await.unwrap();
    assert_eq!((&*beat.of, &*beat.body), ("w1", &b"alive"[..]));

    let ask = async |body: &'static str, wait| two.ask(&w2, &w1, body.into(), wait).await;
    // The server has read what this connection wrote before it answers.
    let flush = async || {
        assert_eq!(
            one.ask(&w1, &w2, "?".into(), LONG).await,
            AskOutcome::Nobody
        );
    };
    assert_eq!(ask("?", LONG).await, AskOutcome::Nobody);
    let mut asked = one.asked(&w1).await.unwrap();
    flush().await;
    assert_eq!(ask("?", Duration::from_millis(1)).await, AskOutcome::Silent);
    asked.next().await.unwrap();
    let answering = async {
        let question = asked.next().await.unwrap();
        assert_eq!(question.of, "w2");
        question.answer(question.body.clone()).await;
    };
    let (answer, ()) = tokio::join!(ask("claim", LONG), answering);
    assert_eq!(answer, AskOutcome::Answered("claim".into()));
}

/// Nobody waits until events are stored.
async fn until_next_is(events: &dyn EventStore, next: u64) {
    while events.next_number().await != next {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_kept_for_those_who_watch() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (events, other) = (own.store().await.events, own.store().await.events);
    assert_eq!(events.next_number().await, 0);
    events
        .append(&[said("bob", 0), said("lead", 1)])
        .await
        .unwrap();
    until_next_is(&*other, 3).await;
    let mut reader = other.reader();
    assert_eq!(numbers(&mut *reader).await, [1, 2]);
    // Another worker that was opened at the same time numbers alike; a reader sees each number once.
    other
        .append(&[said("bob", 1), said("bob", 2)])
        .await
        .unwrap();
    until_next_is(&*other, 5).await;
    events.append(&[said("lead", 2)]).await.unwrap();
    let mut later = Vec::new();
    while later.len() < 3 {
        later.extend(numbers(&mut *reader).await);
    }
    assert_eq!(later, [3, 4, 5]);
    assert_eq!(numbers(&mut *reader).await, [] as [u64; 0]);
    // Who reads once the oldest are gone reads the same numbers: nobody who asks for what comes after one misses any.
    let jet = async_nats::jetstream::new(own.client().await);
    let stream = jet.get_stream("TM_EVENT_0").await.unwrap();
    stream.purge().sequence(3).await.unwrap();
    let mut fresh = other.reader();
    assert_eq!(numbers(&mut *fresh).await, [3, 4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_of_answers_are_heard_while_they_are_written() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await.events, own.store().await.events);
    let mut heard = two.pieces().unwrap().hear().await.unwrap();
    let pieces = one.pieces().unwrap();
    for delta in ["he", "llo"] {
        pieces.emit(&piece("bob", delta)).await;
    }
    for delta in ["he", "llo"] {
        assert_eq!(*heard.next().await.unwrap(), piece("bob", delta));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_teams_of_a_process_share_a_beat_and_a_drain() {
    let Some(own) = Own::server().await else {
        return;
    };
    let w1 = WorkerName::parse("w1").unwrap();
    let process = WorkerProcess::default();
    let other = NatsPlace {
        team: TeamId::parse("other").unwrap(),
        ..own.place.clone()
    };
    let other = NatsStore::at(own.client().await, other, seal());
    let store = own.store().await;
    let mut wire = store.fleet.beats().await.unwrap();
    let one = store.fleet.worker_wire(w1.clone(), process.clone());
    let two = other.fleet.worker_wire(w1.clone(), process.clone());
    let (mut at_one, mut at_two) = (one.beats().await.unwrap(), two.beats().await.unwrap());
    let beat: Beat =
        serde_json::from_value(json!({ "worker": "w1", "session": Uuid::nil() })).unwrap();
    one.beat(&beat).await;
    assert_eq!(at_one.next().await.unwrap(), beat);
    two.beat(&beat).await;
    assert_eq!(at_two.next().await.unwrap(), beat);
    // Neither says anything new within the second.
    one.beat(&beat).await;
    two.beat(&beat).await;
    let draining = Beat {
        is_draining: true,
        ..beat
    };
    two.beat(&draining).await;
    for teams in [1, 2, 2] {
        let said: Map<String, Value> =
            serde_json::from_slice(&wire.next().await.unwrap().body).unwrap();
        assert_eq!(said.len(), teams);
    }

    let _asked = two.asked().await.unwrap();
    let mut asked = one.asked().await.unwrap();
    let listening = tokio::spawn(async move { asked.next().await });
    let person = own.store().await.fleet;
    let person = person.worker_wire(WorkerName::parse("ann").unwrap(), WorkerProcess::default());
    let heard = person.order_drain(&w1, LONG).await;
    assert!(matches!(heard, AskOutcome::Answered(_)));
    process.drain_asked().await;
    listening.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_at_a_time_claims_a_team_until_it_is_gone() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await, own.store().await);
    let now = Timestamp(7);
    assert_eq!(two.presence.holder().await.unwrap(), None);
    let claim = one.presence.claim(now).await.unwrap();
    let me = LockHolder::Process {
        pid: std::process::id(),
        since: now,
    };
    assert_eq!(two.presence.holder().await.unwrap(), Some(me));
    let refused = two.presence.claim(now).await.err();
    assert_eq!(refused, Some(HostError::Running(me)));
    drop(claim);
    while two.presence.holder().await.unwrap().is_some() {
        two.presence.left().await;
    }
    let _claim = two.presence.claim(now).await.unwrap();
    // It did not hear that its connection ended, and was replaced.
    let begins = one.journal.append(0, now, Vec::new(), Durability::Synced);
    begins.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_run_a_team_beside_each_other_and_beside_nobody_else() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two, alone) = (own.store().await, own.store().await, own.store().await);
    let first = one.presence.join().await.unwrap();
    let second = two.presence.join().await.unwrap();
    let workers = LockHolder::Workers { count: 1 };
    assert_eq!(alone.presence.holder().await.unwrap(), Some(workers));
    let refused = alone.presence.claim(Timestamp(7)).await.err();
    assert_eq!(refused, Some(HostError::Running(workers)));
    drop((first, second));
    while alone.presence.holder().await.unwrap().is_some() {
        alone.presence.left().await;
    }
    let claim = alone.presence.claim(Timestamp(7)).await.unwrap();
    let refused = one.presence.join().await.err();
    assert!(matches!(refused, Some(HostError::Running(_))));
    drop(claim);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_replaced_while_it_was_cut_off_writes_nothing_more() {
    let Some(own) = Own::server().await else {
        return;
    };
    let now = Timestamp(7);
    let cut_off = own.store().await;
    let claim = cut_off.presence.claim(now).await.unwrap();
    // The claim as the servers know it is taken over, as by a process that found nobody.
    let other = own.client().await;
    let claim_of_other = format!("tm.0.{}.t.HOST", own.place.team);
    other.publish(claim_of_other, "{}".into()).await.unwrap();
    other.flush().await.unwrap();
    let refused = loop {
        let read = cut_off.journal.read(0).await;
        if let Err(error) = read {
            break error.to_string();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(refused.contains("another one runs the team"), "{refused}");
    drop(claim);
}

fn said(member: &str, number: u64) -> Arc<Event> {
    Arc::new(Event {
        n: Some(number),
        ..piece(member, "x")
    })
}

fn piece(member: &str, delta: &str) -> Event {
    Event {
        run: None,
        n: None,
        r: None,
        at: Timestamp(1),
        member: name(member),
        what: EventKind::Text {
            delta: delta.to_owned(),
        },
    }
}

async fn numbers(reader: &mut dyn EventReader) -> Vec<u64> {
    let mut numbers = Vec::new();
    let mut give = |event: Arc<Event>| numbers.extend(event.n);
    reader.read_on(&mut give).await.unwrap();
    numbers
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_make_a_team_both_get_the_same() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.client().await, own.client().await);
    let name = TeamId::parse("app").unwrap();
    assert_eq!(find(&one, &name).await.unwrap(), None);
    let (first, second) = tokio::join!(
        find_or_make(&one, &name, Card::new(&name, None)),
        find_or_make(&two, &name, Card::new(&name, None))
    );
    let first = first.unwrap();
    assert_eq!(second.unwrap(), first);
    assert_eq!(find(&two, &name).await.unwrap(), Some(first));

    let later = TeamId::parse("later").unwrap();
    let newer = Card {
        format: FORMAT + 1,
        ..Card::new(&later, None)
    };
    find_or_make(&one, &later, newer).await.unwrap();
    let refused = find(&two, &later).await;
    assert_eq!(refused, Err(TeamsError::Newer("later".to_owned())));
}
