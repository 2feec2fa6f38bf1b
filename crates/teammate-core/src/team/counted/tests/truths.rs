//! What honest workers ask and honest stewards record: all of it counts, of every kind of command that speaks for a member.

use std::time::Duration;

use super::*;
use crate::{
    board::TaskEdit,
    digest::Digest,
    id::{JobId, ScheduleId},
    member::{Todo, TodoList, TodoStatus, WaitingOn},
    model::{Usage, UsageTotal},
    request::{
        Answer, Approver, PermissionRequest, PlanRequest, Principal, RequestCommand, RequestPayload,
    },
    spending::ActiveTime,
    status::JobEnd,
    team::{
        GroupCommand, MissedRuns, NewSchedule, PlaceCommand, ScheduleCommand, ScheduleTime,
        ScheduledWork, StartJob, UsageReport,
    },
    transcript::EndReason,
    worker::CommitId,
};

/// The steward records what follows from a command that `w2` asked for.
fn counts(story: &mut Story, number: u64, command: &Command) {
    let events = story.decided(command);
    assert!(!events.is_empty(), "{command:?} changes something");
    let taken = story.take("w1", events.clone(), Some(&asked(number, command.clone())));
    assert_eq!(taken, Ok(()), "{command:?} gave {events:?}");
}

fn bob() -> Principal {
    Principal::member(&member("bob"), LIFE)
}

fn request(kind: RequestPayload, call: &str) -> Command {
    Command::Request(RequestCommand::Open {
        kind,
        from: bob(),
        call: call.into(),
        deadline: None,
        at: Timestamp(1),
    })
}

fn plan(approver: Approver) -> RequestPayload {
    RequestPayload::Plan(PlanRequest {
        text: "think".into(),
        digest: Digest::of_bytes([1; 32]),
        approver,
    })
}

fn permission() -> RequestPayload {
    RequestPayload::Permission(PermissionRequest {
        tool: "bash".into(),
        shows: "make".into(),
        digest: Digest::of_bytes([7; 32]),
        rules: Box::default(),
        lead_may: true,
        because: String::new(),
        touches: None,
    })
}

fn answer(id: &str, by: Principal, answer: Answer) -> Command {
    Command::Request(RequestCommand::Answer {
        request: id.parse().unwrap(),
        expects: None,
        saw: None,
        by,
        answer,
        device: None,
        at: Timestamp(1),
    })
}

fn shutdown(from: Principal, within: Duration) -> Command {
    Command::Request(RequestCommand::Shutdown {
        member: member("bob"),
        from,
        call: "go".into(),
        reason: "done".into(),
        within,
        at: Timestamp(1),
    })
}

fn stop() -> Command {
    Command::Stop {
        member: member("bob"),
        incarnation: LIFE,
    }
}

#[test]
fn what_a_member_does_counts_as_its_worker_asked_for_it() {
    let mut story = Story::with_lead_on("w1");
    let todo = Todo {
        content: "think".into(),
        active_form: None,
        status: TodoStatus::Pending,
    };
    let usage = UsageTotal::one(Usage {
        input: 5,
        ..Usage::default()
    });
    let (bob, incarnation) = (member("bob"), LIFE);
    let commands = [
        Command::StartTurn {
            member: bob.clone(),
            incarnation,
        },
        Command::Wait {
            member: bob.clone(),
            incarnation,
            on: WaitingOn::Model,
        },
        Command::EndTurn {
            member: bob.clone(),
            incarnation,
            why: EndReason::Done,
            turn: Some(4),
            result: "done".into(),
        },
        Command::SetTodos {
            member: bob.clone(),
            incarnation,
            items: TodoList::new(vec![todo]).unwrap(),
        },
        Command::RecordUsage(UsageReport {
            member: bob.clone(),
            incarnation,
            totals: vec![("a:b".into(), usage), ("a:c".into(), usage)],
            active_time: ActiveTime { member: 3, team: 0 },
            part: None,
        }),
        Command::StartJob(StartJob {
            owner: bob.clone(),
            incarnation,
            call: "job".into(),
            title: "serve".into(),
            acts: false,
        }),
        Command::EndJob {
            job: JobId::parse("b1").unwrap(),
            end: JobEnd::Done,
        },
        act("bob", TaskAction::Complete(first_task(), " so ".into())),
        Command::Task(TaskCommand::ClaimNext(bob.clone(), incarnation)),
        Command::Place(PlaceCommand::Deliver {
            by: Holding {
                member: bob.clone(),
                worker: worker("w2"),
                term: Term(1),
            },
            commit: CommitId::parse(&"0123456789".repeat(4)).unwrap(),
        }),
        request(permission(), "p1"),
    ];
    for (number, command) in (0..).zip(&commands) {
        counts(&mut story, number, command);
    }
    // The user answers by a process of its own.
    story.by_user(&answer("1", Principal::User, Answer::yes()));
    let used = Command::Request(RequestCommand::UseGrant {
        request: "1".parse().unwrap(),
        member: bob,
        incarnation,
        digest: Digest::of_bytes([7; 32]),
    });
    counts(&mut story, 20, &used);
    counts(&mut story, 21, &under(1, stop()));
}

