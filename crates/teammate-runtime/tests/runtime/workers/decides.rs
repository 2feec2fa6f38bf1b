//! Workers have the steward decide. Whatever is lost or late on the way, a command is decided once, and who asked is answered by what
//! the journal says.

mod questions;

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation, MemberName,
    port::{CommandVerdict, DecidedCommands, FleetAnswer, Journal as _},
    team::{Command, CommandId, TeamEvent, TeamRefusal},
};
use teammate_runtime::LedgerError;
use teammate_testkit::memory::WireFault;

use crate::workers::{
    desk::{Clerk, Desk, Gate, adopt, once},
    script::{spawn, toil},
    yard::{Yard, member, seconds, until},
};

/// Three workers, of which the first is the steward.
async fn office() -> (Desk, [Clerk; 3]) {
    let desk = Desk::default();
    let clerks = [
        desk.clerk("w1").await,
        desk.clerk("w2").await,
        desk.clerk("w3").await,
    ];
    desk.steward(&clerks[0], 1).await;
    // All have read it.
    for clerk in &clerks {
        until(|| clerk.ledger.team().places().steward().is_some()).await;
    }
    (desk, clerks)
}

fn is_adopted(who: &str) -> impl Fn(&TeamEvent) -> bool {
    let who = member(who);
    move |event| matches!(event, TeamEvent::Adopted { member, .. } if *member == who)
}

fn stop(who: &str) -> Command {
    Command::Stop {
        member: member(who),
        incarnation: Incarnation::FIRST,
    }
}

fn is_stopped(who: &str) -> impl Fn(&TeamEvent) -> bool {
    let who = member(who);
    move |event| matches!(event, TeamEvent::Stopped { member, .. } if *member == who)
}

#[tokio::test(start_paused = true)]
async fn the_steward_alone_appends_and_who_asked_reads_it() {
    let (desk, [w1, w2, w3]) = office().await;
    let before = [w1.way.appended(), w2.way.appended(), w3.way.appended()];
    let (a, b) = tokio::join!(
        w2.ledger.decide(adopt("alice")),
        w3.ledger.decide(adopt("bob")),
    );
    assert!(is_adopted("alice")(&a.unwrap()[0]) && is_adopted("bob")(&b.unwrap()[0]));
    assert!(w2.ledger.team().member(&member("alice")).is_some());
    assert!(w3.ledger.team().member(&member("bob")).is_some());
    let unknown = w2.ledger.decide(stop("carol")).await.unwrap_err();
    assert!(matches!(
        unknown,
        LedgerError::Refused(TeamRefusal::Unknown(_))
    ));
    assert_eq!(w3.ledger.decide(adopt("alice")).await, Ok(Vec::new()));
    assert_eq!(w1.ledger.decide(adopt("dave")).await.unwrap().len(), 1);

    let after = [w1.way.appended(), w2.way.appended(), w3.way.appended()];
    assert!(after[0] > before[0]);
    assert_eq!(after[1..], before[1..], "who asks appends nothing");
    let writers: Vec<_> = desk.listed().await.iter().map(|id| id.writer).collect();
    assert_eq!(writers.len(), 2, "what changed something, and was asked");
    assert!(writers.contains(&w2.session) && writers.contains(&w3.session));
}

