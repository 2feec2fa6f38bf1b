//! Nothing stays open because a worker is silent: shutdowns end by force, and who requires a plan is not kept waiting.

use std::time::Duration;

use serde_json::{Value, json};
use teammate_core::{permission::Mode, team::MemberPhase};
use teammate_testkit::memory::WireFault;
use tokio::time::Instant;

use crate::workers::{
    script::toil,
    yard::{Offer, Yard, held, member, seconds, until, worker},
};

fn spawn_on_gpu() -> (&'static str, Value) {
    let input = json!({ "name": "alice", "prompt": "begin", "on": "gpu" });
    ("spawn_teammate", input)
}

fn gpu() -> Offer {
    Offer {
        labels: vec!["gpu"],
        ..Offer::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_member_of_a_silent_worker_that_nobody_can_take_is_stopped_by_force() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker_with("w2", gpu()).await;
    yard.script.add("lead", vec![vec![spawn_on_gpu()]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    drop(w2);
    let begun = Instant::now();
    w1.shut_down("alice", Duration::from_secs(5)).await.unwrap();
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(15), "{took:?}");
    let team = w1.team();
    assert_eq!(
        team.member(&member("alice")).unwrap().phase,
        MemberPhase::Stopped
    );
    assert_eq!(held(&team, "alice"), None);
    w1.wait_idle().await;
    let heard = yard.heard("lead").await;
    let told = heard
        .iter()
        .filter(|text| text.contains("its worker 'w2' does not answer"));
    assert_eq!(told.count(), 1, "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_wakes_up_ends_whom_others_stopped_by_force() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker_with("w2", gpu()).await;
    yard.script.add("lead", vec![vec![spawn_on_gpu()]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    // It reads the journal no more, either.
    yard.fleet.break_wire(&worker("w2"), WireFault::CutOff);
    w1.shut_down("alice", Duration::from_secs(5)).await.unwrap();
    yard.fleet.heal_wire(&worker("w2"));
    until(|| yard.toil.running() == 0).await;
    w1.wait_idle().await;
    assert!(w2.team().member(&member("alice")).unwrap().phase == MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn the_next_lead_ends_what_the_last_one_left_open() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker_with("w2", gpu()).await;
    let (w3, _) = yard.worker("w3").await;
    until(|| w1.team().places().workers().count() == 3).await;
    yard.script.add("lead", vec![vec![spawn_on_gpu()]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    drop(w2);
    w1.request_shutdown("alice", Duration::from_secs(20))
        .await
        .unwrap();
    drop(w1);
    until(|| held(&w3.team(), "lead").is_some_and(|(at, _)| at == "w3")).await;
    until(|| held(&w3.team(), "alice").is_none()).await;
    w3.wait_idle().await;
    assert_eq!(w3.requests().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_worker_shuts_down_at_once() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    yard.script.add("lead", vec![vec![spawn_on_gpu()]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.team().member(&member("alice")).is_some()).await;
    seconds(2).await;
    let begun = Instant::now();
    w1.shut_down("alice", Duration::from_secs(60))
        .await
        .unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_is_required_of_a_member_of_a_silent_worker_does_not_wait_for_ever() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker_with("w2", gpu()).await;
    yard.script.add("lead", vec![vec![spawn_on_gpu()]]);
    let job = json!({ "prompt": "toil", "run_in_background": true });
    yard.script.add("alice", vec![vec![("task", job)]]);
    yard.script.add("sub", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(w1.mode(), Mode::Bypass);
    drop(w2);
    let begun = Instant::now();
    let required = w1.require_plan("alice", "how to train").await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(40));
    assert!(required.ended.is_empty(), "{required:?}");
    assert_eq!(required.unseen.len(), 1, "{required:?}");
}
