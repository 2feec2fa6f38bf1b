//! The requirer of plans can lift the requirement; only the user can lift the user's.

use super::*;
use crate::{GroupName, member::MemberPhase, request::Requirer, team::GroupCommand};

fn required_by(scene: &Scene, who: &str) -> Option<Requirer> {
    scene.team.member(&name(who)).unwrap().gate.required_by()
}

#[test]
fn who_requires_plans_lifts_that_and_the_user_may_in_any_case() {
    let cases = [
        ("lead", "lead", true),
        ("lead", "user", true),
        ("lead", "bob", false),
        ("lead", "alice", false),
        ("user", "lead", false),
        ("user", "user", true),
        ("user", "alice", false),
    ];
    for (required, lifted, may) in cases {
        let mut scene = Scene::new();
        scene.require_plan(required, "alice").unwrap();
        let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
        let result = scene.lift_plan(lifted, "alice");
        assert_eq!(result.is_ok(), may, "{required} {lifted}: {result:?}");
        assert_eq!(scene.is_gated("alice"), !may, "{required} {lifted}");
        let state = if may { "cancelled" } else { "pending" };
        assert_eq!(scene.state(plan), state, "{required} {lifted}");
    }
    let mut scene = Scene::new();
    assert_eq!(scene.lift_plan("lead", "alice"), Ok(0), "nothing to lift");
}

#[test]
fn a_requirement_stays_for_one_piece_of_work_after_the_other() {
    let mut scene = Scene::new();
    scene.require_plan("lead", "alice").unwrap();
    for _ in 0..3 {
        assert!(scene.is_gated("alice"));
        scene.granted("alice");
        scene.turn_ends("alice", EndReason::Done);
    }
    scene.lift_plan("lead", "alice").unwrap();
    assert!(!scene.is_gated("alice"));
}

/// Whatever the lead does to be rid of what the user requires of alice.
#[test]
fn what_the_user_requires_no_doing_of_the_lead_lifts() {
    type Tries = fn(&mut Scene);
    let tries: [(&str, Tries); 8] = [
        ("a wake", |s| {
            s.spawn("alice", false, false).unwrap();
        }),
        ("a fresh spawn", |s| {
            s.spawn("alice", false, true).unwrap();
        }),
        ("a stop and a fresh spawn", |s| {
            s.stop("alice").unwrap();
            s.spawn("alice", false, true).unwrap();
        }),
        ("a requirement of its own in its place", |s| {
            s.require_plan("lead", "alice").unwrap();
            assert!(s.lift_plan("lead", "alice").is_err());
        }),
        ("a spawn that requires a plan, and a lift", |s| {
            s.spawn("alice", true, true).unwrap();
            assert!(s.lift_plan("lead", "alice").is_err());
        }),
        ("the end of its team and a spawn of the same name", disband),
        ("the same twice", |s| {
            disband(s);
            s.rest("alice");
            disband(s);
        }),
        ("the approval of a plan that is over", |s| {
            s.granted("alice");
            s.turn_ends("alice", EndReason::Done);
        }),
    ];
    for (what, tries) in tries {
        let mut scene = Scene::new();
        scene.require_plan("user", "alice").unwrap();
        scene.rest("alice");
        tries(&mut scene);
        assert!(scene.is_gated("alice"), "{what}");
        assert_eq!(required_by(&scene, "alice"), Some(Requirer::User), "{what}");
        assert!(scene.lift_plan("lead", "alice").is_err(), "{what}");
        scene.crash();
        scene.lift_plan("user", "alice").unwrap();
        assert!(!scene.is_gated("alice"), "{what}");
    }
}

#[test]
fn what_the_lead_requires_a_spawn_does_not_lift_either() {
    for fresh in [false, true] {
        let mut scene = Scene::new();
        scene.require_plan("lead", "alice").unwrap();
        scene.rest("alice");
        scene.spawn("alice", false, fresh).unwrap();
        assert_eq!(required_by(&scene, "alice"), Some(Requirer::Lead));
    }
}

/// Moves alice into a team, ends the team, and spawns the name again.
fn disband(scene: &mut Scene) {
    let team = GroupName::parse("crew").unwrap();
    let make = GroupCommand::Make {
        by: MemberName::lead(),
        call: scene.call(),
        team: team.clone(),
    };
    scene.run(&Command::Group(make)).unwrap();
    let spawn = Spawn {
        by: MemberName::lead(),
        call: scene.call(),
        member: name("alice"),
        role: String::new(),
        prompt: "work".into(),
        options: MemberOptions {
            group: Some(team.clone()),
            ..MemberOptions::default()
        },
        ceiling: Mode::Bypass,
        fresh: false,
    };
    scene.run(&Command::Spawn(spawn)).unwrap();
    scene.stop("alice").unwrap();
    assert_eq!(
        scene.team.member(&name("alice")).unwrap().phase,
        MemberPhase::Stopped
    );
    let end = GroupCommand::End {
        by: MemberName::lead(),
        call: scene.call(),
        team: team.clone(),
    };
    scene.run(&Command::Group(end)).unwrap();
    let put_away = GroupCommand::Archive {
        team,
        kept_in: String::new(),
    };
    scene.run(&Command::Group(put_away)).unwrap();
    assert!(scene.team.member(&name("alice")).is_none());
    scene.spawn("alice", false, true).unwrap();
}