#[tokio::test(start_paused = true)]
async fn a_hundred_commands_are_few_questions_in_their_order() {
    let (desk, [w1, w2, _w3]) = office().await;
    let names: Vec<String> = (0..100).map(|number| format!("m{number}")).collect();
    let decides = |name: &String| {
        let (ledger, command) = (w2.ledger.clone(), adopt(name));
        tokio::spawn(async move { ledger.decide(command).await })
    };
    for decided in names.iter().map(decides).collect::<Vec<_>>() {
        assert_eq!(decided.await.unwrap().unwrap().len(), 1);
    }
    let adopted: Vec<String> = desk
        .records()
        .await
        .iter()
        .flat_map(|record| &record.events)
        .filter_map(|event| match event {
            TeamEvent::Adopted { member, .. } => Some(member.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(adopted, names);
    assert!(w1.asked() < 100, "{} questions", w1.asked());
}

#[tokio::test(start_paused = true)]
async fn a_steward_that_dies_in_mid_question_decides_once() {
    for gate in [Gate::BeforeIt, Gate::AfterIt] {
        let (desk, [w1, w2, _w3]) = office().await;
        w1.way.set(gate);
        let decided = w2.ledger.decide(adopt("alice"));
        let events = tokio::time::timeout(Duration::from_secs(10), decided).await;
        let events = events.unwrap().unwrap();
        assert!(is_adopted("alice")(&events[0]), "{gate:?}: {events:?}");
        assert_eq!(desk.count(is_adopted("alice")).await, 1, "{gate:?}");
        // It was stopped only, and goes on.
        w1.way.set(Gate::Open);
        seconds(5).await;
        assert_eq!(desk.count(is_adopted("alice")).await, 1, "{gate:?}");
        w1.leave_wire();
        seconds(1).await;
        let events = w2.ledger.decide(adopt("bob")).await.unwrap();
        assert_eq!(events.len(), 1, "{gate:?}: nobody is asked");
        assert_eq!(
            desk.listed().await.len(),
            1,
            "{gate:?}: bob was not asked for"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_found_in_the_journal() {
    let (desk, [w1, w2, _w3]) = office().await;
    desk.fleet.break_wire(&w1.name, WireFault::AnswersLost);
    let events = w2.ledger.decide(adopt("alice")).await.unwrap();
    assert!(is_adopted("alice")(&events[0]));
    // It is asked again.
    seconds(3).await;
    let refused = w2.ledger.decide(stop("bob")).await;
    assert!(refused.is_err(), "{refused:?}");
    seconds(5).await;
    assert_eq!(desk.count(is_adopted("alice")).await, 1);
    let mut listed = desk.listed().await;
    listed.dedup();
    assert_eq!(
        listed.len(),
        2,
        "the refusal was told, so nobody decides it later"
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_that_arrives_late_decides_nothing_any_more() {
    let (desk, [w1, w2, w3]) = office().await;
    desk.fleet.break_wire(&w1.name, WireFault::Paused);
    let refused = w2.ledger.decide(stop("alice")).await;
    assert!(refused.is_err(), "she is not there: {refused:?}");
    assert_eq!(w3.ledger.decide(adopt("alice")).await.unwrap().len(), 1);
    desk.fleet.heal_wire(&w1.name);
    until(|| w1.asked() >= 2).await;
    seconds(5).await;
    assert_eq!(desk.count(is_adopted("alice")).await, 1);
    assert_eq!(
        desk.count(is_stopped("alice")).await,
        0,
        "who asked was told that it was refused"
    );
    assert_eq!(w2.ledger.decide(stop("alice")).await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_older_steward_and_one_that_left_are_done_without() {
    let desk = Desk::default();
    let w1 = desk
        .clerk_who("w1", Arc::new(|_, _| Some(FleetAnswer::Unknown)))
        .await;
    let w2 = desk.clerk("w2").await;
    desk.steward(&w1, 1).await;
    until(|| w2.ledger.team().places().steward().is_some()).await;
    for who in ["alice", "bob", "carol"] {
        assert_eq!(w2.ledger.decide(adopt(who)).await.unwrap().len(), 1);
        assert_eq!(desk.count(is_adopted(who)).await, 1);
    }
    assert_eq!(w1.asked(), 1, "it is not asked each time");
    seconds(3).await;
    w2.ledger.decide(adopt("dave")).await.unwrap();
    assert_eq!(w1.asked(), 2, "it may have been renewed");
}

#[tokio::test(start_paused = true)]
async fn who_hears_that_it_asked_the_wrong_one_reads_and_asks_again() {
    let desk = Desk::default();
    let not_me = FleetAnswer::Decided(DecidedCommands {
        journal: 0,
        verdicts: vec![CommandVerdict::NotSteward],
    });
    let w1 = desk.clerk_who("w1", once(not_me)).await;
    let w2 = desk.clerk("w2").await;
    desk.steward(&w1, 1).await;
    until(|| w2.ledger.team().places().steward().is_some()).await;
    let appended = w2.way.appended();
    assert_eq!(w2.ledger.decide(adopt("alice")).await.unwrap().len(), 1);
    assert_eq!(w1.asked(), 1);
    assert_eq!(
        w2.way.appended(),
        appended + 1,
        "nobody else decides: it did itself"
    );
    assert_eq!(
        desk.listed().await,
        [],
        "for certain nobody else has decided it"
    );
    seconds(3).await;
    assert_eq!(w2.ledger.decide(adopt("bob")).await.unwrap().len(), 1);
    assert_eq!((w1.asked(), w2.way.appended()), (2, appended + 1));
}

#[tokio::test(start_paused = true)]
async fn a_command_that_no_question_holds_is_decided_here() {
    let (desk, [w1, w2, _w3]) = office().await;
    let long = Command::Adopt {
        member: MemberName::teammate("alice").unwrap(),
        role: "x".repeat(300 << 10),
        stopped: false,
    };
    let (one, two, three) = tokio::join!(
        w2.ledger.decide(adopt("bob")),
        w2.ledger.decide(long),
        w2.ledger.decide(adopt("carol")),
    );
    for decided in [one, two, three] {
        assert_eq!(decided.unwrap().len(), 1);
    }
    assert_eq!(w1.asked(), 2);
    assert_eq!(desk.listed().await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_team_at_work_has_its_commands_decided_by_its_steward() {
    let yard = Yard::new();
    let hosts: [_; 3] = yard.workers().await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    yard.script.add("alice", vec![vec![toil("alice's part")]]);
    yard.script.add("bob", vec![vec![toil("bob's part")]]);
    hosts[1].send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.done().len() == 2).await;
    hosts[0].wait_idle().await;
    let records = yard.store.journal.read(0).await.unwrap().records;
    let listed = records.iter().flat_map(|record| &record.commands);
    let mut names: Vec<CommandId> = listed.map(|decided| decided.id).collect();
    let count = names.len();
    assert!(count > 5, "{count} commands were asked for");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "each was decided once");
    let steward = hosts[0].team().places().steward().cloned().unwrap();
    let session = hosts[0]
        .team()
        .places()
        .worker(&steward.worker)
        .unwrap()
        .session;
    assert!(names.iter().all(|name| name.writer != session));
}
