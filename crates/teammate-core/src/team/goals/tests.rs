//! Goals: one at a time, each run counted once, and an end for whatever happens.

use super::*;
use crate::{
    Incarnation, MemberName,
    team::{Command, Lapse, TeamEvent, TeamState},
    transcript::EndReason,
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
        team.apply(event, Timestamp(7));
    }
    events.len()
}

fn ask(team: &mut TeamState, command: GoalCommand) -> usize {
    act(team, &Command::Goal(command))
}

fn refused(team: &TeamState, command: GoalCommand) -> String {
    let refused = team.decide(&Command::Goal(command));
    refused.unwrap_err().to_string()
}

fn set(call: &str) -> GoalCommand {
    GoalCommand::Set(NewGoal {
        call: call.into(),
        text: " make it green ".to_owned(),
        check: "cargo test".to_owned(),
        tries_max: 6,
    })
}

fn run(exit: i32, tail: &str, files: &str) -> GoalRun {
    GoalRun {
        exit: Some(exit),
        took_ms: 4_120,
        tail: tail.to_owned(),
        files: Some(files.to_owned()),
    }
}

fn number(number: u32, run: &GoalRun) -> GoalCommand {
    GoalCommand::Try {
        goal: GoalId::new(1),
        number,
        run: run.clone(),
    }
}

fn end_of(team: &TeamState) -> Option<GoalEnd> {
    team.goals().last().and_then(|goal| goal.end.clone())
}

fn lead_ends(team: &mut TeamState, why: EndReason) {
    let (member, incarnation) = (MemberName::lead(), Incarnation::FIRST);
    for event in [
        TeamEvent::Working {
            member: member.clone(),
            incarnation,
        },
        TeamEvent::TurnEnded {
            member,
            incarnation,
            why,
            turn: None,
            result: String::new(),
        },
    ] {
        team.apply(&event, Timestamp(8));
    }
}

#[test]
fn a_goal_is_set_once_and_another_when_it_has_ended() {
    let mut team = team();
    assert_eq!(ask(&mut team, set("a")), 1);
    assert_eq!(ask(&mut team, set("a")), 0, "the same call again");
    let open = team.goals().open().unwrap();
    assert_eq!((&*open.text, open.since), ("make it green", Timestamp(7)));
    assert!(refused(&team, set("b")).contains("g1; end it first"));
    let drop = GoalCommand::End {
        goal: GoalId::new(1),
        end: GoalEnd::Dropped,
    };
    assert_eq!(ask(&mut team, drop.clone()), 1);
    assert!(refused(&team, drop).contains("no goal that is open"));
    assert_eq!(ask(&mut team, set("b")), 1);
    assert_eq!(team.goals().open().unwrap().id, GoalId::new(2));
}

#[test]
fn a_run_counts_once_and_the_lead_is_told_of_it_once() {
    let mut team = team();
    ask(&mut team, set("a"));
    let failed = run(101, "1 of 3 failed in 0.1 s", "x");
    assert_eq!(ask(&mut team, number(1, &failed)), 1);
    assert_eq!(
        ask(&mut team, number(1, &failed)),
        0,
        "another life, the same run"
    );
    let goal = team.goals().open().unwrap();
    assert!(goal.is_untold);
    let news = goal.news().unwrap();
    assert!(
        news.contains("exited 101 after 4.1 s, try 1 of 6. Go on"),
        "{news}"
    );
    assert!(news.ends_with("1 of 3 failed in 0.1 s"), "{news}");
    let tell = GoalCommand::Tell {
        goal: GoalId::new(1),
        number: 1,
    };
    assert_eq!(ask(&mut team, tell.clone()), 1);
    assert_eq!(ask(&mut team, tell), 0);
    assert_eq!(ask(&mut team, number(2, &run(0, "", "y"))), 2);
    assert_eq!(end_of(&team), Some(GoalEnd::Reached));
    assert_eq!(ask(&mut team, number(3, &failed)), 0, "it is open no more");
}

#[test]
fn tries_that_fail_alike_end_it_unless_files_changed() {
    let mut team = team();
    ask(&mut team, set("a"));
    ask(&mut team, number(1, &run(1, "failed in 0.1 s", "x")));
    ask(&mut team, number(2, &run(1, "failed in 0.2 s", "x")));
    let news = team.goals().open().unwrap().news().unwrap();
    assert!(news.contains("the same way 2 times now"), "{news}");
    ask(&mut team, number(3, &run(1, "failed in 0.3 s", "changed")));
    assert_eq!(team.goals().open().unwrap().alike, 1);
    ask(&mut team, number(4, &run(1, "failed in 9 s", "changed")));
    ask(&mut team, number(5, &run(1, "failed in 0 s", "changed")));
    assert_eq!(end_of(&team), None);
    assert_eq!(
        ask(&mut team, number(6, &run(1, "failed in 1 s", "new"))),
        2
    );
    assert_eq!(end_of(&team), Some(GoalEnd::Tried));

    let mut team = self::team();
    ask(&mut team, set("a"));
    for at in 1..ALIKE_MAX {
        assert_eq!(ask(&mut team, number(at, &run(1, "no", "x"))), 1);
    }
    assert_eq!(ask(&mut team, number(ALIKE_MAX, &run(1, "no", "x"))), 2);
    assert_eq!(end_of(&team), Some(GoalEnd::Stuck));
}

#[test]
fn it_keeps_a_lead_going_that_ended_by_itself_and_no_other() {
    let mut team = team();
    ask(&mut team, set("a"));
    let failed = EndReason::Failed {
        what: "no key".to_owned(),
    };
    for (why, goes_on) in [
        (EndReason::Done, true),
        (EndReason::Interrupted, false),
        (EndReason::Done, true),
        (failed, false),
    ] {
        lead_ends(&mut team, why.clone());
        assert_eq!(team.goal_in_force().is_some(), goes_on, "{why:?}");
    }
}

#[test]
fn it_ends_where_records_are_missing_and_nonsense_is_refused() {
    let mut team = team();
    let wrong = |change: fn(&mut NewGoal)| {
        let GoalCommand::Set(mut new) = set("a") else {
            unreachable!();
        };
        change(&mut new);
        GoalCommand::Set(new)
    };
    assert!(refused(&team, wrong(|new| new.text = " ".to_owned())).contains("a goal has 1 to"));
    assert!(refused(&team, wrong(|new| new.check = String::new())).contains("check has 1 to"));
    assert!(refused(&team, wrong(|new| new.tries_max = 0)).contains("1 to 1000 tries"));
    ask(&mut team, set("a"));
    let lapse = Command::Lapse {
        lapse: Lapse::Damage,
        why: "a gap".to_owned(),
    };
    act(&mut team, &lapse);
    assert_eq!(team.goals().open(), None);
}
