//! The board's tools on the real rules: what the model reads, step by step.

use std::sync::Mutex;

use serde_json::json;
use teammate_core::{
    MemberName, Timestamp,
    board::{Actor, TaskAction, TaskCommand, TaskId},
    permission::Mode,
    port::{Record, Refusal, TaskChange, TaskReport, TaskSummary},
    team::{Command, MemberOptions, Spawn, TeamState},
};

use crate::support::Bench;

/// The team's own rules, without a journal.
pub(crate) struct RealBoard(Mutex<(TeamState, Vec<Record>)>);

impl RealBoard {
    pub(crate) fn new() -> Self {
        let board = Self(Mutex::default());
        let id = uuid::Uuid::from_u128(1);
        board
            .decide(&Command::Create {
                id,
                name: "default".into(),
            })
            .unwrap();
        for (name, role) in [("alice", "frontend developer"), ("bob", "tester")] {
            let spawn = Spawn {
                by: MemberName::lead(),
                call: name.into(),
                member: MemberName::teammate(name).unwrap(),
                role: role.into(),
                prompt: "wait".into(),
                options: MemberOptions::default(),
                ceiling: Mode::Bypass,
                fresh: false,
            };
            board.decide(&Command::Spawn(spawn)).unwrap();
        }
        board
    }

    fn decide(&self, command: &Command) -> Result<(), Refusal> {
        let mut state = self.0.lock().unwrap();
        let decided = state
            .0
            .decide(command)
            .map_err(|error| Refusal::Rule(error.to_string()))?;
        for event in &decided.events {
            state.0.apply(event, Timestamp(1));
        }
        let number = state.1.len() as u64;
        let record = Record::of(number, Timestamp(1), decided.events);
        state.1.push(record);
        Ok(())
    }
}

impl RealBoard {
    pub(crate) fn lines(&self) -> Vec<TaskSummary> {
        let state = self.0.lock().unwrap();
        let line = |task: &std::sync::Arc<teammate_core::board::Task>| TaskSummary {
            task: task.clone(),
            status_text: state.0.status_text(task),
        };
        state.0.board().tasks().map(line).collect()
    }

    pub(crate) fn report(&self, id: TaskId) -> Result<TaskReport, Refusal> {
        let state = self.0.lock().unwrap();
        let report = state.0.task_report(id, &state.1);
        report.map_err(|error| Refusal::Rule(error.to_string()))
    }

    pub(crate) fn change(&self, by: Actor, mut ask: TaskAction) -> Result<TaskChange, Refusal> {
        let id = ask.task().unwrap_or_else(|| {
            let made = self.lines().len() as u32;
            TaskId::new(made + 1)
        });
        if let TaskAction::Create(new) = &mut ask {
            new.call = format!("call/{}", id.number()).into();
        }
        let asked = TaskCommand::Act {
            by,
            action: ask,
            verified: None,
        };
        self.decide(&Command::Task(asked))?;
        let state = self.0.lock().unwrap();
        let task = state.0.board().task(id).unwrap().clone();
        let freed = task.blocks.iter().copied().collect();
        Ok(TaskChange {
            task,
            unblocked: freed,
            has_no_candidate: false,
        })
    }
}

fn as_member(bench: &mut Bench, name: &str) {
    bench.context.caller.name = MemberName::parse(name).unwrap();
    *bench.team.caller.lock().unwrap() = bench.context.caller.name.clone();
}

#[tokio::test]
async fn a_chain_of_tasks_from_the_first_to_the_last() {
    let mut bench = Bench::new();
    assert_eq!(bench.ok("list_tasks", json!({})).await, "No tasks.");
    assert_eq!(
        bench.ok("create_task", json!({"subject": "Analyze"})).await,
        "Created #1: Analyze"
    );
    assert_eq!(
        bench
            .ok(
                "create_task",
                json!({"subject": "Design", "blockedBy": ["1"]})
            )
            .await,
        "Created #2: Design (blocked by #1)"
    );
    assert_eq!(
        bench.ok("list_tasks", json!({})).await,
        "#1 [ ] Analyze: ready\n#2 [ ] Design (after #1): waits for #1"
    );
    as_member(&mut bench, "alice");
    assert_eq!(
        bench.error("claim_task", json!({"task_id": 2})).await,
        "Error: #2 is blocked by #1 and cannot be claimed yet"
    );
    assert!(
        bench
            .ok("claim_task", json!({"task_id": "#1"}))
            .await
            .starts_with("Claimed #1 (Analyze) for alice")
    );
    as_member(&mut bench, "bob");
    assert_eq!(
        bench.error("claim_task", json!({"task_id": 1})).await,
        "Error: #1 has already been claimed by alice"
    );
    assert_eq!(
        bench
            .error("complete_task", json!({"task_id": 1, "result": "mine now"}))
            .await,
        "Error: #1 is not yours, it is alice's; only its owner, the lead or the user can do that"
    );
    as_member(&mut bench, "alice");
    assert_eq!(
        bench
            .ok(
                "complete_task",
                json!({"task_id": 1, "result": "12 endpoints"})
            )
            .await,
        "Completed #1 (Analyze). Unblocked: #2."
    );
    let report = bench.ok("get_task", json!({"task_id": 1})).await;
    assert!(report.contains("result: 12 endpoints"), "{report}");
    assert!(report.contains("- claimed by alice\n"), "{report}");
}