#[test]
fn what_the_lead_does_counts_as_its_worker_asked_for_it() {
    let mut story = Story::with_lead_on("w2");
    let lead = || Principal::member(&MemberName::lead(), LIFE);
    let [one, two, three] = ["1", "2", "3"].map(|id| id.parse::<TaskId>().unwrap());
    let blocking = NewTask {
        call: "three".into(),
        subject: " three ".into(),
        check: Some("true".into()),
        blocks: [two].into(),
        ..NewTask::default()
    };
    let edit = TaskEdit {
        subject: Some(" three, too ".into()),
        check: Some(None),
        add_blocks: [one].into(),
        ..TaskEdit::default()
    };
    let schedule = NewSchedule {
        call: "once".into(),
        by: actor("lead"),
        when: ScheduleTime::Once(Timestamp(9)),
        work: ScheduledWork::Task {
            subject: "look".into(),
            description: "around".into(),
        },
        missed: MissedRuns::RunOnce,
        next: Timestamp(9),
    };
    let red = crate::GroupName::parse("red").unwrap();
    let commands = [
        act("lead", TaskAction::Create(Box::new(blocking))),
        act("lead", TaskAction::Edit(three, Box::new(edit))),
        act("lead", TaskAction::Assign(three, member("alice"))),
        act("lead", TaskAction::Reopen(one, "again".into())),
        act("lead", TaskAction::Fail(one, "no".into())),
        act("lead", TaskAction::Delete(one)),
        spawn("carol"),
        Command::Group(GroupCommand::Make {
            by: MemberName::lead(),
            call: "make".into(),
            team: red.clone(),
        }),
        Command::Group(GroupCommand::End {
            by: MemberName::lead(),
            call: "end".into(),
            team: red,
        }),
        Command::Schedule(ScheduleCommand::Add(Box::new(schedule))),
        Command::Request(RequestCommand::RequirePlan {
            member: member("bob"),
            by: lead(),
            call: "plan".into(),
        }),
        request(plan(Approver::Lead), "p1"),
        answer("1", lead(), Answer::no("not so")),
        request(plan(Approver::Rule), "p2"),
        answer("2", Principal::System, Answer::yes()),
        Command::Request(RequestCommand::Heard {
            request: "2".parse().unwrap(),
            member: member("bob"),
            incarnation: LIFE,
        }),
        Command::Request(RequestCommand::LiftPlan {
            member: member("bob"),
            by: lead(),
        }),
        shutdown(lead(), Duration::from_secs(1)),
        answer("3", bob(), Answer::yes()),
    ];
    for (number, command) in (0..).zip(&commands) {
        counts(&mut story, number, command);
    }
    // What a schedule makes is the program's to record.
    let fire = Command::Schedule(ScheduleCommand::Fire {
        id: ScheduleId::parse("s1").unwrap(),
        due: Timestamp(9),
        next: None,
    });
    let events = story.decided(&fire);
    assert_eq!(events.len(), 2, "it makes a task");
    assert_eq!(story.take("w1", events, None), Ok(()));
}

#[test]
fn a_silent_worker_s_member_is_ended_by_the_lead_s_when_it_is_due() {
    let mut story = Story::with_lead_on("w1");
    let events = story.decided(&stop());
    assert!(story.take("w1", events.clone(), None).is_err(), "not yet");
    story.by_user(&shutdown(Principal::User, Duration::ZERO));
    story.by_user(&Command::Request(RequestCommand::Expire {
        request: "1".parse().unwrap(),
        at: Timestamp(9),
    }));
    let taken = story.take("w3", events.clone(), None);
    assert!(taken.is_err(), "it does not hold the lead");
    assert_eq!(story.take("w1", events, None), Ok(()));
}
