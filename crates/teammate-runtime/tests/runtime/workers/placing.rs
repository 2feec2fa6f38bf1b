//! Which worker a member is given to: by labels, and by how well it holds members.

use serde_json::{Value, json};
use teammate_core::transcript::Entry;
use teammate_core::{
    fold::Fold,
    team::{Command, PlaceCommand, SandboxLevel, WallDemand, Walls},
};
use teammate_store::clock::SystemClock;

use crate::workers::{
    script::toil,
    yard::{Offer, Yard, held, member, seconds, until},
};

fn spawn_on(name: &str, on: &[&str]) -> (&'static str, Value) {
    let input = json!({ "name": name, "prompt": "begin", "on": on });
    ("spawn_teammate", input)
}

fn held_by(sandbox: SandboxLevel) -> Offer {
    Offer {
        walls: Walls {
            sandbox,
            policy: None,
        },
        ..Offer::default()
    }
}

async fn demand(yard: &Yard, demand: WallDemand) {
    let journal = &*yard.store.journal;
    let (mut fold, _) = Fold::open(journal).await.unwrap();
    let command = Command::Place(PlaceCommand::Demand(demand));
    let written = fold.commit(journal, &SystemClock, &[command]).await;
    assert!(written.results.unwrap()[0].is_ok());
}

fn full() -> Walls {
    Walls {
        sandbox: SandboxLevel::Full,
        policy: None,
    }
}

/// What a member's calls came to, in order.
async fn outcomes(yard: &Yard, who: &str) -> Vec<String> {
    let entries = yard.entries(who).await;
    let outcomes = entries.into_iter().filter_map(|entry| match entry {
        Entry::ToolOutcomes(outcomes) => Some(format!("{outcomes:?}")),
        _ => None,
    });
    outcomes.collect()
}

#[tokio::test(start_paused = true)]
async fn a_member_waits_for_a_worker_with_its_label_and_the_lead_reads_so_at_once() {
    let yard = Yard::new();
    let labels = vec!["cpu"];
    let offer = Offer {
        labels,
        ..Offer::default()
    };
    let (w1, _) = yard.worker_with("w1", offer).await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let lines = vec![
        vec![spawn_on("alice", &["gpu"]), spawn_on("bob", &["cpu"])],
        vec![("list_teammates", json!({}))],
    ];
    yard.script.add("lead", lines);
    yard.script.add("alice", vec![vec![toil("on the gpu")]]);
    yard.script.add("bob", vec![vec![toil("on the cpu")]]);
    w1.send_as_user("lead", "train it").await.unwrap();
    until(|| yard.toil.done() == ["on the cpu"]).await;
    seconds(20).await;
    let team = w1.team();
    let alice = team.member(&member("alice")).unwrap();
    assert_eq!(
        team.describe(alice, &[].into()),
        "starting (no worker with gpu)"
    );
    let read = outcomes(&yard, "lead").await;
    assert!(
        read[0].contains("It does not run yet: no worker with gpu. It begins when such a worker is there. Labels now: cpu"),
        "{read:?}"
    );
    let read = read.concat();
    assert!(
        read.contains("alice (teammate): starting (no worker with gpu)"),
        "{read:?}"
    );
    assert!(read.contains("w1: cpu; 2 of 4 places taken"), "{read:?}");

    let labels = vec!["gpu"];
    let offer = Offer {
        labels,
        ..Offer::default()
    };
    let (w2, _) = yard.worker_with("w2", offer).await;
    until(|| yard.toil.done().len() == 2).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn a_label_that_only_a_lost_worker_has_is_one_that_nobody_has() {
    let yard = Yard::new();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let labels = vec!["gpu"];
    let offer = Offer {
        labels,
        ..Offer::default()
    };
    let (w2, _) = yard.worker_with("w2", offer).await;
    until(|| w1.team().places().workers().count() == 2).await;
    drop(w2);
    seconds(10).await;
    yard.script
        .add("lead", vec![vec![spawn_on("alice", &["gpu"])]]);
    w1.send_as_user("lead", "train it").await.unwrap();
    until(|| w1.team().member(&member("alice")).is_some()).await;
    seconds(1).await;
    let read = outcomes(&yard, "lead").await;
    assert!(read[0].contains("no worker with gpu"), "{read:?}");
    assert!(read[0].contains("No worker has a label now"), "{read:?}");
}

#[tokio::test(start_paused = true)]
async fn a_worker_below_the_demand_gets_nobody_and_gives_up_whom_it_has() {
    let yard = Yard::new();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    yard.script.add(
        "lead",
        vec![vec![toil("for ever")], vec![toil("within walls")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;

    // Nobody else can take the lead: what it runs ends, and nothing begins.
    demand(&yard, WallDemand::Exactly(full())).await;
    until(|| yard.toil.running() == 0).await;
    seconds(30).await;
    assert!(yard.toil.done().is_empty(), "{:?}", yard.toil.done());

    let (w2, _) = yard.worker_with("w2", held_by(SandboxLevel::Full)).await;
    until(|| yard.toil.done() == ["within walls"]).await;
    assert_eq!(held(&w2.team(), "lead").unwrap().0, "w2");
    w2.wait_idle().await;

    // The user loosens it.
    demand(&yard, WallDemand::Exactly(Walls::default())).await;
    drop(w2);
    yard.script.add("lead", vec![vec![toil("without walls")]]);
    until(|| held(&w1.team(), "lead").unwrap().0 == "w1").await;
    w1.send_as_user("lead", "go on").await.unwrap();
    until(|| yard.toil.done().len() == 2).await;
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn members_go_on_where_they_were_when_less_is_demanded_again() {
    let yard = Yard::new();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    yard.script.add(
        "lead",
        vec![vec![toil("for ever")], vec![toil("afterwards")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    demand(&yard, WallDemand::Exactly(full())).await;
    until(|| yard.toil.running() == 0).await;
    seconds(10).await;
    demand(&yard, WallDemand::Exactly(Walls::default())).await;
    until(|| yard.toil.done() == ["afterwards"]).await;
    w1.wait_idle().await;
    assert_eq!(
        held(&w1.team(), "lead").unwrap().1.0,
        1,
        "it was never moved"
    );
}
