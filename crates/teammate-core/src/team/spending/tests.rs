use uuid::Uuid;

use super::*;
use crate::{
    Incarnation, Timestamp,
    model::Usage,
    spending::{UsageItem, by_model},
    team::{Command, TeamState, TranscriptPart, UsageReport},
};

fn lead() -> MemberName {
    MemberName::lead()
}

fn team() -> TeamState {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    run(&mut team, &create);
    team
}

fn run(team: &mut TeamState, command: &Command) -> usize {
    let decided = team.decide(command).unwrap();
    for event in &decided.events {
        // As the journal holds it.
        let json = serde_json::to_string(event).unwrap();
        team.apply(&serde_json::from_str(&json).unwrap(), Timestamp(1));
    }
    decided.events.len()
}

fn item(at: u64, model: &str, input: u64) -> UsageItem {
    let usage = Usage {
        input,
        ..Usage::default()
    };
    UsageItem {
        at,
        model: model.into(),
        usage,
    }
}

fn spend(items: &[UsageItem], part: Option<(u64, u64)>) -> Command {
    Command::RecordUsage(UsageReport {
        member: lead(),
        incarnation: Incarnation::FIRST,
        totals: by_model(items),
        active_time: ActiveTime::default(),
        part: part.map(|(from, to)| TranscriptPart { from, to }),
    })
}

fn rest(why: EndReason, turn: Option<u64>) -> Command {
    Command::EndTurn {
        member: lead(),
        incarnation: Incarnation::FIRST,
        why,
        turn,
        result: String::new(),
    }
}

#[test]
fn each_answer_counts_once_however_often_it_is_handed_over() {
    let mut team = team();
    let (one, two) = (item(1, "a:one", 10), item(3, "b:two", 5));
    assert_eq!(
        run(&mut team, &spend(std::slice::from_ref(&one), Some((0, 2)))),
        1
    );
    assert_eq!(
        run(&mut team, &spend(std::slice::from_ref(&one), Some((0, 2)))),
        0,
        "again"
    );
    let all = [one.clone(), two.clone()];
    assert_eq!(
        run(&mut team, &spend(&all, Some((0, 4)))),
        0,
        "it begins too early"
    );
    assert_eq!(team.spending().sum().tokens(), 10);

    // What a crash left uncounted is added from the transcript, by its marks.
    assert_eq!(team.spending().counted(&lead()), 2);
    let mut whole = team.spending().clone();
    whole.add_pending(&lead(), &all);
    assert_eq!(whole.sum().tokens(), 15);

    assert_eq!(run(&mut team, &spend(&[two], Some((2, 4)))), 1);
    assert_eq!(team.spending().models(), whole.models());
    assert_eq!(team.spending().sum().requests, 2);
}

#[test]
fn one_part_with_two_models_moves_the_mark_once() {
    let mut team = team();
    let items = [
        item(1, "a:one", 1),
        item(3, "b:two", 2),
        item(5, "a:one", 4),
    ];
    assert_eq!(run(&mut team, &spend(&items, Some((0, 6)))), 2);
    let models = team.spending().member(&lead()).models;
    assert_eq!(models["a:one"].tokens(), 5);
    assert_eq!(models["b:two"].tokens(), 2);
    assert_eq!(team.spending().counted(&lead()), 6);
}

#[test]
fn what_stands_in_no_transcript_always_counts() {
    let mut team = team();
    let summary = spend(&[item(0, "a:one", 7)], None);
    assert_eq!(run(&mut team, &summary), 1);
    assert_eq!(run(&mut team, &summary), 1);
    assert_eq!(team.spending().sum().tokens(), 14);
    assert_eq!(team.spending().counted(&lead()), 0);
}

#[test]
fn a_transcript_that_lost_lines_is_counted_from_where_it_ends() {
    let mut team = team();
    run(&mut team, &spend(&[item(8, "a:one", 1)], Some((0, 9))));
    assert_eq!(run(&mut team, &spend(&[], Some((9, 5)))), 1);
    run(&mut team, &spend(&[item(5, "a:one", 2)], Some((5, 6))));
    assert_eq!(team.spending().sum().tokens(), 3);
    assert_eq!(team.spending().sum().requests, 2);
}

#[test]
fn time_is_not_lost_with_a_part_that_was_counted_before() {
    let mut team = team();
    let worked = ActiveTime { member: 5, team: 3 };
    for _ in 0..2 {
        let Command::RecordUsage(spend) = spend(&[item(1, "a:one", 10)], Some((0, 2))) else {
            unreachable!()
        };
        run(
            &mut team,
            &Command::RecordUsage(UsageReport {
                active_time: worked,
                ..spend
            }),
        );
    }
    assert_eq!(team.spending().sum().tokens(), 10);
    assert_eq!(team.spending().member(&lead()).worked, 10);
    assert_eq!(team.spending().worked, 6);
}

#[test]
fn a_turn_counts_when_it_has_ended() {
    let mut team = team();
    let limit = EndReason::Limit {
        what: "spent".into(),
    };
    for (why, turn, turns) in [
        (EndReason::Done, Some(3), 1),
        (EndReason::Interrupted, None, 1),
        (EndReason::Done, Some(3), 1),
        (limit, Some(5), 1),
        (EndReason::Done, Some(7), 2),
    ] {
        run(&mut team, &rest(why, turn));
        assert_eq!(team.spending().turns(), turns, "{turn:?}");
    }
}
