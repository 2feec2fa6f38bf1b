//! A grant is for one plan, one incarnation and one piece of work: what ends it, and what does not.

use super::*;
use crate::request::{Plan, PlanGate, PlannedWork, Requirer};

/// Something that happens to cora, who works under a plan.
type Happens = fn(&mut Scene);

fn waiting() -> EndReason {
    EndReason::Waiting {
        what: "job b1".into(),
    }
}

fn interrupted(scene: &mut Scene) {
    scene.turn_ends("cora", EndReason::Interrupted);
}

/// Cora, of whom the lead requires plans, with an approved one for its assignment.
fn with_assignment() -> Scene {
    let mut scene = Scene::new();
    scene.spawn("cora", true, false).unwrap();
    scene.granted("cora");
    scene
}

/// The same for the task in its hand.
fn with_task() -> Scene {
    let mut scene = with_assignment();
    let task = scene.task();
    scene
        .asks_board(scene.by("cora"), TaskAction::Claim(task))
        .unwrap();
    scene.granted("cora");
    scene
}

fn held(scene: &Scene) -> crate::id::TaskId {
    scene.team.board().task_of(&name("cora")).unwrap().id
}

#[test]
fn a_grant_for_an_assignment_ends_with_it() {
    let cases: [(&str, Happens, bool); 12] = [
        (
            "the turn ends with a result",
            |s| s.turn_ends("cora", EndReason::Done),
            true,
        ),
        (
            "the turn ends to wait",
            |s| s.turn_ends("cora", waiting()),
            false,
        ),
        ("the turn is interrupted", interrupted, false),
        (
            "the model fails",
            |s| {
                let what = "busy".into();
                s.turn_ends("cora", EndReason::Failed { what });
            },
            false,
        ),
        (
            "a budget is spent",
            |s| {
                let what = "budget".into();
                s.turn_ends("cora", EndReason::Limit { what });
            },
            false,
        ),
        ("the program is killed", Scene::crash, false),
        (
            "it is woken with a new assignment",
            |s| {
                interrupted(s);
                s.spawn("cora", false, false).unwrap();
            },
            true,
        ),
        (
            "it is spawned anew",
            |s| {
                interrupted(s);
                s.spawn("cora", false, true).unwrap();
            },
            true,
        ),
        (
            "it claims a task",
            |s| {
                let task = s.task();
                s.asks_board(s.by("cora"), TaskAction::Claim(task)).unwrap();
            },
            true,
        ),
        (
            "another plan is required",
            |s| {
                s.require_plan("lead", "cora").unwrap();
            },
            true,
        ),
        (
            "it submits another plan",
            |s| {
                s.plan("cora", "another course", Approver::Lead).unwrap();
            },
            true,
        ),
        (
            "it is stopped",
            |s| {
                s.stop("cora").unwrap();
            },
            true,
        ),
    ];
    for (what, happens, ends) in cases {
        let mut scene = with_assignment();
        happens(&mut scene);
        assert_eq!(scene.is_gated("cora"), ends, "{what}");
    }
}

#[test]
fn a_grant_for_a_task_ends_with_it() {
    let cases: [(&str, Happens, bool); 8] = [
        (
            "it completes the task",
            |s| {
                let task = held(s);
                let ask = TaskAction::Complete(task, "done".into());
                s.asks_board(s.by("cora"), ask).unwrap();
            },
            true,
        ),
        (
            "it gives the task back",
            |s| {
                let task = held(s);
                let ask = TaskAction::Release(task, "too hard".into());
                s.asks_board(s.by("cora"), ask).unwrap();
            },
            true,
        ),
        (
            "it gives the task up",
            |s| {
                let task = held(s);
                let ask = TaskAction::Fail(task, "cannot be done".into());
                s.asks_board(s.by("cora"), ask).unwrap();
            },
            true,
        ),
        (
            "the user gives the task to somebody else",
            |s| {
                let ask = TaskAction::Assign(held(s), name("bob"));
                s.asks_board(Actor::User, ask).unwrap();
            },
            true,
        ),
        (
            "the model fails, and the task goes back to the board",
            |s| {
                let what = "busy".into();
                s.turn_ends("cora", EndReason::Failed { what });
            },
            true,
        ),
        (
            "its turn ends with a result and the task in its hand",
            |s| s.turn_ends("cora", EndReason::Done),
            true,
        ),
        (
            "its turn ends to wait",
            |s| s.turn_ends("cora", waiting()),
            false,
        ),
        ("its turn is interrupted", interrupted, false),
    ];
    for (what, happens, ends) in cases {
        let mut scene = with_task();
        happens(&mut scene);
        assert_eq!(scene.is_gated("cora"), ends, "{what}");
        scene.crash();
    }
}

