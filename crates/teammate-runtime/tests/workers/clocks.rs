//! Workers whose clocks are ten minutes apart: nobody's time is over before it is.

use std::time::Duration;

use teammate_core::request::Answer;
use tokio::time::Instant;

use crate::{
    script::{spawn, toil},
    yard::{Yard, held, until},
};

#[tokio::test(start_paused = true)]
async fn a_teammate_has_its_time_on_a_worker_whose_clock_is_ahead() {
    let yard = Yard::new().with_clock_ahead("w2");
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");

    let (asked, within) = (Instant::now(), Duration::from_secs(60));
    w1.shut_down("alice", within).await.unwrap();
    let took = asked.elapsed();
    assert!(took >= within, "she was stopped after {took:?}");
    assert_eq!(yard.toil.running(), 0);
    assert!(took < 2 * within, "she was stopped after {took:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_counts_from_a_worker_whose_clock_is_ahead() {
    let yard = Yard::asking().with_clock_ahead("w1");
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("allowed")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.questions().len() == 1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");
    let question = w1.questions()[0].id;
    w1.answer(question, Answer::yes()).await.unwrap();
    until(|| yard.toil.done() == ["allowed"]).await;
}
