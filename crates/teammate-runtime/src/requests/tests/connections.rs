//! Questions about hosts: they outlive the connection that waits, and nothing else.

use teammate_core::request::{Answer, RequestId, RequestState};

use super::stage::{Stage, toil, until};
use crate::Host;

/// The open question about this tool, once there is one.
async fn question_about(host: &Host, tool: &str) -> RequestId {
    let find = || {
        let is_it = |request: &RequestId| {
            let team = host.team();
            let request = team.requests().get(*request).unwrap();
            request.permission().is_some_and(|ask| ask.tool == tool)
        };
        let open = host.requests();
        let mut ids = open.iter().map(|request| request.id);
        ids.find(is_it)
    };
    until(|| find().is_some()).await;
    find().unwrap()
}

async fn yes(host: &Host, tool: &str) {
    let request = question_about(host, tool).await;
    host.answer(request, Answer::yes()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_yes_that_comes_late_counts_once_for_the_next_try() {
    let stage = Stage::asking();
    let connects = || toil("connect a.example");
    stage.lines("alice", vec![connects(), connects(), connects()]);
    let host = stage.with_alice().await;
    yes(&host, "toil").await;
    until(|| stage.toil.done() == ["Unanswered"]).await;
    let asked = question_about(&host, "net").await;

    // The next call waits for the same question.
    yes(&host, "toil").await;
    until(|| stage.toil.running() == 1).await;
    assert_eq!(question_about(&host, "net").await, asked);
    host.answer(asked, Answer::yes()).await.unwrap();
    until(|| stage.toil.done().len() == 2).await;
    assert_eq!(stage.toil.done()[1], "Allowed(Public)");

    // And the one after it asks anew.
    yes(&host, "toil").await;
    let anew = question_about(&host, "net").await;
    assert_ne!(anew, asked);
    let no = Answer::Reject {
        because: "not that".to_owned(),
    };
    host.answer(anew, no).await.unwrap();
    host.wait_idle().await;
    assert_eq!(
        stage.toil.done()[2],
        "Refused(\"the user denied it (not that)\")"
    );
}

#[tokio::test(start_paused = true)]
async fn a_command_that_asked_has_begun_and_is_not_run_again_when_the_program_has_died() {
    let stage = Stage::asking();
    stage.lines("alice", vec![toil("connect a.example")]);
    let host = stage.with_alice().await;
    yes(&host, "toil").await;
    let asked = question_about(&host, "net").await;
    drop(host);

    let host = stage.open().await;
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), [""; 0]);
    let team = host.team();
    let state = &team.requests().get(asked).unwrap().state;
    assert!(matches!(state, RequestState::Cancelled { .. }), "{state:?}");
}