#[test]
fn a_plan_that_nobody_required_leaves_the_gate_open_when_its_work_is_over() {
    let mut scene = Scene::new();
    scene.granted("alice");
    scene.turn_ends("alice", EndReason::Done);
    let gate = |scene: &Scene| scene.team.member(&name("alice")).unwrap().gate.clone();
    assert_eq!(gate(&scene), PlanGate::Open);
    // But a no is a no, also to what was not required.
    let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
    scene.answer(plan, "lead", Answer::no("why")).unwrap();
    scene.hear("alice").unwrap();
    scene.turn_ends("alice", EndReason::Done);
    assert!(scene.is_gated("alice"));
}

#[test]
fn a_plan_is_for_the_work_that_its_author_had_in_hand() {
    let work = |scene: &Scene| match scene.team.member(&name("cora")).unwrap().gate {
        PlanGate::Granted { work, .. } => work,
        PlanGate::Open | PlanGate::Closed { .. } => panic!("no grant"),
    };
    assert_eq!(work(&with_assignment()), PlannedWork::Assignment);
    let scene = with_task();
    assert_eq!(work(&scene), PlannedWork::Task(held(&scene)));
}

#[test]
fn a_plan_for_a_task_that_is_gone_is_cancelled_and_its_late_answer_opens_nothing() {
    let mut scene = with_task();
    let task = held(&scene);
    let plan = scene.plan("cora", "more of it", Approver::Lead).unwrap();
    scene
        .asks_board(Actor::User, TaskAction::Reopen(task, String::new()))
        .unwrap();
    assert_eq!(scene.state(plan), "cancelled");
    assert!(scene.answer(plan, "lead", Answer::yes()).is_err());

    // The same after the answer, before it is heard.
    let mut scene = with_task();
    let task = held(&scene);
    let plan = scene.plan("cora", "more of it", Approver::Lead).unwrap();
    scene.answer(plan, "lead", Answer::yes()).unwrap();
    scene
        .asks_board(Actor::User, TaskAction::Reopen(task, String::new()))
        .unwrap();
    assert!(scene.hear("cora").is_err());
    assert!(scene.is_gated("cora"));
}

#[test]
fn nothing_new_is_given_to_a_member_before_it_has_heard_the_answer() {
    for answer in [Answer::yes(), Answer::no("smaller")] {
        let mut scene = Scene::new();
        scene.spawn("cora", true, false).unwrap();
        let plan = scene.plan("cora", "p", Approver::Lead).unwrap();
        scene.turn_ends("cora", EndReason::Done);
        scene.answer(plan, "lead", answer.clone()).unwrap();
        let refused = scene.spawn("cora", false, false).unwrap_err();
        assert!(
            refused.contains("has not read the answer to its plan (req_000001)"),
            "{refused}"
        );
        let task = scene.task();
        let claim = TaskAction::Claim(task);
        assert!(scene.asks_board(scene.by("cora"), claim).is_err());
        scene.hear("cora").unwrap();
        assert_eq!(scene.is_gated("cora"), answer != Answer::yes());
        assert!(scene.spawn("cora", false, false).is_ok());
    }
}

#[test]
fn an_answer_that_comes_before_another_plan_is_required_counts_no_more() {
    let mut scene = Scene::new();
    scene.spawn("cora", true, false).unwrap();
    let plan = scene.plan("cora", "p", Approver::Lead).unwrap();
    scene.answer(plan, "lead", Answer::yes()).unwrap();
    scene.require_plan("lead", "cora").unwrap();
    assert!(scene.hear("cora").is_err());
    assert!(scene.is_gated("cora"));
}

