//! What arrives, and what does not.

use std::{future::ready, time::Duration};

use teammate_core::{
    name::WorkerName,
    port::{Fleet, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, FleetReply},
    team::Beat,
};

use super::{MemoryFleet, MemoryWire, WireFault};

const HALF_A_SECOND: Duration = Duration::from_millis(500);

fn worker(text: &str) -> WorkerName {
    WorkerName::parse(text).unwrap()
}

fn beat(of: &str) -> Beat {
    serde_json::from_value(serde_json::json!({
        "worker": of,
        "session": "00000000-0000-0000-0000-000000000007",
    }))
    .unwrap()
}

async fn heard<T>(feed: &mut dyn FleetFeed<T>) -> Option<T> {
    tokio::select! { biased; one = feed.next() => one, () = ready(()) => None }
}

async fn whose(feed: &mut dyn FleetFeed<Beat>) -> Option<String> {
    heard(feed).await.map(|beat| beat.worker.to_string())
}

/// Answers every ping.
async fn answers(wire: &MemoryWire) {
    let mut asked = wire.asked().await.unwrap();
    drop(tokio::spawn(async move {
        while let Some(FleetAsked { answer, .. }) = asked.next().await {
            answer(FleetAnswer::Pong);
        }
    }));
}

#[tokio::test]
async fn beats_reach_everybody_and_their_own_worker() {
    let fleet = MemoryFleet::default();
    let (one, two) = (fleet.wire(&worker("one")), fleet.wire(&worker("two")));
    let (mut at_one, mut at_two) = (one.beats().await.unwrap(), two.beats().await.unwrap());
    one.beat(&beat("one")).await;
    assert_eq!(whose(&mut *at_one).await.as_deref(), Some("one"));
    assert_eq!(whose(&mut *at_two).await.as_deref(), Some("one"));
}

#[tokio::test]
async fn a_broken_wire_loses_what_its_fault_says() {
    let cases = [
        (WireFault::CutOff, (false, false), (true, false)),
        (WireFault::Deaf, (false, true), (true, false)),
        (WireFault::Mute, (false, false), (true, true)),
        (WireFault::AnswersLost, (true, true), (true, true)),
    ];
    for (fault, of_one, of_two) in cases {
        let fleet = MemoryFleet::default();
        let (one, two) = (fleet.wire(&worker("one")), fleet.wire(&worker("two")));
        let (mut at_one, mut at_two) = (one.beats().await.unwrap(), two.beats().await.unwrap());
        fleet.break_wire(&worker("one"), fault);
        one.beat(&beat("one")).await;
        let is_heard = (
            whose(&mut *at_one).await.is_some(),
            whose(&mut *at_two).await.is_some(),
        );
        assert_eq!(is_heard, of_one, "{fault:?}: what one says, at one and two");
        two.beat(&beat("two")).await;
        let is_heard = (
            whose(&mut *at_two).await.is_some(),
            whose(&mut *at_one).await.is_some(),
        );
        assert_eq!(is_heard, of_two, "{fault:?}: what two says, at two and one");
        fleet.heal_wire(&worker("one"));
        one.beat(&beat("one")).await;
        assert!(whose(&mut *at_one).await.is_some(), "{fault:?}: healed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_is_answered_or_not_as_the_wire_is() {
    let fleet = MemoryFleet::default();
    let (one, two) = (fleet.wire(&worker("one")), fleet.wire(&worker("two")));
    let ask = || one.ask(&two.own, &FleetQuestion::Ping, HALF_A_SECOND);
    assert_eq!(ask().await, FleetReply::Nobody, "nobody listens");
    answers(&two).await;
    let pong = FleetReply::Answered(FleetAnswer::Pong);
    assert_eq!(ask().await, pong);
    let late = WireFault::Late(Duration::from_secs(1));
    for fault in [WireFault::CutOff, WireFault::Deaf, WireFault::Mute, late] {
        fleet.break_wire(&two.own, fault);
        assert_eq!(ask().await, FleetReply::Silent, "{fault:?} at the asked");
    }
    fleet.break_wire(&two.own, WireFault::Late(Duration::from_millis(100)));
    assert_eq!(ask().await, pong, "late, but in time");
    fleet.break_wire(&two.own, WireFault::AnswersLost);
    assert_eq!(ask().await, FleetReply::Silent);
    fleet.heal_wire(&two.own);
    for fault in [WireFault::CutOff, WireFault::Deaf, WireFault::Mute] {
        fleet.break_wire(&one.own, fault);
        assert_eq!(ask().await, FleetReply::Silent, "{fault:?} at the asker");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stopped_worker_says_and_hears_all_when_it_goes_on() {
    let fleet = MemoryFleet::default();
    let (one, two) = (fleet.wire(&worker("one")), fleet.wire(&worker("two")));
    let (mut at_one, mut at_two) = (one.beats().await.unwrap(), two.beats().await.unwrap());
    answers(&one).await;
    fleet.break_wire(&one.own, WireFault::Paused);
    let said = tokio::spawn(async move { one.beat(&beat("one")).await });
    two.beat(&beat("two")).await;
    let name = worker("one");
    let asked = two.ask(&name, &FleetQuestion::Ping, HALF_A_SECOND);
    assert_eq!(asked.await, FleetReply::Silent);
    assert_eq!(whose(&mut *at_one).await, None);
    assert_eq!(whose(&mut *at_two).await.as_deref(), Some("two"));
    fleet.heal_wire(&worker("one"));
    said.await.unwrap();
    assert_eq!(whose(&mut *at_one).await.as_deref(), Some("two"));
    assert_eq!(whose(&mut *at_two).await.as_deref(), Some("one"));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_ends_listens_no_more() {
    let fleet = MemoryFleet::default();
    let (one, two) = (fleet.wire(&worker("one")), fleet.wire(&worker("two")));
    let asked = two.asked().await.unwrap();
    let ask = || one.ask(&two.own, &FleetQuestion::Ping, HALF_A_SECOND);
    assert_eq!(
        ask().await,
        FleetReply::Silent,
        "it listens and says nothing"
    );
    drop(asked);
    assert_eq!(ask().await, FleetReply::Nobody);
}
