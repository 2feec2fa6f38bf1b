//! All that can happen to a task.

use std::collections::BTreeSet;

use teammate_core::{
    GroupName, Incarnation, Sender,
    board::{Evidence, Requirement, TaskEvent, TaskId},
};

use super::every;
use crate::common::name;

fn tasks<const N: usize>(numbers: [u32; N]) -> BTreeSet<TaskId> {
    numbers.map(TaskId::new).into()
}

pub(crate) fn task_events() -> Vec<TaskEvent> {
    let alice = || Sender::Member(name("alice"));
    every! { TaskEvent:
        TaskEvent::Created { .. } => [
            TaskEvent::Created {
                by: Sender::User,
                call: "c1".into(),
                subject: "Write the parser".into(),
                description: String::new(),
                active_form: String::new(),
                blocked_by: BTreeSet::new(),
                requires: None,
                check: None,
                worktree: false,
                team: None,
                assigned: None,
            },
            TaskEvent::Created {
                by: alice(),
                call: "c2".into(),
                subject: "Write the parser".into(),
                description: "With \"quotes\"\nand lines".into(),
                active_form: "Writing the parser".into(),
                blocked_by: tasks([1, 2]),
                requires: Some(Requirement::Role("coder".into())),
                check: Some("cargo test".into()),
                worktree: true,
                team: Some(GroupName::parse("backend").unwrap()),
                assigned: Some(name("bob")),
            },
        ],
        TaskEvent::Edited { .. } => [
            TaskEvent::Edited {
                by: Sender::System,
                subject: None,
                description: None,
                active_form: None,
                add_blocked_by: BTreeSet::new(),
                remove_blocked_by: BTreeSet::new(),
                requires: None,
                check: None,
            },
            TaskEvent::Edited {
                by: Sender::User,
                subject: Some("Write it well".into()),
                description: Some("Again".into()),
                active_form: Some("Writing it well".into()),
                add_blocked_by: tasks([3]),
                remove_blocked_by: tasks([1]),
                requires: Some("tool:bash".into()),
                check: Some(String::new()),
            },
        ],
        TaskEvent::Assigned { .. } => [
            TaskEvent::Assigned { by: Sender::User, to: name("bob"), had: None },
            TaskEvent::Assigned { by: alice(), to: name("bob"), had: Some(name("carol")) },
        ],
        TaskEvent::Claimed { .. } => [
            TaskEvent::Claimed { by: name("bob"), incarnation: Incarnation(2), claim: 1 },
        ],
        TaskEvent::Renewed { .. } => [TaskEvent::Renewed { incarnation: Incarnation(3) }],
        TaskEvent::Nudged => [TaskEvent::Nudged],
        TaskEvent::CheckFailed { .. } => [
            TaskEvent::CheckFailed { by: alice(), output: "1 test failed".into() },
        ],
        TaskEvent::Released { .. } => [
            TaskEvent::Released { by: alice(), why: "too hard".into(), is_setback: false },
            TaskEvent::Released { by: Sender::System, why: "its owner ended".into(), is_setback: true },
        ],
        TaskEvent::Completed { .. } => [
            TaskEvent::Completed { by: alice(), result: String::new(), evidence: None },
            TaskEvent::Completed { by: alice(), result: "It is in parser.rs".into(), evidence: None },
            TaskEvent::Completed { by: alice(), result: String::new(), evidence: Some(evidence(None)) },
            TaskEvent::Completed { by: alice(), result: String::new(), evidence: Some(evidence(Some("91ab02f"))) },
        ],
        TaskEvent::Failed { .. } => [TaskEvent::Failed { by: alice(), why: "no way".into() }],
        TaskEvent::Reopened { .. } => [
            TaskEvent::Reopened { by: Sender::User, why: String::new(), had: None },
            TaskEvent::Reopened { by: Sender::User, why: "not done".into(), had: Some(name("bob")) },
        ],
        TaskEvent::Deleted { .. } => [
            TaskEvent::Deleted { by: Sender::User, had: None },
            TaskEvent::Deleted { by: Sender::User, had: Some(name("bob")) },
        ],
    }
}

pub(crate) fn evidence(tree: Option<&str>) -> Box<Evidence> {
    Box::new(Evidence {
        check: "cargo test".into(),
        exit: 0,
        took_ms: 4_100,
        tail: if tree.is_some() {
            "41 passed".into()
        } else {
            String::new()
        },
        tree: tree.map(str::to_owned),
    })
}