#[tokio::test]
async fn what_cannot_be_done_says_what_would_have_worked() {
    let mut bench = Bench::new();
    bench.ok("create_task", json!({"subject": "One"})).await;
    bench
        .ok("create_task", json!({"subject": "Two", "blocked_by": [1]}))
        .await;
    for (tool, input, says) in [
        (
            "claim_task",
            json!({"task_id": 9}),
            "there is no task #9; there are tasks #1 to #2",
        ),
        (
            "claim_task",
            json!({"task_id": "nine"}),
            "task_id is \"nine\" and must be an integer",
        ),
        (
            "create_task",
            json!({"subject": "  "}),
            "a task needs a subject",
        ),
        (
            "create_task",
            json!({"subject": "x", "blocked_by": [7]}),
            "there is no task #7",
        ),
        (
            "create_task",
            json!({"subject": "x", "requires": "tool:"}),
            "is not a requirement",
        ),
        (
            "create_task",
            json!({"subject": "x", "owner": "carol"}),
            "there is no member 'carol'",
        ),
        (
            "create_task",
            json!({"subject": "x", "owner": "bob", "requires": "frontend"}),
            "requires role:frontend, which 'bob' does not meet",
        ),
        (
            "update_task",
            json!({"task_id": 1, "add_blocked_by": [2]}),
            "#1 cannot wait for #2: #2 waits for #1 already",
        ),
        (
            "update_task",
            json!({"task_id": 1, "add_blocked_by": [1]}),
            "#1 cannot wait for #1",
        ),
        (
            "update_task",
            json!({"task_id": 1, "status": "done"}),
            "status is \"done\" and must be one of \"pending\"",
        ),
        ("update_task", json!({"task_id": 1}), "say what to change"),
    ] {
        let told = bench.error(tool, input.clone()).await;
        assert!(told.contains(says), "{tool} {input}: {told}");
    }
    as_member(&mut bench, "bob");
    for (tool, input, says) in [
        (
            "create_task",
            json!({"subject": "x"}),
            "only the lead can put tasks on the board",
        ),
        (
            "update_task",
            json!({"task_id": 1, "owner": "alice"}),
            "only the lead can assign tasks",
        ),
        (
            "update_task",
            json!({"task_id": 1, "status": "deleted"}),
            "only the lead can delete tasks",
        ),
        (
            "complete_task",
            json!({"task_id": 1, "result": ""}),
            "claim it first",
        ),
    ] {
        let told = bench.error(tool, input.clone()).await;
        assert!(told.contains(says), "{tool} {input}: {told}");
    }
}

#[tokio::test]
async fn an_owner_gives_back_and_the_lead_takes_away() {
    let mut bench = Bench::new();
    bench.ok("create_task", json!({"subject": "One"})).await;
    as_member(&mut bench, "bob");
    bench
        .ok("update_task", json!({"task_id": 1, "owner": "bob"}))
        .await;
    let told = bench
        .ok(
            "update_task",
            json!({"task_id": 1, "status": "pending", "reason": "too big"}),
        )
        .await;
    assert_eq!(told, "#1 given back; it is pending now.");
    bench.ok("claim_task", json!({"task_id": 1})).await;
    as_member(&mut bench, "lead");
    bench
        .ok("update_task", json!({"task_id": 1, "owner": "alice"}))
        .await;
    assert_eq!(
        bench.ok("list_tasks", json!({})).await,
        "#1 [ ] One @alice: assigned to alice"
    );
    as_member(&mut bench, "bob");
    let late = bench
        .error("complete_task", json!({"task_id": 1, "result": "late"}))
        .await;
    assert!(late.contains("claim it first"), "{late}");
    assert_eq!(
        bench.error("claim_task", json!({"task_id": 1})).await,
        "Error: #1 is assigned to alice; only the lead can assign it to another member"
    );
}
