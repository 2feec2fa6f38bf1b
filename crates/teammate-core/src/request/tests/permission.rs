//! Grants: given by the user, or by the lead within the ceiling; for one run of one action in one incarnation.

use super::*;
use crate::breadth::Breadth;

#[test]
fn a_grant_allows_exactly_this_once() {
    let mut scene = Scene::new();
    let id = scene.permission("alice", "make a", false).unwrap();
    assert!(
        scene
            .use_grant(id, "alice", "make a")
            .unwrap_err()
            .contains("nobody has answered")
    );
    scene.answer(id, "user", Answer::yes()).unwrap();
    assert!(
        scene
            .use_grant(id, "alice", "make b")
            .unwrap_err()
            .contains("something else")
    );
    assert!(
        scene
            .use_grant(id, "bob", "make a")
            .unwrap_err()
            .contains("to another")
    );
    assert_eq!(scene.use_grant(id, "alice", "make a"), Ok(1));
    assert!(
        scene
            .use_grant(id, "alice", "make a")
            .unwrap_err()
            .contains("already used")
    );
}

#[test]
fn no_answer_and_no_are_no() {
    let mut scene = Scene::new();
    let id = scene.permission("alice", "make", false).unwrap();
    scene.answer(id, "user", Answer::no("")).unwrap();
    assert!(
        scene
            .use_grant(id, "alice", "make")
            .unwrap_err()
            .contains("not given")
    );
}

#[test]
fn the_lead_answers_only_within_the_ceiling_and_never_for_good_or_for_itself() {
    let always = Answer::always(Breadth::Exact);
    let mut scene = Scene::new();
    let outside = scene.permission("alice", "make", false).unwrap();
    assert!(
        scene
            .answer(outside, "lead", Answer::yes())
            .unwrap_err()
            .contains("not yours")
    );
    assert!(
        scene
            .team
            .requests()
            .get(outside)
            .unwrap()
            .opened_notice(&ToolNames::default())
            .is_none()
    );
    let within = scene.permission("alice", "make", true).unwrap();
    let frame = scene
        .team
        .requests()
        .get(within)
        .unwrap()
        .opened_notice(&ToolNames::default())
        .unwrap();
    assert_eq!(frame.kind, crate::MessageKind::PermissionRequest);
    for other in ["bob", "alice", "rule"] {
        assert!(
            scene.answer(within, other, Answer::yes()).is_err(),
            "{other}"
        );
    }
    assert!(
        scene
            .answer(within, "lead", always.clone())
            .unwrap_err()
            .contains("only the user")
    );
    scene.answer(within, "lead", Answer::yes()).unwrap();
    let own = scene.permission("lead", "make", true).unwrap();
    assert!(scene.answer(own, "lead", Answer::yes()).is_err());
    scene.answer(own, "user", always).unwrap();
}

#[test]
fn an_answer_to_something_else_than_was_seen_is_refused() {
    let mut scene = Scene::new();
    let asked = scene.permission("alice", "rm -r target", false).unwrap();
    let mut answer = |saw: Option<Digest>| {
        let (by, now) = (scene.party("user"), Timestamp(scene.now));
        scene.ask(RequestCommand::Answer {
            request: asked,
            expects: None,
            saw,
            by,
            answer: Answer::yes(),
            device: None,
            at: now,
        })
    };
    let refused = answer(Some(digest("rm -r src"))).unwrap_err();
    assert!(refused.contains("something else than you saw"), "{refused}");
    assert_eq!(answer(Some(digest("rm -r target"))), Ok(1));
}

#[test]
fn an_always_is_one_of_the_rules_that_are_offered() {
    let mut scene = Scene::new();
    let asked = scene.permission("alice", "make a", false).unwrap();
    for other in [Breadth::Prefix, Breadth::Tool] {
        let refused = scene
            .answer(asked, "user", Answer::always(other))
            .unwrap_err();
        assert!(
            refused.contains("it offers exact: bash(=make a)."),
            "{refused}"
        );
        assert_eq!(scene.state(asked), "pending");
    }
    scene
        .answer(asked, "user", Answer::always(Breadth::Exact))
        .unwrap();
    let plan = scene.plan("bob", "p", Approver::Lead).unwrap();
    let refused = scene.answer(plan, "user", Answer::always(Breadth::Exact));
    assert!(refused.unwrap_err().contains("it offers no rule."));
}
