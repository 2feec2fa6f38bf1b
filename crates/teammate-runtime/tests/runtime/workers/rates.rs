//! Workers that ask one model server under one key: a pause is everybody's, and one probes.

use std::time::Duration;

use teammate_core::port::ServerNews;
use tokio::time::Instant;

use crate::workers::{
    script::{Trouble, spawn, toil},
    yard::{Yard, held, seconds, until},
};

/// A lead on `w1` and `alice` on `w2`, both idle.
async fn two(yard: &Yard) -> [teammate_runtime::Host; 2] {
    let hosts: [_; 2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    hosts[0].send_as_user("lead", "go").await.unwrap();
    until(|| held(&hosts[0].team(), "alice").is_some()).await;
    hosts[0].wait_idle().await;
    assert_eq!(held(&hosts[0].team(), "lead").unwrap().0, "w1");
    assert_eq!(held(&hosts[0].team(), "alice").unwrap().0, "w2");
    hosts
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_that_one_worker_meets_pauses_the_other() {
    let yard = Yard::new();
    let [w1, w2] = two(&yard).await;
    let after = Duration::from_secs(60);
    yard.script.set_trouble(Trouble::Refuses { after });
    yard.script.add("lead", vec![vec![toil("the lead's")]]);
    let begun = Instant::now();
    w1.send_as_user("lead", "go on").await.unwrap();
    until(|| !yard.governors.all_news().is_empty()).await;
    assert_eq!(
        yard.governors.all_news()[0].news,
        ServerNews::refused(after)
    );
    // It would take requests again, but has asked for a minute.
    yard.script.set_trouble(Trouble::None);
    let before = yard.script.asked("alice");
    yard.script.add("alice", vec![vec![toil("alice's")]]);
    w2.send_as_user("alice", "go on").await.unwrap();
    seconds(55).await;
    assert_eq!(
        yard.script.asked("alice"),
        before,
        "she waits as the lead does"
    );
    until(|| yard.toil.done().len() == 2).await;
    assert!(begun.elapsed() < Duration::from_secs(65));
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn in_an_outage_one_worker_probes_and_all_go_on_when_it_is_over() {
    let yard = Yard::new();
    let [w1, w2] = two(&yard).await;
    // What was accepted is no news any more.
    seconds(20).await;
    yard.script.set_trouble(Trouble::Away);
    yard.script.add("lead", vec![vec![toil("the lead's")]]);
    yard.script.add("alice", vec![vec![toil("alice's")]]);
    w1.send_as_user("lead", "go on").await.unwrap();
    w2.send_as_user("alice", "go on").await.unwrap();
    // Each has seen it for itself, and one has the claim.
    seconds(15).await;
    let before = yard.script.askers().len();
    seconds(60).await;
    let probes = yard.script.askers().split_off(before);
    let changes = probes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes <= 2, "one probes for half a minute: {probes:?}");
    assert!((7..=18).contains(&probes.len()), "{probes:?}");

    yard.script.set_trouble(Trouble::None);
    let over = Instant::now();
    until(|| yard.toil.done().len() == 2).await;
    assert!(
        over.elapsed() < Duration::from_secs(10),
        "{:?}",
        over.elapsed()
    );
    let told = yard.governors.all_news();
    assert_eq!(told.last().unwrap().news, ServerNews::Back);
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn another_worker_probes_when_the_one_with_the_claim_is_lost() {
    let yard = Yard::new();
    let [w1, w2] = two(&yard).await;
    seconds(20).await;
    yard.script.set_trouble(Trouble::Away);
    w1.send_as_user("lead", "go on").await.unwrap();
    seconds(10).await;
    yard.script.add("alice", vec![vec![toil("alice's")]]);
    w2.send_as_user("alice", "go on").await.unwrap();
    seconds(5).await;
    drop(w1);
    yard.script.set_trouble(Trouble::None);
    let lost = Instant::now();
    until(|| yard.toil.done() == ["alice's"]).await;
    let waited = lost.elapsed();
    assert!(
        waited < Duration::from_secs(40),
        "the claim ends: {waited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_requests_are_accepted_is_not_held_up_by_one_that_is_cut_off() {
    let yard = Yard::new();
    let [w1, w2] = two(&yard).await;
    yard.script.cut_off("lead");
    w1.send_as_user("lead", "go on").await.unwrap();
    until(|| !yard.governors.all_news().is_empty()).await;
    for round in 0..20 {
        let begun = Instant::now();
        yard.script.add("alice", vec![vec![toil("a step")]]);
        w2.send_as_user("alice", "go on").await.unwrap();
        until(|| yard.toil.done().len() == round + 1).await;
        assert!(begun.elapsed() < Duration::from_secs(1), "round {round}");
        seconds(1).await;
    }
}
