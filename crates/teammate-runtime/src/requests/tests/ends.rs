//! Members that are shut down while something else happens to them.

use std::time::Duration;

use teammate_core::{
    Incarnation, MemberName,
    port::{Caller, SpawnArgs},
    request::{Answer, Principal, RequestKind, RequestState},
    team::{Command, MemberOptions, MemberPhase, Spawn},
    transcript::EndReason,
};
use tokio::time::Instant;

use super::stage::{Stage, alice, question, toil, until};
use crate::Host;

/// With alice at a tool that never ends, who has agreed to shut down within five minutes.
async fn agreed(stage: &Stage) -> Host {
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    let within = Duration::from_secs(300);
    host.request_shutdown("alice", within).await.unwrap();
    let request = question(&host).await;
    let by = Principal::member(&alice(), Incarnation::FIRST);
    let answer = host.requests.answer(
        (request, None),
        Some(RequestKind::Shutdown),
        (by, None),
        Answer::yes(),
    );
    answer.await.unwrap();
    host
}

fn phase(host: &Host) -> MemberPhase {
    host.team().member(&alice()).unwrap().phase.clone()
}

#[tokio::test(start_paused = true)]
async fn the_shorter_of_two_shutdown_deadlines_counts() {
    let stage = Stage::new();
    let host = agreed(&stage).await;
    let begun = Instant::now();
    host.shut_down("alice", Duration::ZERO).await.unwrap();
    assert_eq!(phase(&host), MemberPhase::Stopped);
    assert_eq!(stage.toil.running(), 0, "stopped, and its tool runs on");
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    host.wait_idle().await;
    let told = stage.heard("lead").await;
    let ends = told.iter().filter(|mail| mail.contains("is stopped"));
    assert_eq!(ends.count(), 1, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_closing_team_finishes_pending_shutdowns() {
    let stage = Stage::new();
    let host = agreed(&stage).await;
    host.close().await;
    assert_eq!(stage.toil.running(), 0);
    let host = stage.open().await;
    host.wait_idle().await;
    assert_eq!(phase(&host), MemberPhase::Stopped, "it had agreed");
}

#[tokio::test(start_paused = true)]
async fn a_spawn_waits_until_the_last_incarnation_has_ended() {
    let stage = Stage::new();
    let host = agreed(&stage).await;
    let caller = Caller {
        name: MemberName::lead(),
        incarnation: Incarnation::FIRST,
        call: "again".into(),
        sources: Default::default(),
        subagent: None,
    };
    let ask = SpawnArgs {
        name: "alice".to_owned(),
        role: Some("coder".to_owned()),
        prompt: "begin again".to_owned(),
        options: MemberOptions::default(),
        fresh: true,
    };
    let spawned = host.team_service.spawn(&caller, ask).await;
    assert_eq!(spawned.unwrap().name, alice());
    assert_eq!(stage.toil.running(), 0);
    host.wait_idle().await;
    let team = host.team();
    let known = team.member(&alice()).unwrap();
    assert_eq!(known.incarnation, Incarnation(2));
    assert!(matches!(known.phase, MemberPhase::Idle { .. }), "{known:?}");
}

#[tokio::test(start_paused = true)]
async fn a_failed_member_is_shut_down_without_a_deadline() {
    let stage = Stage::new();
    let host = stage.open().await;
    // As when its loop could not begin.
    decide(&host, spawn()).await;
    let rest = Command::EndTurn {
        member: alice(),
        incarnation: Incarnation::FIRST,
        why: EndReason::Failed {
            what: "no place to work".to_owned(),
        },
        turn: None,
        result: String::new(),
    };
    decide(&host, rest).await;
    let begun = Instant::now();
    host.shut_down("alice", Duration::from_secs(600))
        .await
        .unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(phase(&host), MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_member_stopped_before_its_start_does_not_start() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("late")]);
    let host = stage.open().await;
    decide(&host, spawn()).await;
    host.shut_down("alice", Duration::ZERO).await.unwrap();
    // The spawn continues.
    assert!(
        host.members
            .start(&alice(), crate::members::StartKind::Anew)
            .await
            .is_ok()
    );
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), Vec::<String>::new());
    assert_eq!(phase(&host), MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_program_does_not_end_the_next_one() {
    let stage = Stage::new();
    let host = stage.open().await;
    // The program is killed before it has heard.
    drop(host);
    // With all of its time to come.
    stage
        .ask_to_pause("user/stop", Duration::from_secs(600))
        .await;
    let host = stage.open().await;
    tokio::select! {
        () = host.close_requested() => panic!("it ends before it has begun"),
        () = host.wait_idle() => {}
    }
    let team = host.team();
    let request = team.requests().made_by(&"user/stop".into()).unwrap();
    assert!(
        matches!(request.state, RequestState::Cancelled { .. }),
        "{request:?}"
    );
}

fn spawn() -> Command {
    Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: "spawn".into(),
        member: alice(),
        role: "coder".to_owned(),
        prompt: "begin".to_owned(),
        options: MemberOptions::default(),
        ceiling: teammate_core::permission::Mode::Bypass,
        fresh: false,
    })
}

async fn decide(host: &Host, command: Command) {
    host.base.ledger.decide(command).await.unwrap();
}
