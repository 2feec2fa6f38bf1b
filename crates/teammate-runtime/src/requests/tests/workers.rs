//! A team that two processes run: each does what is due for the members that run on it, and says so where it cannot.

use std::time::Duration;

use serde_json::json;
use teammate_core::{
    Incarnation, MemberName,
    cause::Cause,
    port::{Caller, NewJob, Refusal},
    request::{Answer, Principal, RequestState},
    team::{Command, JobEnd, MemberPhase, OrderEnd, UserOrder},
    tool::Outcome,
    transcript::EndReason,
};

use super::stage::{
    Line, Stage, alice, toil, until,
    workers::{Workers, run},
};
use crate::Host;

fn phase(host: &Host) -> MemberPhase {
    host.team().member(&alice()).unwrap().phase.clone()
}

fn caller(name: MemberName, call: &str) -> Caller {
    Caller {
        name,
        incarnation: Incarnation::FIRST,
        call: call.into(),
        sources: Default::default(),
    }
}

/// Alice has this in the background at her worker.
async fn job(workers: &Workers, work: impl Future<Output = Outcome> + Send + 'static) {
    let job = NewJob {
        acts: true,
        title: "work".to_owned(),
        work: Box::new(|_| Box::pin(work)),
    };
    let jobs = &workers.alice.jobs;
    jobs.start(&caller(alice(), "job"), job).await.unwrap();
    until(|| workers.lead.jobs().len() == 1).await;
}

fn end_of_job(host: &Host) -> Option<JobEnd> {
    let team = host.team();
    team.jobs().all().next().and_then(|job| job.end.clone())
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_opens_loses_no_jobs_but_those_of_whom_it_takes_over() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    job(&workers, std::future::pending()).await;
    let third = stage.worker("w3").await;
    third.jobs.mark_lost().await;
    assert_eq!(end_of_job(&third), None);
    stage.move_alice(&workers).await;
    workers.lead.jobs.mark_lost_of(&alice()).await;
    assert_eq!(end_of_job(&workers.lead), Some(JobEnd::Lost));
    let told = stage.told("alice").await;
    let lost = told.iter().filter(|mail| mail.contains("lost"));
    assert_eq!(lost.count(), 1, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn the_lead_looks_at_a_job_on_another_worker_and_ends_it() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    job(&workers, std::future::pending()).await;
    let (jobs, lead) = (&workers.lead.jobs, caller(MemberName::lead(), "look"));
    let seen = jobs
        .look(&lead, "b1", Duration::from_secs(1))
        .await
        .unwrap();
    assert_eq!((seen.job.end, seen.outcome), (None, None));
    assert_eq!(seen.elsewhere.unwrap().as_str(), "w2");
    let ended = jobs.stop(&lead, "b1").await.unwrap();
    let by = teammate_core::Sender::Member(MemberName::lead());
    assert_eq!(ended.job.end, Some(JobEnd::Stopped { by }));
    let seen = jobs.look(&lead, "b1", Duration::ZERO).await.unwrap();
    assert!(seen.outcome.is_some(), "what came of it is asked for");
}

#[tokio::test(start_paused = true)]
async fn a_look_waits_for_the_end_and_brings_the_outcome() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    let work = async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        Outcome::ok("through")
    };
    job(&workers, work).await;
    let lead = caller(MemberName::lead(), "look");
    let jobs = &workers.lead.jobs;
    let seen = jobs
        .look(&lead, "b1", Duration::from_secs(60))
        .await
        .unwrap();
    assert_eq!(seen.job.end, Some(JobEnd::Done));
    assert_eq!(seen.outcome, Some(Outcome::ok("through")));
}

