//! The user pauses the whole team, which stays open: nobody's model is asked, mail waits, and the pause outlives the host.

use std::time::Duration;

use teammate_core::{
    name::DeviceName,
    team::{Command, MemberPhase},
};

use super::stage::{Line, Stage, alice, spawn, toil, until};

/// Longer than any member takes for anything here.
const LONG: Duration = Duration::from_secs(1_000);

#[tokio::test(start_paused = true)]
async fn a_paused_team_asks_no_model_and_hears_no_mail_until_it_goes_on() {
    let stage = Stage::new();
    let host = stage.open().await;
    host.decide_as_user(Command::Pause(DeviceName::parse("phone").ok()))
        .await
        .unwrap();
    let team = host.team();
    let pause = team.pause().unwrap();
    assert_eq!(pause.in_words(), "paused by the user (phone)");
    stage.lines("lead", vec![toil("the work")]);
    host.send_as_user("lead", "go").await.unwrap();
    tokio::time::sleep(LONG).await;
    assert_eq!(stage.unsaid("lead"), 1, "its model was asked");
    assert_eq!(stage.unheard("lead").await, ["go"]);
    host.decide_as_user(Command::Continue(None)).await.unwrap();
    until(|| !stage.toil.done().is_empty()).await;
    host.wait_idle().await;
    assert_eq!(stage.toil.done(), ["the work"]);
    assert_eq!(stage.unheard("lead").await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_runs_ends_and_nothing_follows_until_another_process_lets_it_go_on() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("ten seconds"), toil("the rest")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    stage.decide_outside(Command::Pause(None)).await;
    until(|| stage.toil.running() == 0).await;
    tokio::time::sleep(LONG).await;
    assert_eq!(stage.toil.done(), ["ten seconds"]);
    stage.decide_outside(Command::Continue(None)).await;
    until(|| stage.toil.done().len() == 2).await;
    host.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn a_member_can_be_stopped_while_the_team_is_paused() {
    let stage = Stage::new();
    let host = stage.with_alice().await;
    host.wait_idle().await;
    host.decide_as_user(Command::Pause(None)).await.unwrap();
    host.shut_down("alice", LONG).await.unwrap();
    let team = host.team();
    let alice = team.member(&alice()).unwrap();
    assert_eq!(alice.phase, MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_pause_outlives_the_host_and_a_paused_team_can_be_closed() {
    let stage = Stage::new();
    let host = stage.open().await;
    host.decide_as_user(Command::Pause(None)).await.unwrap();
    stage.lines("lead", vec![spawn("alice"), Line::Say]);
    host.send_as_user("lead", "go").await.unwrap();
    tokio::time::sleep(LONG).await;
    host.close().await;
    let host = stage.open().await;
    tokio::time::sleep(LONG).await;
    assert!(host.team().pause().is_some());
    assert_eq!(stage.unsaid("lead"), 2, "its model was asked");
    host.decide_as_user(Command::Continue(None)).await.unwrap();
    until(|| stage.unsaid("lead") == 0).await;
    host.close().await;
}
