//! What a lead or the user does to members on other workers.

use std::time::Duration;

use serde_json::json;
use teammate_core::{request::Answer, team::MemberPhase, transcript::EndReason};

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, member, until},
};

#[tokio::test(start_paused = true)]
async fn a_question_of_one_worker_is_answered_on_another_once() {
    let yard = Yard::asking();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("allowed")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.questions().len() == 1).await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");
    let question = w1.questions()[0].id;
    w1.answer(question, Answer::yes()).await.unwrap();
    until(|| yard.toil.done() == ["allowed"]).await;
    let again = w2.answer(question, Answer::yes()).await;
    assert!(again.is_err(), "it was answered");
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn the_user_interrupts_a_member_of_another_worker() {
    let yard = Yard::of_one_user();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");
    w1.interrupt(&member("alice")).await;
    until(|| {
        let team = w1.team();
        let alice = team.member(&member("alice")).unwrap();
        matches!(
            &alice.phase,
            MemberPhase::Idle {
                why: EndReason::Interrupted,
                ..
            }
        )
    })
    .await;
    assert_eq!(yard.toil.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_lead_shuts_a_teammate_of_another_worker_down() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| held(&w1.team(), "alice").is_some_and(|(at, _)| at == "w2")).await;
    w1.wait_idle().await;
    yard.script.add(
        "lead",
        vec![vec![("request_shutdown", json!({ "name": "alice" }))]],
    );
    w1.send_as_user("lead", "end her").await.unwrap();
    let phase = || w1.team().member(&member("alice")).unwrap().phase.clone();
    until(|| phase() == MemberPhase::Stopped).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice"), None);
    assert_eq!(w2.requests().len(), 0);

    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script
        .add("alice", vec![vec![toil("in a second life")]]);
    w1.send_as_user("lead", "wake her").await.unwrap();
    until(|| yard.toil.done() == ["in a second life"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_teammate_that_does_not_answer_is_stopped_by_its_worker() {
    let yard = Yard::of_one_user();
    let [w1, _w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    w1.shut_down("alice", Duration::from_secs(5)).await.unwrap();
    assert_eq!(yard.toil.running(), 0);
    w1.wait_idle().await;
}
