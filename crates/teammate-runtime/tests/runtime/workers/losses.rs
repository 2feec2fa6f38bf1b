//! Workers that are lost or paused: their members go on elsewhere, and nothing is heard or begun twice.

use std::time::Duration;

use serde_json::json;
use teammate_core::{
    port::Mailbox as _,
    team::{JobEnd, Term},
    transcript::{Entry, check_terms},
};
use teammate_runtime::Host;
use teammate_testkit::memory::WireFault;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, member, seconds, until, worker},
};

#[tokio::test(start_paused = true)]
async fn a_member_of_a_lost_worker_goes_on_elsewhere() {
    let yard = Yard::new();
    let [w1, w2, w3] = yard.workers().await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    yard.script.add(
        "alice",
        vec![vec![toil("for ever")], vec![toil("after the loss")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    let lost = held(&w1.team(), "alice").unwrap().0;
    assert_ne!(lost, "w1", "the lead is there");
    let (dead, living) = match lost == "w2" {
        true => (w2, w3),
        false => (w3, w2),
    };
    drop(dead);
    living
        .send_as_user("alice", "are you there?")
        .await
        .unwrap();
    until(|| yard.toil.done() == ["after the loss"]).await;
    w1.wait_idle().await;

    let (now, term) = held(&w1.team(), "alice").unwrap();
    assert_ne!(now, lost);
    assert_eq!(term, Term(2));
    let heard = yard.heard("alice").await;
    assert_eq!(
        heard
            .iter()
            .filter(|text| *text == "are you there?")
            .count(),
        1,
        "{heard:?}"
    );
    assert_eq!(yard.unheard("alice").await, 0);
    let entries = yard.entries("alice").await;
    assert_eq!(check_terms(&entries), Ok(()));
    let outcomes = entries
        .iter()
        .filter(|entry| matches!(entry, Entry::ToolOutcomes(_)));
    assert_eq!(
        outcomes.count(),
        2,
        "the open call was answered once: {entries:#?}"
    );
    drop(living);
}

#[tokio::test(start_paused = true)]
async fn jobs_of_a_lost_worker_are_lost_and_those_of_others_run_on() {
    let yard = Yard::new();
    let [w1, w2, w3] = yard.workers().await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    for who in ["alice", "bob"] {
        let job = json!({ "prompt": "toil", "run_in_background": true });
        yard.script.add(who, vec![vec![("task", job)]]);
    }
    yard.script
        .add("sub", vec![vec![toil("for ever")], vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 2).await;
    let lost = held(&w1.team(), "alice").unwrap().0;
    let (dead, living) = match lost == "w2" {
        true => (w2, w3),
        false => (w3, w2),
    };
    drop(dead);
    let end_of = |who: &str| {
        let team = living.team();
        let job = team.jobs().all().find(|job| job.owner == member(who));
        job.unwrap().end.clone()
    };
    until(|| end_of("alice") == Some(JobEnd::Lost)).await;
    assert_eq!(end_of("bob"), None);
    assert_eq!(yard.toil.running(), 1);

    let look = json!({ "job": job_of(&living, "bob"), "wait_seconds": 1 });
    yard.script.add("lead", vec![vec![("task_output", look)]]);
    let stop = json!({ "job": job_of(&living, "bob") });
    yard.script.add("lead", vec![vec![("task_stop", stop)]]);
    w1.send_as_user("lead", "end bob's").await.unwrap();
    until(|| end_of("bob").is_some()).await;
    assert_eq!(yard.toil.running(), 0);
    w1.wait_idle().await;
}

fn job_of(host: &Host, who: &str) -> String {
    let team = host.team();
    let job = team.jobs().all().find(|job| job.owner == member(who));
    job.unwrap().id.to_string()
}

#[tokio::test(start_paused = true)]
async fn a_paused_worker_wakes_late_and_begins_nothing() {
    let yard = Yard::new();
    let (w1, _) = yard.worker("w1").await;
    until(|| w1.team().places().workers().count() == 1).await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    let (w2, stall) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| held(&w1.team(), "alice").is_some_and(|(at, _)| at == "w2")).await;
    w1.wait_idle().await;

    // In the middle of hearing mail, before it is in the transcript.
    stall.set(true);
    yard.script.add("alice", vec![vec![toil("once")]]);
    w1.send_as_user("alice", "do it").await.unwrap();
    seconds(1).await;
    yard.fleet.break_wire(&worker("w2"), WireFault::Paused);
    until(|| held(&w1.team(), "alice").is_some_and(|(at, _)| at == "w1")).await;
    until(|| yard.toil.done() == ["once"]).await;
    let before = yard.entries("alice").await;
    stall.set(false);
    yard.fleet.heal_wire(&worker("w2"));
    seconds(30).await;
    w1.wait_idle().await;

    let entries = yard.entries("alice").await;
    assert!(entries.starts_with(&before), "one history");
    assert_eq!(check_terms(&entries), Ok(()));
    assert_eq!(yard.toil.done(), ["once"]);
    let heard = yard.heard("alice").await;
    assert_eq!(
        heard.iter().filter(|text| *text == "do it").count(),
        1,
        "{heard:?}"
    );
    assert_eq!(w2.storage_failure(), None, "nothing is broken");
    assert_eq!(
        w2.team().places().worker(&worker("w2")).map(|_| ()),
        Some(())
    );
    assert!(w2.team().member(&member("alice")).is_some());
}

#[tokio::test(start_paused = true)]
async fn mail_that_the_holder_before_forgets_does_not_count_for_ever() {
    let yard = Yard::new();
    let [w1] = yard.workers().await;
    w1.wait_idle().await;
    w1.send_as_user("lead", "sent again").await.unwrap();
    // The holder before had heard it, and still empties the mailbox.
    let lead = member("lead");
    for batch in yard.store.mailbox.take(&lead).await.unwrap() {
        yard.store.mailbox.ack(&lead, batch.id).await.unwrap();
    }
    let rests = tokio::time::timeout(Duration::from_secs(60), w1.wait_idle()).await;
    assert!(rests.is_ok(), "it waits for mail that is nowhere");
    assert!(yard.heard("lead").await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn who_is_spawned_does_not_wait_for_an_answer_of_the_lead_that_ran_here_before() {
    let yard = Yard::new();
    let (w1, stall) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    // In the middle of the answer that spawns her.
    stall.set_mail(true);
    let letter = json!({ "to": "alice", "content": "a letter" });
    let answer = vec![spawn("alice"), ("send_message", letter)];
    yard.script.add("lead", vec![answer]);
    w2.send_as_user("lead", "go").await.unwrap();
    until(|| held(&w1.team(), "alice").is_some_and(|(at, _)| at == "w2")).await;
    seconds(1).await;
    yard.fleet.break_wire(&worker("w1"), WireFault::Paused);
    until(|| held(&w2.team(), "lead").is_some_and(|(at, _)| at == "w2")).await;
    yard.fleet.heal_wire(&worker("w1"));
    stall.set_mail(false);
    seconds(30).await;
    w2.wait_idle().await;

    w2.shut_down("alice", Duration::ZERO).await.unwrap();
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("on w1")]]);
    w2.send_as_user("lead", "again").await.unwrap();
    until(|| held(&w2.team(), "alice").is_some_and(|(at, _)| at == "w1")).await;
    until(|| yard.toil.done() == ["on w1"]).await;
    w2.wait_idle().await;
}
