//! Jobs of a team with idle members, and their notices.

use teammate_core::{
    Incarnation, MemberName, Message,
    permission::Mode,
    team::{MemberOptions, Spawn},
    tool::Outcome,
};

use super::*;
use crate::{
    Host, Ports, TeamConfig,
    fixture::{self, ports},
};

/// Opened with alice, who is not started, so that mail stays in the inbox.
async fn team(ports: &Ports) -> Host {
    let setup = fixture::setup(TeamConfig {
        mode: Mode::Bypass,
        ..TeamConfig::new("none:none".parse().unwrap())
    });
    let host = Host::open(ports.clone(), setup).await.unwrap();
    spawn(&host, "call", false).await;
    host
}

async fn spawn(host: &Host, call: &str, fresh: bool) {
    let spawn = Spawn {
        by: MemberName::lead(),
        call: call.into(),
        member: alice(),
        role: "coder".to_owned(),
        prompt: "work".to_owned(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh,
    };
    // Working already, if she was there before.
    let _ = host.base.ledger.decide(Command::Spawn(spawn)).await;
}

fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

fn caller(call: &str) -> Caller {
    Caller {
        name: alice(),
        incarnation: Incarnation::FIRST,
        call: call.into(),
        sources: Default::default(),
        subagent: None,
    }
}

fn job(work: impl Future<Output = Outcome> + Send + 'static) -> NewJob {
    NewJob {
        acts: true,
        title: "work".to_owned(),
        work: Box::new(|_| Box::pin(work)),
    }
}

/// Her mail: whether it wakes, and how it begins.
async fn mail(ports: &Ports) -> Vec<(bool, String)> {
    let mail = ports.mailbox.peek(&alice()).await.unwrap();
    let line = |mail: &Message| {
        let first = mail.content.lines().next().unwrap_or_default();
        let end = first.split("has ended: ").nth(1).unwrap_or(first);
        let end = end.split('.').next().unwrap_or(end);
        (mail.wakes(), end.to_owned())
    };
    mail.iter().map(line).collect()
}

fn told(wakes: bool, end: &str) -> Vec<(bool, String)> {
    vec![(wakes, end.to_owned())]
}

#[tokio::test(start_paused = true)]
async fn a_repeated_call_starts_one_job_and_its_end_is_noticed() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    let first = stage
        .start(&caller("c1"), job(async { Outcome::ok("well") }))
        .await;
    let again = stage
        .start(&caller("c1"), job(async { Outcome::error("no") }))
        .await;
    assert_eq!(first.unwrap().job.id, again.unwrap().job.id);
    host.wait_idle().await;
    assert_eq!(mail(&ports).await, told(true, "done"));
}

#[tokio::test(start_paused = true)]
async fn a_job_that_crashes_has_failed() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    let bug = job(async { panic!("a bug, on purpose") });
    stage.start(&caller("c1"), bug).await.unwrap();
    host.wait_idle().await;
    assert_eq!(mail(&ports).await, told(true, "failed"));
}

#[tokio::test(start_paused = true)]
async fn jobs_end_with_their_owner_and_do_not_wake_it() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    let deaf = job(std::future::pending());
    stage.start(&caller("c1"), deaf).await.unwrap();
    let stop = Command::Stop {
        member: alice(),
        incarnation: Incarnation::FIRST,
    };
    host.base.ledger.decide(stop).await.unwrap();
    host.wait_idle().await;
    assert_eq!(mail(&ports).await, told(false, "stopped by system"));
    // Who comes back remembers, and its jobs of before are over.
    spawn(&host, "again", false).await;
    assert_eq!(host.jobs(), []);
}

#[tokio::test(start_paused = true)]
async fn a_close_ends_jobs_and_the_next_opening_tells_nothing_twice() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    stage
        .start(&caller("c1"), job(std::future::pending()))
        .await
        .unwrap();
    host.close().await;
    assert_eq!(mail(&ports).await, told(true, "lost: the program stopped"));
    let host = team(&ports).await;
    host.jobs.mark_lost().await;
    assert_eq!(mail(&ports).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn notices_lost_in_a_crash_are_sent_at_the_next_opening() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    stage
        .start(&caller("c1"), job(std::future::pending()))
        .await
        .unwrap();
    drop((stage, host));
    assert_eq!(mail(&ports).await, []);
    let host = team(&ports).await;
    assert_eq!(host.jobs().len(), 1);
    host.jobs.mark_lost().await;
    host.jobs.mark_lost().await;
    assert_eq!(mail(&ports).await, told(true, "lost: the program stopped"));
    assert_eq!(host.jobs(), []);
}

#[tokio::test(start_paused = true)]
async fn a_team_settles_with_its_jobs_or_after_a_while() {
    let ports = ports();
    let host = team(&ports).await;
    let stage = host.jobs.clone();
    let hour = Duration::from_secs(3600);
    let minutes = Duration::from_secs(600);
    let (short, long) = (job(async { Outcome::ok("") }), job(std::future::pending()));
    stage.start(&caller("c1"), short).await.unwrap();
    let begun = tokio::time::Instant::now();
    host.wait_done(hour).await;
    assert!(begun.elapsed() < minutes);
    stage.start(&caller("c2"), long).await.unwrap();
    host.wait_done(minutes).await;
    assert!(begun.elapsed() >= minutes && begun.elapsed() < hour);
    assert_eq!(host.jobs().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_team_settles_soon_when_only_servers_are_left() {
    let ports = ports();
    let host = team(&ports).await;
    let server = |number: u8| NewJob {
        title: format!("serve {number}"),
        acts: true,
        work: Box::new(|room| {
            Box::pin(async move {
                (room.serves_by)(Box::new(|| Box::pin(std::future::ready(true))));
                std::future::pending().await
            })
        }),
    };
    let hour = Duration::from_secs(3600);
    let begun = tokio::time::Instant::now();
    host.jobs.start(&caller("c1"), server(1)).await.unwrap();
    host.wait_done(hour).await;
    let settled = begun.elapsed();
    assert!(settled < Duration::from_secs(60), "{settled:?}");
    // Beside work, a server is waited for as long as the work.
    let work = job(std::future::pending());
    host.jobs.start(&caller("c2"), work).await.unwrap();
    host.wait_done(hour).await;
    assert!(begun.elapsed() >= hour);
}