#[tokio::test(start_paused = true)]
async fn who_asks_a_silent_worker_hears_that_it_does_not_answer() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    job(&workers, std::future::pending()).await;
    stage.cut_off("w2");
    let lead = caller(MemberName::lead(), "look");
    let jobs = &workers.lead.jobs;
    let why = |refusal: Refusal| refusal.to_string();
    let looked = jobs.look(&lead, "b1", Duration::ZERO).await;
    let expected = "it could not be done: the worker 'w2' does not answer; b1 may still run there";
    assert_eq!(looked.map_err(why), Err(expected.to_owned()));
    let stopped = jobs.stop(&lead, "b1").await;
    assert_eq!(stopped.map_err(why), Err(expected.to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_from_one_worker_stops_a_member_on_another() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever")]);
    let workers = stage.on_two_workers().await;
    until(|| stage.toil.running() == 1).await;
    let within = Duration::from_secs(5);
    workers.lead.shut_down("alice", within).await.unwrap();
    assert_eq!(phase(&workers.lead), MemberPhase::Stopped);
    assert_eq!(stage.toil.running(), 0, "stopped, and its tool runs on");
    until(|| stage.unsaid("alice") == 0).await;
    let told = stage.told("lead").await;
    let of = |what: &str| told.iter().filter(|mail| mail.contains(what)).count();
    assert_eq!(of("alice was stopped at the deadline"), 1, "{told:?}");
    assert_eq!(of("(stopped before it had a result)"), 1, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn an_open_shutdown_moves_with_its_member() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever"), toil("for ever")]);
    let workers = stage.on_two_workers().await;
    until(|| stage.toil.running() == 1).await;
    let within = Duration::from_secs(60);
    let asked = workers.lead.request_shutdown("alice", within).await;
    asked.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!matches!(phase(&workers.lead), MemberPhase::Stopped));
    let Workers { lead, alice: lost } = workers;
    drop(lost);
    let workers = Workers {
        alice: stage.worker("w3").await,
        lead,
    };
    stage.move_alice(&workers).await;
    run(&workers.lead, &alice()).await;
    workers.lead.requests.wait_until_stopped(&alice()).await;
    assert_eq!(phase(&workers.lead), MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_question_is_asked_by_its_member_s_worker_and_answered_anywhere() {
    let stage = Stage::asking();
    stage.lines("alice", vec![toil("once")]);
    let workers = stage.on_two_workers().await;
    until(|| workers.lead.questions().len() == 1).await;
    let question = workers.lead.questions()[0].id;
    assert!(!workers.lead.requests.is_followed(question));
    until(|| workers.alice.requests.is_followed(question)).await;
    workers.lead.answer(question, Answer::yes()).await.unwrap();
    until(|| stage.toil.done() == ["once"]).await;
    assert!(workers.lead.answer(question, Answer::yes()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_a_question_moves_with_its_member() {
    let stage = Stage::asking();
    stage.lines("alice", vec![toil("once")]);
    let workers = stage.on_two_workers().await;
    until(|| workers.lead.questions().len() == 1).await;
    let question = workers.lead.questions()[0].id;
    let Workers { lead, alice: lost } = workers;
    drop(lost);
    let workers = Workers {
        alice: stage.worker("w3").await,
        lead,
    };
    stage.move_alice(&workers).await;
    run(&workers.lead, &alice()).await;
    until(|| workers.lead.requests.is_followed(question)).await;
    let settled = workers.lead.requests.wait_settled(question).await;
    assert_eq!(settled.unwrap().state, RequestState::Expired);
    assert_eq!(stage.toil.done(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn orders_are_carried_out_where_the_member_runs() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever"), toil("for ever")]);
    let workers = stage.on_two_workers().await;
    until(|| stage.toil.running() == 1).await;
    workers.lead.interrupt(&alice()).await;
    let is_interrupted = |host: &Host| {
        let why = EndReason::Interrupted;
        matches!(phase(host), MemberPhase::Idle { why: ended, .. } if ended == why)
    };
    until(|| is_interrupted(&workers.lead)).await;
    assert_eq!(stage.toil.running(), 0);
    // And everybody's turn, as another terminal orders it.
    workers.lead.send_as_user("alice", "again").await.unwrap();
    until(|| stage.toil.running() == 1).await;
    let call = Cause::user(uuid::Uuid::from_u128(7));
    let order = UserOrder::Interrupt { member: None };
    let all = Command::Order {
        order,
        call: call.clone(),
    };
    stage.decide_outside(all).await;
    until(|| stage.toil.running() == 0).await;
    until(|| workers.lead.team().orders().open().next().is_none()).await;
    let team = workers.lead.team();
    let given = team.orders().given_by(&call).unwrap();
    assert_eq!(given.end, Some(OrderEnd::Done));
}

#[tokio::test(start_paused = true)]
async fn an_order_to_a_member_that_nobody_runs_is_refused() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    until(|| matches!(phase(&workers.lead), MemberPhase::Idle { .. })).await;
    workers.lead.compact("alice", None).await.unwrap();
    let spawn = json!({ "name": "bob", "role": "coder", "prompt": "begin" });
    stage.lines("lead", vec![Line::Call("spawn_teammate", spawn)]);
    workers.lead.send_as_user("lead", "go").await.unwrap();
    let bob = MemberName::teammate("bob").unwrap();
    until(|| workers.lead.team().member(&bob).is_some()).await;
    let refused = workers.lead.compact("bob", None).await.unwrap_err();
    assert_eq!(refused.to_string(), "'bob' is not running");
    // Nobody asks it, and it is stopped.
    let within = Duration::from_secs(600);
    workers.lead.shut_down("bob", within).await.unwrap();
    let team = workers.lead.team();
    assert_eq!(team.member(&bob).unwrap().phase, MemberPhase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_required_of_a_member_on_another_worker() {
    let stage = Stage::new();
    let workers = stage.on_two_workers().await;
    until(|| matches!(phase(&workers.lead), MemberPhase::Idle { .. })).await;
    job(&workers, std::future::pending()).await;
    let required = workers.lead.require_plan("alice", "how").await.unwrap();
    let ended: Vec<String> = required
        .ended
        .iter()
        .map(|job| job.id.to_string())
        .collect();
    assert_eq!(ended, ["b1"]);
    assert!(end_of_job(&workers.alice).is_some(), "it has ended by then");
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_announced_by_the_worker_of_its_author() {
    let stage = Stage::approving();
    let plan = json!({ "plan": "first this, then that" });
    stage.lines("alice", vec![Line::Call("submit_plan", plan)]);
    let workers = stage.on_two_workers().await;
    until(|| workers.lead.questions().len() == 1).await;
    let plan = workers.lead.questions()[0].id;
    until(|| workers.alice.requests.is_followed(plan)).await;
    assert!(!workers.lead.requests.is_followed(plan));
    let answer = workers
        .lead
        .requests
        .answer((plan, None), None, Principal::User, Answer::yes());
    answer.await.unwrap();
    let is_told = || {
        workers
            .lead
            .team()
            .requests()
            .not_notified()
            .next()
            .is_none()
    };
    until(is_told).await;
    let told = stage.told("alice").await;
    let answers = told.iter().filter(|mail| mail.contains("approved"));
    assert_eq!(answers.count(), 1, "{told:?}");
}
