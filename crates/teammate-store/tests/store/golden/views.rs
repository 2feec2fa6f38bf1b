//! Views: what `config.json`, `tasks/<id>.json` and `plans/<member>-<id>.md` look like, for those who read them with other
//! programs.

use std::collections::BTreeSet;

use teammate_core::{
    GroupName, Incarnation, Sender, Timestamp,
    board::{Board, Requirement, TaskEvent, TaskId},
    permission::{Mode, OfferedRules},
    port::{Disk, Durability},
    request::{
        Approver, Digest, PermissionRequest, PlanRequest, Principal, RequestEvent, RequestId,
        RequestPayload, Requests, ShutdownRequest,
    },
    team::{GroupEvent, MemberOptions, TeamEvent, TeamState},
    transcript::EndReason,
};
use teammate_store::{files::TeamDir, view_files};
use teammate_testkit::sim::SimDisk;
use uuid::Uuid;

use super::same_bytes;
use crate::common::name;

const FIRST: Incarnation = Incarnation::FIRST;

fn backend() -> GroupName {
    GroupName::parse("backend").unwrap()
}

fn task(number: u32, change: TaskEvent) -> TeamEvent {
    TeamEvent::Task {
        task: TaskId::new(number),
        change,
    }
}

fn request(number: u64, change: RequestEvent) -> TeamEvent {
    TeamEvent::Request {
        request: RequestId::new(number),
        change,
    }
}

fn spawned(who: &str, role: &str, terms: MemberOptions) -> TeamEvent {
    TeamEvent::Spawned {
        member: name(who),
        role: role.into(),
        prompt: String::new(),
        options: terms,
        incarnation: FIRST,
        by: name("lead"),
        call: format!("spawn-{who}").into(),
        fresh: false,
        plan_by: None,
        plan_once: false,
    }
}

fn opened(from: Principal, kind: RequestPayload) -> RequestEvent {
    RequestEvent::Opened {
        deadline: matches!(kind, RequestPayload::Shutdown(_))
            .then_some(Timestamp(1_732_230_060_500)),
        kind,
        from,
        call: "c1".into(),
        opened: None,
    }
}

fn members() -> Vec<TeamEvent> {
    let bob = MemberOptions {
        model: Some("anthropic:claude-opus-4-5".parse().unwrap()),
        group: Some(backend()),
        require_plan: true,
        ..MemberOptions::default()
    };
    vec![
        TeamEvent::Created {
            id: Uuid::from_u128(7),
            name: "default".into(),
        },
        spawned("lead", "lead", MemberOptions::default()),
        TeamEvent::Group {
            group: backend(),
            change: GroupEvent::Made {
                by: name("lead"),
                call: "c0".into(),
            },
        },
        spawned("alice", "coder", MemberOptions::default()),
        spawned("bob", "tester", bob),
        TeamEvent::TurnEnded {
            member: name("alice"),
            incarnation: FIRST,
            why: EndReason::Done,
            turn: Some(1),
            result: "done".into(),
        },
        TeamEvent::Working {
            member: name("bob"),
            incarnation: FIRST,
        },
    ]
}

fn tasks() -> Vec<TeamEvent> {
    let created = |subject: &str| TaskEvent::Created {
        by: Sender::User,
        call: format!("task-{subject}").into(),
        subject: subject.into(),
        description: String::new(),
        active_form: String::new(),
        blocked_by: BTreeSet::new(),
        requires: None,
        check: None,
        worktree: false,
        team: None,
        assigned: None,
    };
    let whole = TaskEvent::Created {
        by: Sender::Member(name("lead")),
        call: "task-2".into(),
        subject: "Write the parser".into(),
        description: "With \"quotes\"\nand lines".into(),
        active_form: "Writing the parser".into(),
        blocked_by: [TaskId::new(1)].into(),
        requires: Some(Requirement::Role("coder".into())),
        check: Some("cargo test".into()),
        worktree: true,
        team: Some(backend()),
        assigned: Some(name("bob")),
    };
    let claimed = TaskEvent::Claimed {
        by: name("bob"),
        incarnation: FIRST,
        claim: 1,
    };
    let by = || Sender::Member(name("bob"));
    vec![
        task(1, created("Design")),
        task(2, whole),
        task(1, claimed.clone()),
        task(
            1,
            TaskEvent::Completed {
                by: by(),
                result: "It is drawn".into(),
                evidence: None,
            },
        ),
        task(2, claimed),
        task(3, created("Fly")),
        task(
            3,
            TaskEvent::Failed {
                by: by(),
                why: "no wings".into(),
            },
        ),
        task(4, created("Wait")),
    ]
}

