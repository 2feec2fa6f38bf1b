//! What a member's driver had done when it was lost, stopped or replaced is shown and counted all the same.

use std::time::Duration;

use serde_json::json;
use teammate_core::{team::TeamEvent, transcript::Entry};
use teammate_runtime::Host;

use crate::workers::{
    script::{spawn, toil},
    stalls::Stall,
    yard::{Yard, held, member, seconds, until},
};

/// A worker that holds the lead, and one that holds alice, who has ended her first turn.
async fn with_alice(yard: &Yard, first: &'static str) -> (Host, Host, Stall) {
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, stall) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil(first)]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done() == [first]).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");
    (w1, w2, stall)
}

async fn ends_heard(yard: &Yard) -> usize {
    let heard = yard.heard("lead").await;
    heard.iter().filter(|text| *text == "That is all.").count()
}

async fn last_outcome(yard: &Yard, who: &str) -> String {
    let entries = yard.entries(who).await;
    let last = entries.iter().rev().find_map(|entry| match entry {
        Entry::ToolOutcomes(outcomes) => Some(&outcomes[0].1),
        _ => None,
    });
    last.unwrap().text()
}

#[tokio::test(start_paused = true)]
async fn a_turn_counts_whose_end_was_not_recorded_before_a_stop_by_force() {
    let yard = Yard::new();
    let (w1, stall) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    stall.refuse(Some(
        |event| matches!(event, TeamEvent::TurnEnded { member, .. } if !member.is_lead()),
    ));
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("once")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done() == ["once"]).await;
    seconds(1).await;
    let recovers = async {
        seconds(10).await;
        stall.refuse(None);
    };
    let (stopped, ()) = tokio::join!(w1.shut_down("alice", Duration::ZERO), recovers);
    stopped.unwrap();
    w1.wait_idle().await;
    assert_eq!(w1.team().spending().member(&member("alice")).turns, 1);
    assert_eq!(ends_heard(&yard).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_told_whose_notice_was_not_sent_before_the_next_life() {
    let yard = Yard::new();
    let (w1, _w2, stall) = with_alice(&yard, "rest 1").await;
    stall.set_mail(true);
    yard.script.add("alice", vec![vec![toil("rest 2")]]);
    w1.send_as_user("alice", "once more").await.unwrap();
    until(|| yard.toil.done().len() == 2).await;
    until(|| w1.team().spending().member(&member("alice")).turns == 2).await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    w1.send_as_user("lead", "again").await.unwrap();
    seconds(10).await;
    stall.set_mail(false);
    w1.wait_idle().await;
    assert_eq!(ends_heard(&yard).await, 3);
}

#[tokio::test(start_paused = true)]
async fn a_member_begins_when_its_transcript_can_be_read_again() {
    let yard = Yard::new();
    let (w1, _w2, stall) = with_alice(&yard, "once").await;
    w1.wait_idle().await;
    stall.set_unreadable(true);
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("again")]]);
    w1.send_as_user("lead", "again").await.unwrap();
    seconds(10).await;
    assert_eq!(yard.toil.done(), ["once"]);
    stall.set_unreadable(false);
    until(|| yard.toil.done() == ["once", "again"]).await;
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn a_letter_was_sent_whose_call_runs_again_after_its_reader_was_stopped() {
    let yard = Yard::new();
    let (w1, w2, stall) = with_alice(&yard, "once").await;
    let (w3, _) = yard.worker("w3").await;
    until(|| w1.team().places().workers().count() == 3).await;
    yard.script.add("lead", vec![vec![spawn("bob")]]);
    let letter = json!({ "to": "bob", "content": "a letter" });
    w1.send_as_user("lead", "go on").await.unwrap();
    until(|| held(&w1.team(), "bob").is_some()).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "bob").unwrap().0, "w3");

    stall.set_mail(true);
    yard.script
        .add("alice", vec![vec![("send_message", letter)]]);
    w1.send_as_user("alice", "write to bob").await.unwrap();
    seconds(1).await;
    // The letter is on its way; what came of it is never written.
    stall.set(true);
    stall.set_mail(false);
    seconds(1).await;
    assert_eq!(yard.heard("bob").await.last().unwrap(), "a letter");
    w1.shut_down("bob", Duration::ZERO).await.unwrap();
    drop(w2);
    until(|| held(&w1.team(), "alice").is_some_and(|(at, _)| at != "w2")).await;
    w1.wait_idle().await;
    assert_eq!(last_outcome(&yard, "alice").await, "Sent message to bob");
    drop(w3);
}

#[tokio::test(start_paused = true)]
async fn a_broadcast_that_runs_again_counts_who_was_stopped_meanwhile() {
    let yard = Yard::new();
    let (w1, stall) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker("w2").await;
    let (w3, _) = yard.worker("w3").await;
    until(|| w1.team().places().workers().count() == 3).await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| held(&w1.team(), "bob").is_some()).await;
    w1.wait_idle().await;

    stall.set_mail(true);
    let words = json!({ "content": "to all" });
    yard.script.add("lead", vec![vec![("broadcast", words)]]);
    w2.send_as_user("lead", "say so").await.unwrap();
    seconds(1).await;
    stall.set(true);
    stall.set_mail(false);
    seconds(1).await;
    assert_eq!(yard.heard("bob").await.last().unwrap(), "to all");
    w2.shut_down("bob", Duration::ZERO).await.unwrap();
    drop(w1);
    until(|| held(&w2.team(), "lead").is_some_and(|(at, _)| at != "w1")).await;
    w2.wait_idle().await;
    assert_eq!(
        last_outcome(&yard, "lead").await,
        "Broadcast to 2 teammates"
    );
    drop(w3);
}

#[tokio::test(start_paused = true)]
async fn the_board_is_reported_once_the_journal_takes_it_again() {
    let yard = Yard::of_one_user();
    let (w1, stall) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, _) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    stall.refuse(Some(|event| {
        matches!(event, TeamEvent::BoardReported { .. })
    }));
    // Alice takes it, and ends her turn without doing it.
    let task = json!({ "subject": "a task" });
    let lines = vec![vec![spawn("alice"), ("create_task", task)]];
    yard.script.add("lead", lines);
    w1.send_as_user("lead", "go").await.unwrap();
    seconds(30).await;
    assert!(w1.team().is_board_notice_due());
    stall.refuse(None);
    let rest = async {
        w1.wait_idle().await;
        w2.wait_idle().await;
    };
    let rests = tokio::time::timeout(Duration::from_secs(60), rest).await;
    assert!(rests.is_ok(), "the team never rests");
    assert!(!w2.team().is_board_notice_due());
}
