//! Orders of the user about members of other workers: compact, recall, clear.

use teammate_core::{
    team::{MemberPhase, OrderEnd},
    transcript::Entry,
};
use teammate_testkit::memory::WireFault;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, member, seconds, until, worker},
};

/// Alice has done something on `w2`, the lead is on `w1`.
macro_rules! two_workers {
    ($yard:ident, $w1:ident, $w2:ident) => {
        let [$w1, $w2] = $yard.workers().await;
        $yard.script.add("lead", vec![vec![spawn("alice")]]);
        $yard.script.add("alice", vec![vec![toil("once")]]);
        $w1.send_as_user("lead", "go").await.unwrap();
        until(|| $yard.toil.done() == ["once"]).await;
        $w1.wait_idle().await;
        assert_eq!(held(&$w2.team(), "alice").unwrap().0, "w2");
    };
}

#[tokio::test(start_paused = true)]
async fn the_conversation_of_a_member_of_another_worker_is_compacted_there() {
    let yard = Yard::of_one_user();
    two_workers!(yard, w1, w2);
    w1.compact("alice", Some("what was done".to_owned()))
        .await
        .unwrap();
    w1.wait_idle().await;
    let entries = yard.entries("alice").await;
    let is_compacted = |entry: &&Entry| matches!(entry, Entry::Compacted { .. });
    assert_eq!(
        entries.iter().filter(is_compacted).count(),
        1,
        "{entries:#?}"
    );
    assert!(w2.team().orders().open().next().is_none());
}

#[tokio::test(start_paused = true)]
async fn mail_to_a_member_of_another_worker_is_taken_back_before_it_is_heard() {
    let yard = Yard::of_one_user();
    two_workers!(yard, w1, w2);
    // It works, and hears nothing before its call ends.
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("alice", "begin").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    w1.send_as_user("alice", "a slip").await.unwrap();
    let back = w1.recall(None).await.unwrap();
    assert_eq!(back.content, "a slip");
    w1.interrupt(&member("alice")).await;
    w1.send_as_user("alice", "never mind").await.unwrap();
    w1.wait_idle().await;
    let heard = yard.heard("alice").await;
    assert!(heard.iter().any(|text| text == "never mind"), "{heard:?}");
    assert!(heard.iter().all(|text| text != "a slip"), "{heard:?}");
    assert!(w2.team().orders().open().next().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_new_conversation_begins_with_a_lead_on_another_worker() {
    let yard = Yard::of_one_user();
    two_workers!(yard, w1, w2);
    let before = w2.team().conversation();
    w2.clear().await.unwrap();
    w2.wait_idle().await;
    let team = w1.team();
    assert_ne!(team.conversation(), before);
    assert_eq!(held(&team, "lead").unwrap().0, "w1");
    let alice = team.member(&member("alice")).unwrap();
    assert!(
        matches!(alice.phase, MemberPhase::Idle { .. }),
        "the team works on"
    );
}

#[tokio::test(start_paused = true)]
async fn an_order_for_a_member_of_a_lost_worker_is_carried_out_where_it_goes_on() {
    let yard = Yard::of_one_user();
    two_workers!(yard, w1, w2);
    yard.fleet.break_wire(&worker("w2"), WireFault::CutOff);
    drop(w2);
    w1.compact("alice", None).await.unwrap();
    seconds(1).await;
    w1.wait_idle().await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w1");
    let team = w1.team();
    let ends: Vec<_> = team
        .orders()
        .open()
        .map(|order| order.end.clone())
        .collect();
    assert_eq!(ends, Vec::<Option<OrderEnd>>::new());
}
