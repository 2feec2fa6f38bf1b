//! A team on a real NATS server: a process runs it, others on the same servers use it, and when that process is killed another one goes
//! on. Where there is no server, each test says that it is skipped.
#![cfg(feature = "nats")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod asked;
mod decides;
mod world;

use std::time::Duration;

use teammate::{
    EventLine, EventLog, HostError, Mode, TeamError,
    handle::{AnswerRequest, ChooseMode, Say},
    nats::{NatsError, NatsServers, TeamCircle, connect::ServerUrl, layout::TeamId},
    project::UserDirs,
    request::Answer,
};

use world::{World, has_said};

#[tokio::test(flavor = "multi_thread")]
async fn one_process_runs_it_and_others_look_talk_and_answer() {
    let Some(world) = World::new().await else {
        return;
    };
    assert!(
        world
            .circle()
            .await
            .find(&World::name())
            .await
            .unwrap()
            .is_some()
    );
    let nobody = world.look().await.unwrap();
    assert_eq!(nobody.host(), None);

    let team = world.open("here").await.unwrap();
    let mut one = world.look().await.unwrap();
    let two = world.look().await.unwrap();
    assert_eq!(one.host_process(), Some(std::process::id()));
    let second = world.open("elsewhere").await;
    assert!(matches!(
        second.err(),
        Some(TeamError::Host(HostError::Running(_)))
    ));

    // Streamed words come to both while they are written.
    let (mut live, mut live_two) = (
        one.live().connect().await.unwrap(),
        two.live().connect().await.unwrap(),
    );
    one.ask(Say::to("lead", "Tell bob.")).await.unwrap();
    assert!(live.next().await.unwrap().what.is_piece());
    assert!(live_two.next().await.unwrap().what.is_piece());
    let mut follower = two.follow().await.unwrap();
    while !has_said(follower.client(), "Done.").await {
        follower.changed().await.unwrap();
    }
    let mut two = follower.into_client();
    team.wait_idle().await;
    two.catch_up().await.unwrap();
    assert_eq!(two.team().members().count(), 2);

    // A question is answered by another process than the one that asked for the work.
    one.ask(ChooseMode(Mode::Ask)).await.unwrap();
    one.ask(Say::to("lead", "Write")).await.unwrap();
    let mut follower = two.follow().await.unwrap();
    while follower.client().requests().is_empty() {
        follower.changed().await.unwrap();
    }
    let mut two = follower.into_client();
    let question = two.requests().remove(0);
    let answer = AnswerRequest {
        request: question.id,
        saw: None,
        answer: Answer::no("not now"),
        device: None,
    };
    two.ask(answer).await.unwrap();
    team.wait_done().await;
    team.close().await;
    assert_eq!(world.look().await.unwrap().host(), None);

    let mut lines = 0;
    let mut log = EventLog::of(world.place("here").await, 1 << 20).unwrap();
    let count = |line: EventLine<'_>| lines += usize::from(matches!(line, EventLine::Text(_)));
    log.read_on(count).await.unwrap();
    assert!(lines > 5, "{lines}");
}

#[test]
fn another_process_goes_on_where_a_killed_one_stopped() {
    let (first, second) = (runtime(), runtime());
    let Some(world) = second.block_on(World::new()) else {
        return;
    };
    let team = first.block_on(async {
        let team = world.open("here").await.unwrap();
        team.run("Tell bob.").await.unwrap();
        team.send("lead", "What did you do?").await.unwrap();
        team
    });
    // All of its tasks and its connection end at once.
    first.shutdown_background();
    std::mem::forget(team);

    second.block_on(async {
        let team = world.until_open("elsewhere").await;
        assert_eq!(team.roster().len(), 2);
        let mut follower = world.look().await.unwrap().follow().await.unwrap();
        while !has_said(follower.client(), "I told bob.").await {
            follower.changed().await.unwrap();
        }
        team.close().await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn new_teams_are_heard_of_and_servers_elsewhere_need_creds() {
    let Some(world) = World::new().await else {
        return;
    };
    let circle = world.circle().await;
    let mut teams = circle.teams();
    assert_eq!(teams.next().await.unwrap().0, World::name());
    let later = TeamId::try_from("later".to_owned()).unwrap();
    let made = world
        .circle()
        .await
        .find_or_make(&later, None)
        .await
        .unwrap();
    assert_eq!(teams.next().await.unwrap().0, *made.name());

    let away = NatsServers {
        urls: vec![ServerUrl::parse("tls://192.0.2.1:4222").unwrap()],
        creds: None,
    };
    let refused = TeamCircle::connect(away, &UserDirs::default(), "test").await;
    assert!(matches!(refused.err(), Some(NatsError::NoCreds)));
    let servers = world.servers();
    let refused = TeamCircle::connect(servers, &UserDirs::default(), "test").await;
    assert!(matches!(refused.err(), Some(NatsError::NoKey)));
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Far longer than anything takes.
pub(crate) const LONG: Duration = Duration::from_secs(600);
