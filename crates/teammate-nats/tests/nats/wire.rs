//! What workers tell each other, what watchers see, and the teams' cards.

use std::time::Duration;

use teammate_core::name::WorkerName;
use teammate_nats::{
    fleet::AskOutcome,
    layout::TeamId,
    teams::{Card, FORMAT, TeamsError, find, find_or_make},
};
use teammate_testkit::stories::name;

use crate::world::Own;

/// Far longer than any answer takes.
const LONG: Duration = Duration::from_secs(30);

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

    let bob = name("bob");
    let mut said = two.said(&bob).await.unwrap();
    flush().await;
    one.say(&bob, "he".into()).await;
    one.say(&bob, "llo".into()).await;
    assert_eq!(said.next().await.unwrap().body, "he");
    assert_eq!(said.next().await.unwrap().body, "llo");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_kept_for_those_who_watch() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (events, bob) = (own.store().await.events, name("bob"));
    assert_eq!(events.since(&bob, 1).await.unwrap(), []);
    for n in 0..3 {
        events.publish(&bob, format!("{{\"n\":{n}}}")).await;
    }
    let told = events.since(&bob, 1).await.unwrap();
    assert_eq!(told.len(), 3);
    let rest = events.since(&bob, told[1].sequence).await.unwrap();
    assert_eq!(rest, told[1..]);
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
        find_or_make(&one, &name, Card::new(None)),
        find_or_make(&two, &name, Card::new(None))
    );
    let first = first.unwrap();
    assert_eq!(second.unwrap(), first);
    assert_eq!(find(&two, &name).await.unwrap(), Some(first));

    let newer = Card {
        format: FORMAT + 1,
        ..Card::new(None)
    };
    let later = TeamId::parse("later").unwrap();
    find_or_make(&one, &later, newer).await.unwrap();
    let refused = find(&two, &later).await;
    assert_eq!(refused, Err(TeamsError::Newer("later".to_owned())));
}
