//! The plan gate: closed until exactly this plan of exactly this incarnation is approved.

use super::*;

#[test]
fn rejected_with_feedback_submitted_again_and_approved() {
    let mut scene = Scene::new();
    scene.spawn("cora", true, false).unwrap();
    assert!(scene.is_gated("cora"));
    let first = scene
        .plan("cora", "rewrite it all", Approver::Lead)
        .unwrap();
    let frame = scene
        .team
        .requests()
        .get(first)
        .unwrap()
        .opened_notice(&ToolNames::default())
        .unwrap();
    assert_eq!(
        (frame.to.as_str(), frame.kind),
        ("lead", crate::MessageKind::PlanApprovalRequest)
    );
    assert!(frame.content.contains("rewrite it all") && frame.content.contains("req_000001"));
    scene
        .answer(first, "lead", Answer::no("smaller steps"))
        .unwrap();
    scene.hear("cora").unwrap();
    assert!(scene.is_gated("cora"));
    let told = scene
        .team
        .requests()
        .get(first)
        .unwrap()
        .settled_notice(Mode::Bypass, &ToolNames::default())
        .unwrap();
    assert!(told.content.starts_with("[Plan rejected]") && told.content.contains("smaller steps"));
    let second = scene.plan("cora", "one file", Approver::Lead).unwrap();
    let yes = Answer::Approve {
        note: "good".into(),
        mode: Some(Mode::AcceptEdits),
        always: None,
    };
    scene.answer(second, "lead", yes).unwrap();
    assert!(scene.is_gated("cora"), "it does not know yet");
    scene.hear("cora").unwrap();
    assert!(!scene.is_gated("cora"));
    let cora = scene.team.member(&name("cora")).unwrap();
    assert_eq!(cora.options.mode, Some(Mode::AcceptEdits));
    let told = scene
        .team
        .requests()
        .get(second)
        .unwrap()
        .settled_notice(Mode::Bypass, &ToolNames::default())
        .unwrap();
    assert!(told.content.starts_with("[Plan approved]") && told.content.contains("good"));
    assert!(told.wakes);
}

#[test]
fn who_approves_is_the_users_choice() {
    let cases = [
        (Approver::Lead, "lead", true),
        (Approver::Lead, "user", true),
        (Approver::Lead, "rule", false),
        (Approver::User, "lead", false),
        (Approver::User, "user", true),
        (Approver::Rule, "lead", false),
        (Approver::Rule, "rule", true),
        (Approver::Rule, "user", true),
        (Approver::Lead, "alice", false),
        (Approver::Lead, "bob", false),
        (Approver::User, "bob", false),
    ];
    for (approver, by, may) in cases {
        let mut scene = Scene::new();
        let id = scene.plan("alice", "p", approver).unwrap();
        let answered = scene.answer(id, by, Answer::yes());
        assert_eq!(answered.is_ok(), may, "{approver:?} {by}: {answered:?}");
        assert_eq!(scene.hear("alice").is_ok(), may);
        assert_eq!(scene.is_gated("alice"), !may);
    }
}

#[test]
fn a_plan_of_ones_own_accord_closes_the_gate_too() {
    let mut scene = Scene::new();
    assert!(!scene.is_gated("alice"));
    let id = scene.plan("alice", "p", Approver::Lead).unwrap();
    assert!(scene.is_gated("alice"));
    let refusal = scene
        .team
        .member(&name("alice"))
        .unwrap()
        .gate
        .refusal()
        .unwrap();
    assert!(refusal.contains(&id.to_string()), "{refusal}");
}

#[test]
fn an_approval_counts_for_the_plan_that_was_read() {
    let mut scene = Scene::new();
    let first = scene.plan("alice", "harmless", Approver::Lead).unwrap();
    let second = scene.plan("alice", "rm -rf", Approver::Lead).unwrap();
    assert_eq!(scene.state(first), "cancelled");
    assert!(scene.answer(first, "lead", Answer::yes()).is_err());
    assert!(scene.is_gated("alice"));
    scene.answer(second, "lead", Answer::yes()).unwrap();
    // And what comes after it is another plan.
    scene.plan("alice", "more", Approver::Lead).unwrap();
    assert!(scene.is_gated("alice"));
}

