//! Workers that end in other ways than by a loss: refused, closed, with the whole team; and the lead's own worker.

use std::time::Duration;

use teammate_core::{
    Incarnation,
    cause::Cause,
    fold::Fold,
    port::Clock as _,
    request::{Answer, Principal, RequestCommand},
    team::{Command, Term, WorkerStop},
};
use teammate_store::clock::SystemClock;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, member, seconds, until},
};

#[tokio::test(start_paused = true)]
async fn the_lead_goes_on_when_its_worker_is_lost() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script.add(
        "lead",
        vec![
            vec![spawn("alice")],
            vec![toil("for ever")],
            vec![toil("on w2")],
        ],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w2.team(), "lead").unwrap().0, "w1");
    drop(w1);
    until(|| yard.toil.done() == ["on w2"]).await;
    w2.wait_idle().await;
    assert_eq!(held(&w2.team(), "lead").unwrap().0, "w2");
    assert_eq!(
        w2.team().places().steward().unwrap().worker.to_string(),
        "w2"
    );
}

#[tokio::test(start_paused = true)]
async fn a_second_worker_of_a_name_is_refused_while_the_first_lives() {
    let yard = Yard::new();
    let [w1] = yard.workers().await;
    let (double, _) = yard.worker("w1").await;
    let why = double.stopped_as_worker().await;
    assert!(matches!(why, WorkerStop::Refused(_)), "{why:?}");
    yard.script.add("lead", vec![vec![toil("on the first")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done() == ["on the first"]).await;
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_is_started_again_goes_on_with_what_it_held() {
    let yard = Yard::new();
    let [w1] = yard.workers().await;
    yard.script.add(
        "lead",
        vec![vec![toil("for ever")], vec![toil("in its next life")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    w1.close().await;
    let (again, _) = yard.worker("w1").await;
    until(|| yard.toil.done() == ["in its next life"]).await;
    again.wait_idle().await;
    assert_eq!(held(&again.team(), "lead").unwrap().1.0, 2);
}

#[tokio::test(start_paused = true)]
async fn who_is_stopped_is_on_no_worker_until_it_is_spawned_again() {
    let yard = Yard::of_one_user();
    let [w1] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("once")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done() == ["once"]).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice").unwrap().1, Term::FIRST);

    w1.request_shutdown("alice", Duration::ZERO).await.unwrap();
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice"), None);

    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("again")]]);
    w1.send_as_user("lead", "once more").await.unwrap();
    until(|| yard.toil.done() == ["once", "again"]).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice").unwrap().1, Term::FIRST.next());
}

#[tokio::test(start_paused = true)]
async fn all_workers_close_when_the_user_stops_the_team() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    write(&yard, [stop_of_team()]).await;
    tokio::join!(w1.close_requested(), w2.close_requested());
    w1.close().await;
    let team = w2.close().await;
    assert_eq!(yard.toil.running(), 0);
    assert_eq!(team.requests().pending().count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_worker_closes_too_when_the_leads_worker_agreed_before_it_read_of_the_stop() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    until(|| held(&w1.team(), "lead").is_some_and(|(holder, _)| holder == "w1")).await;
    let agree = RequestCommand::Answer {
        request: "req_000001".parse().unwrap(),
        expects: None,
        saw: None,
        by: Principal::member(&member("lead"), Incarnation::FIRST),
        answer: Answer::yes(),
        device: None,
        at: SystemClock.now(),
    };
    write(&yard, [stop_of_team(), agree]).await;
    let closed = tokio::time::timeout(Duration::from_secs(60), w2.close_requested()).await;
    assert!(closed.is_ok(), "it goes on, and takes over all members");
}

/// The user asks for the whole team to stop.
fn stop_of_team() -> RequestCommand {
    RequestCommand::Shutdown {
        member: member("lead"),
        from: Principal::User,
        call: Cause::user(uuid::Uuid::from_u128(9)),
        reason: String::new(),
        within: Duration::from_secs(2),
        at: SystemClock.now(),
    }
}

/// Another process writes this, all at once.
async fn write<const N: usize>(yard: &Yard, commands: [RequestCommand; N]) {
    let journal = &*yard.store.journal;
    let (mut fold, _) = Fold::open(journal).await.unwrap();
    let written = fold
        .commit(journal, &SystemClock, &commands.map(Command::Request))
        .await;
    assert!(written.results.unwrap().iter().all(Result::is_ok));
}

#[tokio::test(start_paused = true)]
async fn a_stop_by_force_tells_the_lead_of_a_turn_that_had_ended() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, stall) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    stall.set_mail(true);
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("once")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done() == ["once"]).await;
    seconds(1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");

    // Its driver is dropped while the notice is on its way.
    let let_go = async {
        seconds(10).await;
        stall.set_mail(false);
    };
    let (stopped, ()) = tokio::join!(w1.shut_down("alice", Duration::ZERO), let_go);
    stopped.unwrap();
    w1.send_as_user("lead", "and now?").await.unwrap();
    w1.wait_idle().await;
    let heard = yard.heard("lead").await;
    let ends = heard.iter().filter(|text| *text == "That is all.");
    assert_eq!(ends.count(), 1, "{heard:?}");
    let spent = w1.team().spending().member(&member("alice"));
    assert_eq!(spent.models["script:one"].requests, 2);
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_told_when_the_worker_is_lost_that_was_to_tell_it() {
    let yard = Yard::of_one_user();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    let (w2, stall) = yard.worker("w2").await;
    until(|| w1.team().places().workers().count() == 2).await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| held(&w1.team(), "alice").is_some()).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");

    stall.set_mail(true);
    w1.request_shutdown("alice", Duration::from_secs(2))
        .await
        .unwrap();
    until(|| held(&w1.team(), "alice").is_none()).await;
    drop(w2);
    w1.wait_idle().await;
    let heard = yard.heard("lead").await;
    let told = heard.iter().filter(|text| text.contains("is stopped"));
    assert_eq!(told.count(), 1, "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_required_of_a_member_of_another_worker() {
    let yard = Yard::of_one_user();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");
    w1.require_plan("alice", "how you go on").await.unwrap();
    until(|| yard.toil.running() == 0).await;
    let gate = w2.team().member(&member("alice")).unwrap().gate.clone();
    assert!(gate.is_closed(), "{gate:?}");
}
