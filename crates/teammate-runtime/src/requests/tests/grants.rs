//! Permission that is asked for by a program that dies, and given by another.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use teammate_core::{
    request::{Answer, Principal, RequestCommand, RequestId, RequestState},
    team::Command,
};
use teammate_store::clock::SystemClock;

use super::stage::{Line, Stage, question, toil, until};
use crate::{Host, ledger::Ledger};

/// The user approves in another terminal: another process, which knows only the journal.
async fn yes_from_outside(stage: &Stage, request: RequestId) {
    let clock = Arc::new(SystemClock);
    let (ledger, _news, _) = Ledger::open(stage.journal(), clock.clone()).await.unwrap();
    let answer = RequestCommand::Answer {
        request,
        expects: None,
        saw: None,
        by: Principal::User,
        answer: Answer::yes(),
        device: None,
        at: teammate_core::port::Clock::now(&*clock),
    };
    ledger.decide(Command::Request(answer)).await.unwrap();
    ledger.abort();
}

fn state(host: &Host, request: RequestId) -> RequestState {
    host.team().requests().get(request).unwrap().state.clone()
}

#[tokio::test(start_paused = true)]
async fn a_question_outlives_its_program_and_a_yes_lets_the_call_run_once() {
    for answered_meanwhile in [false, true] {
        let stage = Stage::asking();
        stage.lines("alice", vec![toil("the work")]);
        let host = stage.with_alice().await;
        let request = question(&host).await;
        drop(host);
        if answered_meanwhile {
            yes_from_outside(&stage, request).await;
        }
        let host = stage.open().await;
        if !answered_meanwhile {
            until(|| host.requests.is_followed(request)).await;
            assert_eq!(question(&host).await, request, "the same question");
            assert!(stage.toil.done().is_empty());
            yes_from_outside(&stage, request).await;
        }
        host.wait_idle().await;
        assert_eq!(stage.toil.done(), ["the work"]);
        drop(host);
        let host = stage.open().await;
        host.wait_idle().await;
        assert_eq!(stage.toil.done(), ["the work"], "and never again");
        let RequestState::Approved(approval) = state(&host, request) else {
            panic!("{:?}", state(&host, request))
        };
        assert!(approval.is_used);
    }
}

#[tokio::test(start_paused = true)]
async fn a_subagent_that_died_with_its_question_is_not_begun_again() {
    let stage = Stage::asking();
    let sub = json!({ "description": "sub", "prompt": "do both" });
    stage.lines("alice", vec![Line::Call("task", sub)]);
    stage.lines(
        "sub",
        vec![toil("one"), toil("two"), Line::Say, toil("one")],
    );
    let host = stage.with_alice().await;
    let first = question(&host).await;
    host.answer(first, Answer::yes()).await.unwrap();
    until(|| stage.toil.done() == ["one"]).await;
    let second = question(&host).await;
    assert_ne!(second, first);
    drop(host);
    let host = stage.open().await;
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["one"]);
    assert_eq!(stage.unsaid("sub"), 2, "it was begun again");
    assert!(
        host.requests().is_empty(),
        "nobody waits for this answer: {:?}",
        host.requests()
    );
}

#[tokio::test(start_paused = true)]
async fn the_leads_own_question_has_a_deadline() {
    let stage = Stage::asking();
    stage.lines("lead", vec![toil("the work")]);
    let host = stage.open().await;
    host.send_as_user("lead", "go").await.unwrap();
    let request = question(&host).await;
    let begun = tokio::time::Instant::now();
    host.wait_idle().await;
    assert_eq!(state(&host, request), RequestState::Expired);
    assert!(
        begun.elapsed() <= Duration::from_secs(61),
        "{:?}",
        begun.elapsed()
    );
    assert!(stage.toil.done().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_question_also_if_the_journal_fails_just_then() {
    let stage = Stage::asking();
    stage.lines("alice", vec![toil("the work")]);
    let host = stage.with_alice().await;
    let request = question(&host).await;
    let fails = |it| {
        stage
            .fails
            .journal
            .store(it, std::sync::atomic::Ordering::SeqCst);
    };
    fails(true);
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(
        state(&host, request),
        RequestState::Pending,
        "nothing can be noted"
    );
    fails(false);
    until(|| state(&host, request) == RequestState::Expired).await;
    host.wait_idle().await;
    assert!(stage.toil.done().is_empty());
}
