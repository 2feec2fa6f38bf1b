//! The whole team is stopped from another terminal: no member is stopped by that, and nothing is lost.

use std::time::Duration;

use serde_json::json;
use teammate_core::{
    request::{Answer, RequestState},
    team::MemberPhase,
    transcript::Entry,
};
use tokio::time::Instant;

use super::stage::{Line, Stage, alice, question, toil, until};
use crate::Host;

fn phase(host: &Host) -> MemberPhase {
    host.team().member(&alice()).unwrap().phase.clone()
}

/// Waits until the team asks to be closed; how long that took.
async fn paused(host: &Host) -> Duration {
    let begun = Instant::now();
    host.close_requested().await;
    begun.elapsed()
}

#[tokio::test(start_paused = true)]
async fn a_member_ends_its_step_and_goes_on_when_the_team_is_opened_again() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("ten seconds"), toil("the rest")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    stage.ask_to_pause("stop", Duration::from_secs(600)).await;
    let took = paused(&host).await;
    assert!(took < Duration::from_secs(20), "{took:?}");
    host.close().await;
    assert_eq!(stage.toil.done(), ["ten seconds"], "its step, and no other");
    let host = stage.open().await;
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["ten seconds", "the rest"]);
    assert!(matches!(phase(&host), MemberPhase::Idle { .. }));
    let told = stage.told("lead").await;
    assert!(!told.iter().any(|mail| mail.contains("stop")), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_step_that_does_not_end_is_cut_at_the_deadline_or_at_once_and_its_task_stays() {
    for within in [Duration::from_secs(5), Duration::ZERO] {
        let stage = Stage::new();
        let task = json!({ "subject": "toil" });
        let claim = Line::Call("claim_task", json!({ "task_id": 1 }));
        stage.lines("lead", vec![Line::Call("create_task", task)]);
        stage.lines("alice", vec![claim, toil("for ever")]);
        let host = stage.open().await;
        stage.lines("lead", vec![super::stage::spawn("alice")]);
        host.send_as_user("lead", "go").await.unwrap();
        until(|| stage.toil.running() == 1).await;
        stage.ask_to_pause("stop", within).await;
        let took = paused(&host).await;
        assert!(took <= within + Duration::from_secs(1), "{took:?}");
        host.close().await;
        assert_eq!(stage.toil.running(), 0);
        let host = stage.open().await;
        let team = host.team();
        let held = team.board().task_of(&alice());
        assert_eq!(held.map(|task| task.id.number()), Some(1));
        assert_ne!(phase(&host), MemberPhase::Stopped);
        host.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_the_person_or_the_others_is_not_waited_for() {
    let stage = Stage::asking();
    stage.lines("alice", vec![toil("asked")]);
    stage.lines("lead", vec![super::stage::spawn("alice")]);
    stage.lines("lead", vec![Line::Call("wait_for_team", json!({}))]);
    let host = stage.open().await;
    host.send_as_user("lead", "go").await.unwrap();
    let asked = question(&host).await;
    stage.ask_to_pause("stop", Duration::from_secs(600)).await;
    let took = paused(&host).await;
    assert!(took < Duration::from_secs(10), "{took:?}");
    host.close().await;
    // The question is as open as before, and a yes lets its call run.
    let host = stage.open().await;
    until(|| host.requests().iter().any(|open| open.id == asked)).await;
    host.answer(asked, Answer::yes()).await.unwrap();
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["asked"]);
}

#[tokio::test(start_paused = true)]
async fn team_stops_of_an_older_program_stop_no_member() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    drop(host);
    stage
        .ask_to_pause("user/stop", Duration::from_secs(600))
        .await;
    let within = Duration::from_secs(600);
    stage
        .ask_to_stop(&alice(), "all/req_000001/alice", within)
        .await;
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.open().await;
    until(|| host.requests().is_empty()).await;
    tokio::time::sleep(Duration::from_secs(1_000)).await;
    assert_eq!(phase(&host), MemberPhase::Working);
    let team = host.team();
    for call in ["user/stop", "all/req_000001/alice"] {
        let request = team.requests().made_by(&call.into()).unwrap();
        assert!(
            matches!(request.state, RequestState::Cancelled { .. }),
            "{request:?}"
        );
    }
    host.close().await;
}

#[tokio::test(start_paused = true)]
async fn after_a_kill_nobody_hears_that_the_team_stands_still_while_it_does_not() {
    let stage = Stage::new();
    let task = Line::Call("create_task", json!({ "subject": "toil" }));
    stage.lines("lead", vec![task, super::stage::spawn("alice")]);
    let claim = Line::Call("claim_task", json!({ "task_id": 1 }));
    stage.lines("alice", vec![claim, toil("for ever")]);
    let host = stage.open().await;
    host.send_as_user("lead", "go").await.unwrap();
    until(|| stage.toil.running() == 1).await;
    drop(host);
    let before = stage.told("lead").await;
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.prepare().await;
    // A program shows this and that before its members begin.
    tokio::time::sleep(Duration::from_secs(1)).await;
    host.start().await.unwrap();
    until(|| stage.toil.running() == 1).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.told("lead").await, before);
    host.close().await;
}

