//! What lapses, and what stays.

use super::*;
use crate::{
    board::{Actor, NewTask, TaskAction, TaskCommand},
    digest::Digest,
    id::RequestId,
    request::{
        Answer, Approver, PermissionRequest, PlanGate, PlannedWork, Principal, RequestCommand,
        RequestPayload,
    },
};

/// A team in which bob has a permission question open, a permission unused, a job and a task with a check.
fn team_with_grants() -> TeamState {
    let mut team = team();
    run(&mut team, &Command::Spawn(spawn("bob", "c1"))).unwrap();
    let bob = name("bob");
    let ask = |call: &str| {
        Command::Request(RequestCommand::Open {
            kind: RequestPayload::Permission(PermissionRequest {
                tool: "bash".to_owned(),
                shows: call.to_owned(),
                digest: Digest::of_bytes([1; 32]),
                rules: Box::default(),
                lead_may: false,
                because: String::new(),
                touches: None,
            }),
            from: Principal::member(&bob, Incarnation(1)),
            call: call.into(),
            deadline: None,
            at: Timestamp(1),
        })
    };
    run(&mut team, &ask("bob/1/1/a")).unwrap();
    run(&mut team, &ask("bob/1/1/b")).unwrap();
    let yes = RequestCommand::Answer {
        request: RequestId::new(1),
        expects: None,
        saw: None,
        by: Principal::User,
        answer: Answer::yes(),
        device: None,
        at: Timestamp(1),
    };
    run(&mut team, &Command::Request(yes)).unwrap();
    let task = NewTask {
        subject: "build".to_owned(),
        check: Some("make".to_owned()),
        ..NewTask::default()
    };
    let create = TaskCommand::Act {
        by: Actor::User,
        action: TaskAction::Create(Box::new(task)),
        verified: None,
    };
    run(&mut team, &Command::Task(create)).unwrap();
    let job = StartJob {
        owner: bob,
        incarnation: Incarnation(1),
        call: "bob/1/1/c".into(),
        title: "sleep".to_owned(),
        acts: true,
    };
    run(&mut team, &Command::StartJob(job)).unwrap();
    team
}

#[test]
fn damage_ends_permissions_and_nothing_else() {
    let mut team = team_with_grants();
    let lapse = Command::Lapse {
        lapse: Lapse::Damage,
        why: "records 3 to 4 are missing".to_owned(),
    };
    assert_eq!(run(&mut team, &lapse), Ok(3));
    assert_eq!(team.requests().unresolved_permissions().count(), 0);
    assert_eq!(team.jobs().running().count(), 1);
    let bob = team.member(&name("bob")).unwrap();
    assert_eq!(bob.phase, MemberPhase::Starting);
    assert!(bob.assignment.is_some());
    assert!(
        team.board()
            .all_with_deleted()
            .all(|task| task.check.is_some())
    );
}

#[test]
fn nothing_runs_by_itself_after_an_adoption() {
    let mut team = team_with_grants();
    let lapse = Command::Lapse {
        lapse: Lapse::Adoption,
        why: "adopted by the user".to_owned(),
    };
    run(&mut team, &lapse).unwrap();
    assert_eq!(team.requests().unresolved_permissions().count(), 0);
    assert_eq!(team.requests().pending().count(), 0);
    assert_eq!(team.jobs().running().count(), 0);
    let bob = team.member(&name("bob")).unwrap();
    assert_eq!(bob.phase.status(), crate::status::MemberStatus::Idle);
    assert!(bob.assignment.is_none());
    assert_eq!(bob.role, "coder");
    assert_eq!(team.board().all_with_deleted().count(), 1);
    assert!(
        team.board()
            .all_with_deleted()
            .all(|task| task.check.is_none())
    );
}

#[test]
fn an_approved_plan_lapses_with_damage() {
    // Heard or not.
    for is_heard in [false, true] {
        let (plan, digest) = (RequestId::new(1), Digest::of_bytes([2; 32]));
        let mut gate = PlanGate::default();
        gate.submit(plan, PlannedWork::Assignment, Approver::Lead);
        gate.answer(plan, Some(digest));
        if is_heard {
            gate.hears(plan);
        }
        assert_eq!(gate.is_closed(), !is_heard);
        gate.lapse();
        gate.hears(plan);
        assert!(gate.is_closed());
    }
}