fn requests() -> Vec<TeamEvent> {
    let bob = || Principal::member(&name("bob"), FIRST);
    let plan = |byte, approver| {
        RequestPayload::Plan(PlanRequest {
            text: "# Plan\n1. read\n2. write\n".into(),
            digest: Digest::of_bytes([byte; 32]),
            approver,
        })
    };
    let permission = RequestPayload::Permission(PermissionRequest {
        tool: "bash".into(),
        shows: "cargo test\n# twice".into(),
        digest: Digest::of_bytes([8; 32]),
        rules: Box::new(OfferedRules {
            exact: Some("bash(cargo test:*)".into()),
            ..OfferedRules::default()
        }),
        lead_may: true,
        because: "no rule allows it, and the mode is ask".into(),
        touches: None,
    });
    let shutdown = RequestPayload::Shutdown(ShutdownRequest {
        member: name("alice"),
        incarnation: FIRST,
        reason: "all is done".into(),
        now: false,
    });
    vec![
        request(1, opened(bob(), plan(7, Approver::Lead))),
        request(
            1,
            RequestEvent::Approved {
                by: Principal::User,
                note: "go on".into(),
                mode: Some(Mode::AcceptEdits),
                always: None,
                awaits_hearing: false,
                covered_by: None,
                device: None,
            },
        ),
        request(2, opened(bob(), permission)),
        request(3, opened(Principal::member(&name("lead"), FIRST), shutdown)),
    ]
}

pub(crate) fn story() -> TeamState {
    let mut team = TeamState::default();
    for event in members().into_iter().chain(tasks()).chain(requests()) {
        team.apply(&event, Timestamp(1_732_230_000_500));
    }
    team
}

fn written() -> (SimDisk, TeamDir) {
    let disk = SimDisk::new();
    let dir = TeamDir::create(&disk, "/team").unwrap();
    let (team, now) = (story(), Timestamp(1_732_230_001_500));
    view_files::write_config(&disk, &dir, &team, now, Durability::Lazy).unwrap();
    view_files::write_tasks(&disk, &dir, &Board::default(), team.board()).unwrap();
    view_files::write_plans(&disk, &dir, &Requests::default(), team.requests()).unwrap();
    (disk, dir)
}

#[test]
fn the_roster_is_shown_as_ever() {
    let (disk, dir) = written();
    same_bytes("config-1.json", &disk.read(&dir.config()).unwrap());
}

#[test]
fn tasks_are_shown_as_ever() {
    let (disk, dir) = written();
    for number in 1..=4 {
        let shown = disk.read(&dir.task(TaskId::new(number))).unwrap();
        same_bytes(&format!("task-{number}.json"), &shown);
    }
}

#[test]
fn a_view_that_is_right_is_not_written_again() {
    let (disk, dir) = written();
    let team = story();
    let shown = || view_files::write_tasks(&disk, &dir, &Board::default(), team.board());
    let before = disk.operations();
    shown().unwrap();
    assert_eq!(disk.operations(), before);
    let path = dir.task(TaskId::new(2));
    let right = disk.read(&path).unwrap();
    let wrong = right.to_ascii_uppercase();
    disk.write(&path, &wrong).unwrap();
    shown().unwrap();
    assert_eq!(disk.read(&path).unwrap(), right);
}

#[test]
fn plans_are_shown_as_ever() {
    let (disk, dir) = written();
    let shown = disk.read(&dir.plan(&name("bob"), RequestId::new(1)));
    same_bytes("plan-1.md", &shown.unwrap());
}