#[tokio::test(start_paused = true)]
async fn after_agreeing_to_shut_down_nothing_of_the_same_answer_runs() {
    let stage = Stage::new();
    let agree = json!({ "request_id": "req_000001", "approve": true });
    let late = json!({ "what": "late" });
    let both = Line::Calls(vec![("respond_shutdown", agree), ("toil", late)]);
    stage.lines("alice", vec![toil("ten seconds"), both]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    host.shut_down("alice", Duration::from_secs(600))
        .await
        .unwrap();
    assert_eq!(stage.toil.done(), ["ten seconds"]);
    let entries = stage.entries("alice").await;
    let told = entries.iter().any(|entry| match entry {
        Entry::ToolOutcomes(outcomes) => outcomes.iter().any(|(_, outcome)| {
            outcome
                .text()
                .contains("Not run: you have agreed to shut down")
        }),
        _ => false,
    });
    assert!(told, "{entries:?}");
}

/// What the lead reads of alice's end: outcomes and mail.
async fn told_of_end(stage: &Stage) -> Vec<String> {
    let entries = stage.entries("lead").await;
    let mut told = Vec::new();
    for entry in entries {
        match entry {
            Entry::ToolOutcomes(outcomes) => {
                told.extend(outcomes.into_iter().map(|(_, outcome)| outcome.text()));
            }
            Entry::Heard(mail) => told.extend(mail.into_iter().map(|mail| mail.content)),
            _ => {}
        }
    }
    told.retain(|text| text.contains("shut down") || text.contains("stopped"));
    told
}

#[tokio::test(start_paused = true)]
async fn one_shutdown_gives_one_notice() {
    let shutdown = || Line::Call("request_shutdown", json!({ "name": "alice" }));
    // An idle one: the outcome of the call reports it.
    let stage = Stage::new();
    let host = stage.with_alice().await;
    host.wait_idle().await;
    stage.lines("lead", vec![shutdown()]);
    host.send_as_user("lead", "stop her").await.unwrap();
    host.wait_idle().await;
    let told = told_of_end(&stage).await;
    assert_eq!(told, ["'alice' is stopped (req_000001, it agreed)."]);
    // One that works: the mail that follows its end.
    let stage = Stage::new();
    let agree = json!({ "request_id": "req_000001", "approve": true, "reason": "all is saved" });
    stage.lines(
        "alice",
        vec![toil("ten seconds"), Line::Call("respond_shutdown", agree)],
    );
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    stage.lines("lead", vec![shutdown()]);
    host.send_as_user("lead", "stop her").await.unwrap();
    host.wait_idle().await;
    let told = told_of_end(&stage).await;
    let ends: Vec<_> = told.iter().filter(|text| text.contains("agreed")).collect();
    assert_eq!(ends.len(), 1, "{told:?}");
    assert!(
        ends[0].starts_with("alice agreed to shut down and is stopped: all is saved."),
        "{told:?}"
    );
}