#[test]
fn neither_time_nor_a_new_incarnation_opens_the_gate() {
    let mut scene = Scene::new();
    let id = scene.plan("alice", "p", Approver::User).unwrap();
    scene.now += 60_000;
    let at = Timestamp(scene.now);
    scene
        .ask(RequestCommand::Expire { request: id, at })
        .unwrap();
    assert!(scene.is_gated("alice"));
    let told = scene
        .team
        .requests()
        .get(id)
        .unwrap()
        .settled_notice(Mode::Bypass, &ToolNames::default())
        .unwrap();
    assert!(told.content.contains("so it is denied"), "{}", told.content);
    scene.rest("alice");
    scene.spawn("alice", false, false).unwrap();
    assert!(scene.is_gated("alice"), "woken with its memory");
    scene.stop("alice").unwrap();
    scene.spawn("alice", false, true).unwrap();
    assert!(
        !scene.is_gated("alice"),
        "begun anew by the lead, who asked for no plan"
    );
}

#[test]
fn an_approval_ends_with_its_incarnation() {
    let mut scene = Scene::new();
    scene.spawn("cora", true, false).unwrap();
    let id = scene.plan("cora", "p", Approver::Lead).unwrap();
    scene.answer(id, "lead", Answer::yes()).unwrap();
    scene.hear("cora").unwrap();
    scene.turn_ends("cora", EndReason::Interrupted);
    scene.spawn("cora", true, false).unwrap();
    assert!(scene.is_gated("cora"));
}

#[test]
fn a_plan_can_be_wanted_later_and_only_the_lead_and_the_user_want_it() {
    let mut scene = Scene::new();
    let want = |scene: &mut Scene, by: &str, who: &str| {
        let (member, by, call) = (name(who), scene.party(by), scene.call());
        scene.ask(RequestCommand::RequirePlan { member, by, call })
    };
    assert!(want(&mut scene, "bob", "alice").is_err());
    assert!(want(&mut scene, "lead", "lead").is_err());
    assert_eq!(want(&mut scene, "lead", "alice"), Ok(1));
    assert!(scene.is_gated("alice"));
    let id = scene.plan("alice", "p", Approver::Lead).unwrap();
    scene.answer(id, "lead", Answer::yes()).unwrap();
    assert_eq!(want(&mut scene, "user", "alice"), Ok(1));
    assert!(scene.is_gated("alice"));
}

#[test]
fn a_member_that_waits_for_its_plan_claims_and_completes_nothing() {
    let mut scene = Scene::new();
    let new = NewTask {
        call: "t".into(),
        subject: "x".into(),
        ..NewTask::default()
    };
    let create = TaskCommand::Act {
        by: Actor::User,
        action: TaskAction::Create(Box::new(new)),
        verified: None,
    };
    scene.run(&Command::Task(create)).unwrap();
    let id = scene.team.board().created_by(&"t".into()).unwrap();
    let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
    scene.rest("alice");
    let alice = Actor::Member(name("alice"), scene.life("alice"));
    let asks = [
        TaskAction::Claim(id),
        TaskAction::Complete(id, "done".into()),
    ];
    for ask in asks.clone() {
        let refused = scene.run(&Command::Task(TaskCommand::Act {
            by: alice.clone(),
            action: ask,
            verified: None,
        }));
        assert!(refused.unwrap_err().contains("your plan must be approved"));
    }
    let next = |scene: &Scene| {
        scene
            .team
            .next_for(scene.team.member(&name("alice")).unwrap())
    };
    assert_eq!(next(&scene), None);
    scene.answer(plan, "lead", Answer::yes()).unwrap();
    assert_eq!(next(&scene), None, "the answer is not heard yet");
    assert!(scene.asks_board(alice.clone(), asks[0].clone()).is_err());
    scene.hear("alice").unwrap();
    assert_eq!(next(&scene), None, "its approved work is not over");
    scene.turn_ends("alice", EndReason::Done);
    assert!(next(&scene).is_some(), "nobody requires a plan of it");
}

#[test]
fn what_is_no_plan() {
    let mut scene = Scene::new();
    assert!(
        scene
            .plan("alice", " \n", Approver::Lead)
            .unwrap_err()
            .contains("empty")
    );
    let long = "x".repeat(PLAN_BYTES_MAX + 1);
    assert!(
        scene
            .plan("alice", &long, Approver::Lead)
            .unwrap_err()
            .contains("at most")
    );
    assert!(
        scene
            .plan("lead", "p", Approver::Lead)
            .unwrap_err()
            .contains("needs no approved plan")
    );
    assert!(scene.plan("user", "p", Approver::Lead).is_err());
    let id = scene.plan("alice", "p", Approver::Lead).unwrap();
    let no_reason = scene.answer(id, "lead", Answer::no("")).unwrap_err();
    assert!(no_reason.contains("give a reason"), "{no_reason}");
}
