use std::time::Duration;

use uuid::Uuid;

use super::*;
use crate::{
    MemberName, Timestamp,
    breadth::OfferedRules,
    digest::Digest,
    name::WorkerName,
    request::{Answer, PermissionRequest, RequestCommand, RequestPayload},
    team::{Command, JournalFormat, Lapse, PlaceCommand, RecordWriter, SeenWorker, Walls},
};

fn run(team: &mut TeamState, writer: &RecordWriter, command: &Command) {
    for event in team.decide(command).unwrap().events {
        team.apply_by(writer, &event, Timestamp(0));
    }
}

fn a_worker() -> RecordWriter {
    RecordWriter::Worker(WorkerName::parse("w1").unwrap())
}

fn team() -> TeamState {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(7),
        name: "default".into(),
    };
    run(&mut team, &RecordWriter::User, &create);
    team
}

/// The same, which a worker has joined.
fn on_workers() -> TeamState {
    let mut team = team();
    let join = Command::Place(PlaceCommand::Join {
        worker: WorkerName::parse("w1").unwrap(),
        session: Uuid::from_u128(1),
        labels: [].into(),
        places: 4,
        walls: Walls::default(),
        format: JournalFormat::NOW,
        seen: SeenWorker::Silent,
    });
    run(&mut team, &a_worker(), &join);
    team
}

/// The lead asks, and in a record of this writer the user answers "always". What follows a `#` only tells calls apart.
fn always(team: &mut TeamState, call: &str, breadth: Breadth, writer: &RecordWriter) {
    let command = call.split('#').next().unwrap();
    let ask = PermissionRequest {
        tool: "bash".into(),
        shows: call.into(),
        digest: Digest::of_bytes([7; 32]),
        rules: Box::new(OfferedRules {
            exact: Some(format!("bash(={command})")),
            prefix: None,
            tool: Some("edit_file".to_owned()),
        }),
        lead_may: false,
        because: String::new(),
        touches: None,
    };
    let open = RequestCommand::Open {
        kind: RequestPayload::Permission(ask),
        from: Principal::member(&MemberName::lead(), crate::Incarnation::FIRST),
        call: call.into(),
        deadline: None,
        at: Timestamp(1),
    };
    run(team, &a_worker(), &Command::Request(open));
    let request = team.requests().pending().last().unwrap().id;
    let answer = RequestCommand::Answer {
        request,
        expects: None,
        saw: None,
        by: Principal::User,
        answer: Answer::always(breadth),
        device: None,
        at: Timestamp(0),
    };
    run(team, writer, &Command::Request(answer));
}

fn rules(team: &TeamState) -> Vec<String> {
    let rules = team.standing_rules().iter();
    rules.map(|standing| standing.rule.to_string()).collect()
}

#[test]
fn the_users_always_stands_for_all_workers_and_is_kept_once() {
    let mut team = on_workers();
    always(&mut team, "make", Breadth::Exact, &RecordWriter::User);
    always(&mut team, "test", Breadth::Exact, &RecordWriter::User);
    always(&mut team, "make#2", Breadth::Exact, &RecordWriter::User);
    assert_eq!(rules(&team), ["bash(=test)", "bash(=make)"]);
}

#[test]
fn a_workers_word_and_a_team_without_workers_make_no_rule() {
    let mut team = on_workers();
    always(&mut team, "make", Breadth::Exact, &a_worker());
    assert!(team.standing_rules().is_empty());
    let mut alone = super::tests::team();
    always(&mut alone, "make", Breadth::Exact, &RecordWriter::User);
    assert!(alone.standing_rules().is_empty());
}

#[test]
fn a_rule_for_a_tool_ends_with_the_stop_of_the_team_and_all_end_where_records_are_missing() {
    let mut team = on_workers();
    always(&mut team, "make", Breadth::Exact, &RecordWriter::User);
    always(&mut team, "edit", Breadth::Tool, &RecordWriter::User);
    assert_eq!(rules(&team), ["bash(=make)", "edit_file"]);
    let stop = RequestCommand::Shutdown {
        member: MemberName::lead(),
        from: Principal::User,
        call: "stop".into(),
        reason: String::new(),
        within: Duration::from_secs(2),
        at: Timestamp(0),
    };
    run(&mut team, &RecordWriter::User, &Command::Request(stop));
    assert_eq!(rules(&team).len(), 2, "it is asked, and not stopped yet");
    let request = team
        .requests()
        .pending()
        .find(|request| request.pauses_team());
    let agreed = RequestCommand::Answer {
        request: request.unwrap().id,
        expects: None,
        saw: None,
        by: Principal::member(&MemberName::lead(), crate::Incarnation::FIRST),
        answer: Answer::yes(),
        device: None,
        at: Timestamp(0),
    };
    run(&mut team, &a_worker(), &Command::Request(agreed));
    assert_eq!(rules(&team), ["bash(=make)"]);
    let lapse = Command::Lapse {
        lapse: Lapse::Damage,
        why: "a record is missing".to_owned(),
    };
    run(&mut team, &a_worker(), &lapse);
    assert!(team.standing_rules().is_empty());
}

#[test]
fn only_so_many_are_kept_and_the_oldest_go() {
    let mut team = on_workers();
    for number in 0..=RULES_MAX {
        always(
            &mut team,
            &format!("make {number}"),
            Breadth::Exact,
            &RecordWriter::User,
        );
    }
    assert_eq!(rules(&team).len(), RULES_MAX);
    assert_eq!(rules(&team)[0], "bash(=make 1)");
}

#[test]
fn the_user_takes_a_rule_back() {
    let mut team = on_workers();
    always(&mut team, "make", Breadth::Exact, &RecordWriter::User);
    always(&mut team, "test", Breadth::Exact, &RecordWriter::User);
    let drop = Command::DropRule("bash(=make)".to_owned());
    run(&mut team, &RecordWriter::User, &drop);
    assert_eq!(rules(&team), ["bash(=test)"]);
    let again = team.decide(&drop).unwrap();
    assert!(again.events.is_empty(), "{again:?}");
}