#[test]
fn a_member_that_may_only_read_is_reminded_of_its_task_but_takes_none() {
    let mut scene = with_task();
    scene.turn_ends("cora", EndReason::Done);
    let cora = scene.team.member(&name("cora")).unwrap();
    let task = held(&scene);
    assert_eq!(
        scene.team.next_for(cora),
        Some(crate::team::NextTask::Continue(task))
    );
    let text = scene.team.nudge_text(
        scene.team.board().task(task).unwrap(),
        &ToolNames::default(),
    );
    assert!(text.contains("no approved plan"), "{text}");
    // While its plan waits for an answer there is nothing to remind it of.
    scene.plan("cora", "the rest", Approver::Lead).unwrap();
    let cora = scene.team.member(&name("cora")).unwrap();
    assert_eq!(scene.team.next_for(cora), None);
}

#[test]
fn a_journal_of_before_counts_an_answer_at_once_and_ends_it_with_its_turn() {
    let mut scene = Scene::new();
    let event = |text: &str| serde_json::from_str::<TeamEvent>(text).unwrap();
    let journal = [
        r#"{"event":"spawned","member":"dora","role":"","prompt":"p","plan":true,"incarnation":1,"by":"lead","call":"c1"}"#,
        r#"{"event":"request","request":1,"change":"opened","kind":"plan","text":"p","digest":"DIGEST","approver":"lead","from":{"member":"dora","incarnation":1},"call":"c2"}"#,
        r#"{"event":"request","request":1,"change":"approved","by":{"member":"lead","incarnation":1}}"#,
    ];
    for line in journal {
        let digest = serde_json::to_value(digest("p")).unwrap();
        let line = line.replace("DIGEST", digest.as_str().unwrap());
        scene.team.apply(&event(&line), Timestamp(1));
    }
    assert!(!scene.is_gated("dora"));
    scene.turn_ends("dora", EndReason::Done);
    let gate = &scene.team.member(&name("dora")).unwrap().gate;
    assert_eq!(gate.required_by(), Some(Requirer::Lead));
    assert!(matches!(
        gate,
        PlanGate::Closed {
            plan: Plan::Wanted { ended: Some(_) },
            ..
        }
    ));
}

#[test]
fn what_runs_when_the_gate_closes_is_counted_out_and_what_is_refused_does_not_begin() {
    let mut scene = with_assignment();
    let start = |scene: &mut Scene, acts: bool| {
        let start = crate::team::StartJob {
            owner: name("cora"),
            incarnation: scene.life("cora"),
            call: scene.call(),
            title: "serve".into(),
            acts,
        };
        scene.run(&Command::StartJob(start))
    };
    let outlasts = |scene: &Scene| {
        let cora = scene.team.member(&name("cora")).unwrap();
        let mut running = scene.team.jobs().running_of(&cora.name);
        running.all(|job| job.closings == cora.closings)
    };
    start(&mut scene, true).unwrap();
    scene.turn_ends("cora", waiting());
    assert!(outlasts(&scene), "its work goes on");
    scene.turn_ends("cora", EndReason::Done);
    assert!(!outlasts(&scene), "its work is over");
    let refused = start(&mut scene, true).unwrap_err();
    assert!(
        refused.contains("the approval of req_000001 ended"),
        "{refused}"
    );
    start(&mut scene, false).unwrap();
    scene.require_plan("lead", "cora").unwrap();
    let cora = scene.team.member(&name("cora")).unwrap();
    assert_eq!(cora.closings, 2);
}

#[test]
fn a_mode_above_the_teams_own_is_refused_before_anything_is_answered() {
    for by in ["lead", "user"] {
        let mut scene = Scene::new();
        let open = Command::Open {
            mode: Mode::AcceptEdits,
            model: "scripted:play".parse().unwrap(),
            judges_prompts: false,
        };
        scene.run(&open).unwrap();
        let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
        let yes = |mode| Answer::Approve {
            note: String::new(),
            mode: Some(mode),
            always: None,
        };
        let refused = scene.answer(plan, by, yes(Mode::Bypass)).unwrap_err();
        assert!(refused.contains("above the team's own ('accept-edits')"));
        assert_eq!(scene.state(plan), "pending");
        scene.answer(plan, by, yes(Mode::AcceptEdits)).unwrap();
        let known = scene.team.requests().get(plan).unwrap();
        // Opened later in a lower mode, the author hears what is in force.
        let told = |ceiling| {
            known
                .settled_notice(ceiling, &ToolNames::default())
                .unwrap()
                .content
        };
        assert!(told(Mode::AcceptEdits).contains("mode is now 'accept-edits'"));
        assert!(told(Mode::Ask).contains("mode is now 'ask'"));
    }
}
