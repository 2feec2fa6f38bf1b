//! Members are spread over workers, and work with each other as in one process.

use std::collections::BTreeSet;

use serde_json::json;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, until},
};

#[tokio::test(start_paused = true)]
async fn a_job_is_done_by_a_lead_and_two_teammates_on_three_workers() {
    let yard = Yard::new();
    let hosts: [_; 3] = yard.workers().await;
    let lines = vec![
        vec![spawn("alice"), spawn("bob")],
        vec![(
            "send_message",
            json!({ "to": "bob", "message": "hello bob" }),
        )],
    ];
    yard.script.add("lead", lines);
    yard.script.add("alice", vec![vec![toil("alice's part")]]);
    yard.script.add("bob", vec![vec![toil("bob's part")]]);
    hosts[1].send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done().len() == 2).await;
    hosts[0].wait_idle().await;

    let team = hosts[2].team();
    let places = ["lead", "alice", "bob"].map(|who| held(&team, who).unwrap().0);
    let places: BTreeSet<_> = places.into_iter().collect();
    assert_eq!(places.len(), 3, "one member each: {places:?}");
    let heard = yard.heard("lead").await;
    let results = heard.iter().filter(|text| *text == "That is all.").count();
    assert!(results >= 2, "{heard:?}");
    let heard = yard.heard("bob").await;
    assert_eq!(
        heard.iter().filter(|text| *text == "hello bob").count(),
        1,
        "{heard:?}"
    );
    for who in ["lead", "alice", "bob"] {
        assert_eq!(yard.unheard(who).await, 0, "{who}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_drains_gives_all_its_members_away() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script.add(
        "lead",
        vec![vec![spawn("alice"), spawn("bob"), spawn("eve")]],
    );
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.team().members().count() == 4 && (w1.team().members()).all(|m| !m.phase.is_busy()))
        .await;
    w1.drain().await;
    let team = w2.team();
    for who in ["lead", "alice", "bob", "eve"] {
        assert_eq!(held(&team, who).unwrap().0, "w2", "{who}");
    }
    yard.script.add("lead", vec![vec![toil("after the drain")]]);
    w2.send_as_user("lead", "go on").await.unwrap();
    until(|| yard.toil.done() == ["after the drain"]).await;
    w1.close().await;
    w2.wait_idle().await;
}
