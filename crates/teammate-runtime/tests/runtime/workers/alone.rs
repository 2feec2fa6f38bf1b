//! A worker that does not hear itself begins nothing; after a minute what its members run is ended, and they go on when it hears
//! itself again.

use teammate_testkit::memory::WireFault;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, seconds, until, worker},
};

#[tokio::test(start_paused = true)]
async fn nothing_begins_on_a_worker_that_is_alone() {
    let yard = Yard::new();
    let [w1] = yard.workers().await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    yard.fleet.break_wire(&worker("w1"), WireFault::Deaf);
    seconds(10).await;
    yard.script.add("lead", vec![vec![toil("now")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    seconds(20).await;
    assert!(yard.toil.done().is_empty(), "{:?}", yard.toil.done());
    yard.fleet.heal_wire(&worker("w1"));
    until(|| yard.toil.done() == ["now"]).await;
    w1.wait_idle().await;
}

#[tokio::test(start_paused = true)]
async fn commands_end_after_a_minute_alone_and_members_go_on_afterwards() {
    let yard = Yard::new();
    let [w1] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add(
        "alice",
        vec![vec![toil("for ever")], vec![toil("afterwards")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    yard.fleet.break_wire(&worker("w1"), WireFault::CutOff);
    seconds(30).await;
    assert_eq!(yard.toil.running(), 1, "commands run on for a minute");
    seconds(40).await;
    assert_eq!(yard.toil.running(), 0);
    assert!(yard.toil.done().is_empty());
    yard.fleet.heal_wire(&worker("w1"));
    until(|| yard.toil.done() == ["afterwards"]).await;
    w1.wait_idle().await;
    assert_eq!(
        held(&w1.team(), "alice").unwrap().1.0,
        1,
        "it was never moved"
    );
}
