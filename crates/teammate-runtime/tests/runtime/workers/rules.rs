//! An "always" of the user reaches all workers of the team, also those that come later; a worker's own denial comes first.

use teammate_core::{permission::Breadth, request::Answer};

use crate::workers::{
    script::{spawn, toil_at},
    yard::{Offer, Yard, held, seconds, until},
};

#[tokio::test(start_paused = true)]
async fn an_always_holds_on_workers_that_come_later() {
    let yard = Yard::asking();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil_at("lamp")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.questions().len() == 1).await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");
    let question = w1.questions()[0].id;
    w1.answer(question, Answer::always(Breadth::Exact))
        .await
        .unwrap();
    until(|| yard.toil.done() == ["lamp"]).await;
    w1.wait_idle().await;
    assert_eq!(w2.rules().allow.len(), 1, "{:?}", w2.rules());

    // Her worker is lost, and another one takes her that was not there.
    w2.close().await;
    let (w3, _) = yard.worker("w3").await;
    until(|| held(&w3.team(), "alice").is_some_and(|(at, _)| at != "w2")).await;
    yard.script.add("alice", vec![vec![toil_at("lamp")]]);
    w3.send_as_user("alice", "again").await.unwrap();
    until(|| yard.toil.done() == ["lamp", "lamp"]).await;
    w3.wait_idle().await;
    assert_eq!(w3.questions().len(), 0);
    assert_eq!(w3.rules().allow.len(), 1, "{:?}", w3.rules());
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_denies_it_is_not_loosened_by_an_always() {
    let yard = Yard::asking();
    let (w1, _) = yard.worker("w1").await;
    until(|| held(&w1.team(), "lead").is_some()).await;
    yard.script.add("lead", vec![vec![toil_at("lamp")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.questions().len() == 1).await;
    let question = w1.questions()[0].id;
    w1.answer(question, Answer::always(Breadth::Exact))
        .await
        .unwrap();
    until(|| yard.toil.done() == ["lamp"]).await;
    w1.wait_idle().await;
    w1.close().await;

    let deny = vec!["toil(lamp)"];
    let offer = Offer {
        deny,
        ..Offer::default()
    };
    let (strict, _) = yard.worker_with("w2", offer).await;
    until(|| held(&strict.team(), "lead").is_some_and(|(at, _)| at == "w2")).await;
    yard.script.add("lead", vec![vec![toil_at("lamp")]]);
    strict.send_as_user("lead", "again").await.unwrap();
    seconds(5).await;
    strict.wait_idle().await;
    assert_eq!(yard.toil.done(), ["lamp"], "its own rule denies it");
    assert_eq!(strict.questions().len(), 0);
}
