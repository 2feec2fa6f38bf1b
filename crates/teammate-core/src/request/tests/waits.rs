//! What members wait for, in a form that programs can read.

use super::*;
use crate::{
    board::NewTask,
    event::WaitsOn,
    member::{MemberPhase, WaitingOn},
    team::StartJob,
};

const NOW: Timestamp = Timestamp(99_000);

impl Scene {
    /// What a member waits for, in which phase it would be: `on` and `id`.
    fn waits(&self, who: &str, phase: &MemberPhase, is_spent: bool) -> Option<(WaitsOn, String)> {
        let member = self.team.member(&name(who)).unwrap();
        let waits = self.team.waits(member, phase, is_spent, NOW)?;
        Some((waits.on, waits.id.unwrap_or_default()))
    }
}

fn idle(why: EndReason) -> MemberPhase {
    MemberPhase::Idle { why, turn: Some(1) }
}

fn called_idle() -> MemberPhase {
    let what = "bob's schema".to_owned();
    idle(EndReason::Waiting { what })
}

#[test]
fn a_phase_says_what_is_waited_for() {
    let scene = Scene::new();
    let waits = |phase, is_spent| scene.waits("alice", &phase, is_spent);
    let limit = || {
        let what = "stopped".to_owned();
        idle(EndReason::Limit { what })
    };
    assert_eq!(waits(MemberPhase::Working, false), None);
    assert_eq!(waits(idle(EndReason::Done), false), None);
    assert_eq!(waits(idle(EndReason::Interrupted), false), None);
    assert_eq!(waits(limit(), false), None, "too many rounds are no budget");
    let unnamed = |on| Some((on, String::new()));
    assert_eq!(waits(limit(), true), unnamed(WaitsOn::Budget));
    assert_eq!(waits(called_idle(), false), unnamed(WaitsOn::Mail));
    let model = MemberPhase::Waiting(WaitingOn::Model);
    assert_eq!(waits(model, false), unnamed(WaitsOn::Model));
}

#[test]
fn a_question_is_named_and_counts_from_when_it_was_asked() {
    let mut scene = Scene::new();
    let asks = MemberPhase::Waiting(WaitingOn::Permission);
    let unnamed = Some((WaitsOn::Permission, String::new()));
    assert_eq!(scene.waits("alice", &asks, false), unnamed);
    let first = scene.permission("alice", "cargo publish", false).unwrap();
    scene.permission("bob", "rm -r target", false).unwrap();
    let member = scene.team.member(&name("alice")).unwrap();
    let waits = scene.team.waits(member, &asks, false, NOW).unwrap();
    assert_eq!(waits.id, Some(first.to_string()));
    assert_eq!(
        waits.since,
        scene.team.requests().get(first).unwrap().opened
    );
}

#[test]
fn between_turns_a_job_or_a_task_before_its_own_is_named() {
    let mut scene = Scene::new();
    for (call, blocked_by, assigned) in [("t1", vec![], None), ("t2", vec![1], Some(name("alice")))]
    {
        let new = NewTask {
            call: call.into(),
            subject: call.to_owned(),
            blocked_by: blocked_by.into_iter().map(crate::id::TaskId::new).collect(),
            assigned,
            ..NewTask::default()
        };
        let create = TaskCommand::Act {
            by: Actor::User,
            action: TaskAction::Create(Box::new(new)),
            verified: None,
        };
        scene.run(&Command::Task(create)).unwrap();
    }
    let task = Some((WaitsOn::Task, "1".to_owned()));
    assert_eq!(scene.waits("alice", &called_idle(), false), task);
    assert_eq!(scene.waits("alice", &idle(EndReason::Done), false), task);
    assert_eq!(scene.waits("bob", &idle(EndReason::Done), false), None);
    let start = StartJob {
        owner: name("alice"),
        incarnation: scene.life("alice"),
        call: "j".into(),
        title: "cargo test".to_owned(),
        acts: true,
    };
    scene.run(&Command::StartJob(start)).unwrap();
    let job = Some((WaitsOn::Job, "b1".to_owned()));
    assert_eq!(scene.waits("alice", &called_idle(), false), job);
}
