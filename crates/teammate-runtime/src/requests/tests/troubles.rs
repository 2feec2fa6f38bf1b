//! A journal and a mailbox that fail at the moment at which something should follow from a request.

use std::{sync::atomic::Ordering, time::Duration};

use serde_json::json;
use teammate_core::{request::Answer, team::MemberPhase};

use super::stage::{Line, Stage, alice, question, spawn, toil, until};
use crate::Host;

const FOR_EVER: Duration = Duration::from_secs(24 * 3600);

fn is_stopped(host: &Host) -> bool {
    let team = host.team();
    team.member(&alice()).unwrap().phase == MemberPhase::Stopped
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_member_also_if_the_journal_fails_just_then() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    let within = Duration::from_secs(2);
    host.request_shutdown("alice", within).await.unwrap();
    stage.fails.journal.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(10)).await;
    stage.fails.journal.store(false, Ordering::SeqCst);
    until(|| is_stopped(&host)).await;
    assert_eq!(stage.toil.running(), 0);
    tokio::time::timeout(FOR_EVER, host.wait_idle())
        .await
        .expect("it rests");
    let told = stage.heard("lead").await;
    assert!(
        told.iter()
            .any(|mail| mail.contains("alice was stopped at the deadline")),
        "{told:?}"
    );
}

/// Alice's plan waits for the user.
async fn planned(stage: &Stage) -> (Host, teammate_core::request::RequestId) {
    let plan = Line::Call("submit_plan", json!({ "plan": "toil" }));
    stage.lines("alice", vec![plan, Line::Say, toil("as planned")]);
    let host = stage.with_alice().await;
    let request = question(&host).await;
    host.wait_idle().await;
    (host, request)
}

#[tokio::test(start_paused = true)]
async fn an_answer_wakes_also_if_the_mailbox_fails_for_a_moment() {
    let stage = Stage::approving();
    let (host, request) = planned(&stage).await;
    stage.fails.mailbox.store(true, Ordering::SeqCst);
    host.answer(request, Answer::yes()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    stage.fails.mailbox.store(false, Ordering::SeqCst);
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["as planned"]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_longer_than_mail_may_be_is_cut_and_heard() {
    let stage = Stage::approving();
    let (host, request) = planned(&stage).await;
    let answer = Answer::Approve {
        note: "Mind the gap. ".repeat(20_000),
        mode: None,
        always: None,
    };
    host.answer(request, answer).await.unwrap();
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["as planned"]);
    let heard = stage.heard("alice").await;
    assert!(
        heard
            .iter()
            .any(|mail| mail.contains("Mind the gap.") && mail.contains("(cut: "))
    );
}

#[tokio::test(start_paused = true)]
async fn the_lead_hears_once_that_bugs_have_ended_a_member_and_a_spawn_wakes_it() {
    let stage = Stage::new();
    stage.fails.teammates.store(true, Ordering::SeqCst);
    let host = stage.with_alice().await;
    tokio::time::timeout(FOR_EVER, host.wait_idle())
        .await
        .expect("nobody waits for her");
    let team = host.team();
    let why = &team.member(&alice()).unwrap().phase;
    assert!(why.describe().starts_with("failed: a bug: "), "{why:?}");
    let told = stage.heard("lead").await;
    let notices = told
        .iter()
        .filter(|mail| mail.contains("alice failed and was stopped: a bug: "));
    assert_eq!(notices.count(), 1, "{told:?}");

    stage.fails.teammates.store(false, Ordering::SeqCst);
    stage.lines("lead", vec![spawn("alice")]);
    stage.lines("alice", vec![toil("at last")]);
    host.send_as_user("lead", "again").await.unwrap();
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["at last"]);
}

#[tokio::test(start_paused = true)]
async fn a_mailbox_that_cannot_be_read_in_a_turn_keeps_nobody_spinning() {
    let stage = Stage::new();
    stage.fails.next_look.store(true, Ordering::SeqCst);
    stage.lines("alice", vec![toil("ten seconds")]);
    let host = stage.with_alice().await;
    // Time goes on here also while somebody spins.
    for _ in 0..15_000 {
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    assert_eq!(stage.toil.done(), ["ten seconds"]);
    let changes = *host.base.activity.changes().borrow();
    assert!(changes < 1_000, "{changes} changes in a turn of one call");
}
