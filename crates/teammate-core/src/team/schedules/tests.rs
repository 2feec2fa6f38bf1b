//! Schedules: one winner for each moment, whatever is repeated, lost or late.

use super::*;
use crate::{
    Incarnation,
    board::{TaskAction, TaskCommand},
    team::{Command, Lapse, TeamEvent, TeamRefusal, TeamState},
};

fn team() -> TeamState {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: uuid::Uuid::from_u128(1),
        name: "default".to_owned(),
    };
    act(&mut team, &create);
    team
}

/// Decides and applies; how many events there were.
fn act(team: &mut TeamState, command: &Command) -> usize {
    let events = team.decide(command).unwrap().events;
    for event in &events {
        team.apply(event, Timestamp(0));
    }
    events.len()
}

fn refused(team: &TeamState, command: ScheduleCommand) -> String {
    team.decide(&Command::Schedule(command))
        .unwrap_err()
        .to_string()
}

fn new(call: &str, work: ScheduledWork) -> ScheduleCommand {
    ScheduleCommand::Add(Box::new(NewSchedule {
        call: call.into(),
        by: Actor::User,
        when: ScheduleTime::Cron("0 9 * * *".to_owned()),
        work,
        missed: MissedRuns::RunOnce,
        next: Timestamp(100),
    }))
}

fn task(subject: &str) -> ScheduledWork {
    ScheduledWork::Task {
        subject: subject.to_owned(),
        description: String::new(),
    }
}

fn say(text: &str) -> ScheduledWork {
    ScheduledWork::Say {
        to: MemberName::lead(),
        text: text.to_owned(),
    }
}

fn fire(id: u32, due: u64, next: Option<u64>) -> Command {
    Command::Schedule(ScheduleCommand::Fire {
        id: ScheduleId::new(id),
        due: Timestamp(due),
        next: next.map(Timestamp),
    })
}

fn schedule(team: &TeamState, id: u32) -> &Schedule {
    team.schedules().get(ScheduleId::new(id)).unwrap()
}

#[test]
fn a_moment_fires_once_and_its_task_stands_in_the_same_record() {
    let mut team = team();
    assert_eq!(
        act(
            &mut team,
            &Command::Schedule(new("a", task("Look at the log")))
        ),
        1
    );
    assert_eq!(
        act(
            &mut team,
            &Command::Schedule(new("a", task("Look at the log")))
        ),
        0
    );
    assert_eq!(
        act(&mut team, &fire(1, 90, Some(200))),
        0,
        "another moment is due"
    );
    let decided = team.decide(&fire(1, 100, Some(200))).unwrap();
    assert!(matches!(
        &decided.events[..],
        [TeamEvent::Schedule { .. }, TeamEvent::Task { .. }]
    ));
    assert_eq!(act(&mut team, &fire(1, 100, Some(200))), 2);
    assert_eq!(act(&mut team, &fire(1, 100, Some(200))), 0);
    let known = schedule(&team, 1);
    assert_eq!((known.runs, known.next), (1, Some(Timestamp(200))));
    assert_eq!(team.board().tasks().count(), 1);
}

#[test]
fn a_task_that_is_not_finished_is_not_doubled() {
    let mut team = team();
    act(&mut team, &Command::Schedule(new("a", task("Look"))));
    act(&mut team, &fire(1, 100, Some(200)));
    assert_eq!(act(&mut team, &fire(1, 200, Some(300))), 1);
    let known = schedule(&team, 1);
    assert_eq!(
        known.skipped.as_deref(),
        Some("the task of its last run is not finished")
    );
    let id = known.last_task.unwrap();
    let fail = TaskCommand::Act {
        by: Actor::User,
        action: TaskAction::Fail(id, "no".to_owned()),
        verified: None,
    };
    act(&mut team, &Command::Task(fail));
    assert_eq!(act(&mut team, &fire(1, 300, Some(400))), 2);
    assert_eq!(schedule(&team, 1).skipped, None);
}

#[test]
fn a_message_is_owed_until_it_is_in_its_mailbox() {
    let mut team = team();
    act(&mut team, &Command::Schedule(new("a", say("Good morning"))));
    act(&mut team, &fire(1, 100, None));
    let owed: Vec<_> = team
        .schedules()
        .untold()
        .map(|(known, due)| (known.id, due))
        .collect();
    assert_eq!(owed, [(ScheduleId::new(1), Timestamp(100))]);
    let told = |due| {
        Command::Schedule(ScheduleCommand::Told {
            id: ScheduleId::new(1),
            due: Timestamp(due),
        })
    };
    assert_eq!(act(&mut team, &told(90)), 0);
    assert_eq!(act(&mut team, &told(100)), 1);
    // It was to fire once: nothing is left of it, and its id is not used again.
    assert_eq!(team.schedules().all().count(), 0);
    act(&mut team, &Command::Schedule(new("b", say("Again"))));
    assert_eq!(schedule(&team, 2).runs, 0);
}

#[test]
fn what_rests_does_not_fire_and_goes_on_at_the_next_moment() {
    let mut team = team();
    act(&mut team, &Command::Schedule(new("a", task("Look"))));
    let id = ScheduleId::new(1);
    let pause = Command::Schedule(ScheduleCommand::Pause {
        id,
        by: Actor::User,
    });
    assert_eq!((act(&mut team, &pause), act(&mut team, &pause)), (1, 0));
    assert_eq!(act(&mut team, &fire(1, 100, Some(200))), 0);
    assert_eq!(team.schedules().first_due(), None);
    let resume = Command::Schedule(ScheduleCommand::Resume {
        id,
        by: Actor::User,
        next: Timestamp(500),
    });
    act(&mut team, &resume);
    assert_eq!(
        team.schedules().first_due().map(|(_, due)| due),
        Some(Timestamp(500))
    );
    let lapse = Command::Lapse {
        lapse: Lapse::Damage,
        why: "a record is missing".to_owned(),
    };
    act(&mut team, &lapse);
    assert_eq!(
        act(&mut team, &fire(1, 500, None)),
        0,
        "nobody knows what has run"
    );
}

#[test]
fn who_may_not_and_what_cannot_be_is_refused() {
    let mut team = team();
    let by = Actor::Member(MemberName::lead(), Incarnation(9));
    let remove = ScheduleCommand::Remove {
        id: ScheduleId::new(1),
        by,
    };
    assert!(refused(&team, remove).contains("incarnation 9 has ended"));
    let remove = ScheduleCommand::Remove {
        id: ScheduleId::new(1),
        by: Actor::User,
    };
    assert_eq!(refused(&team, remove), "there is no schedule s1");
    let long = "x".repeat(8_001);
    for text in ["", " \n", &long] {
        assert!(refused(&team, new("a", task(text))).contains("has 1 to 8000 bytes"));
    }
    let nobody = ScheduledWork::Say {
        to: MemberName::parse("bob").unwrap(),
        text: "x".to_owned(),
    };
    assert_eq!(refused(&team, new("a", nobody)), "there is no member 'bob'");
    for number in 0..SCHEDULES_MAX {
        act(
            &mut team,
            &Command::Schedule(new(&format!("{number}"), task("x"))),
        );
    }
    let many = team.decide(&Command::Schedule(new("more", task("x"))));
    assert_eq!(many, Err(TeamRefusal::Schedule(ScheduleRefusal::TooMany)));
}
