//! Who may ask whom to stop, and who may answer.

use super::*;
use crate::member::MemberPhase;

#[test]
fn a_handshake() {
    let mut scene = Scene::new();
    let id = scene.shutdown("lead", "alice").unwrap();
    let asked = scene.team.requests().get(id).unwrap().clone();
    let frame = asked.opened_notice(&ToolNames::default()).unwrap();
    assert_eq!(
        (frame.to.as_str(), frame.kind),
        ("alice", crate::MessageKind::ShutdownRequest)
    );
    assert!(
        frame
            .content
            .contains("respond_shutdown(request_id: \"req_000001\", approve: true)")
    );
    assert!(!frame.wakes, "idle members agree automatically");
    scene.answer(id, "alice", Answer::yes()).unwrap();
    let agreed = scene.team.requests().get(id).unwrap();
    assert_eq!(
        agreed.settled_notice(Mode::Bypass, &ToolNames::default()),
        None,
        "its end is told"
    );
    let RequestPayload::Shutdown(ask) = &agreed.payload else {
        panic!("{agreed:?}")
    };
    let end = ask.end(agreed).unwrap();
    assert_eq!(end.how, "agreed to shut down");
    assert_eq!(end.sentence, "agreed to shut down and is stopped");
    scene.stop("alice").unwrap();
    assert_eq!(scene.team.requests().not_notified().count(), 1);
    scene.tell(id);
    assert_eq!(scene.team.requests().not_notified().count(), 0);
    assert_eq!(scene.state(id), "approved");
}

#[test]
fn only_the_one_who_is_asked_answers() {
    let mut scene = Scene::new();
    let id = scene.shutdown("lead", "alice").unwrap();
    for other in ["bob", "lead", "user", "rule"] {
        let refused = scene.answer(id, other, Answer::yes()).unwrap_err();
        assert!(
            refused.contains("not yours to answer"),
            "{other}: {refused}"
        );
    }
    assert_eq!(scene.state(id), "pending");
}

#[test]
fn the_lead_can_be_refused_with_a_reason_and_the_user_cannot() {
    let mut scene = Scene::new();
    let id = scene.shutdown("lead", "alice").unwrap();
    let empty = scene.answer(id, "alice", Answer::no(" ")).unwrap_err();
    assert!(empty.contains("give a reason"), "{empty}");
    scene
        .answer(id, "alice", Answer::no("the tests run"))
        .unwrap();
    assert_eq!(scene.state(id), "rejected");
    let told = scene
        .team
        .requests()
        .get(id)
        .unwrap()
        .settled_notice(Mode::Bypass, &ToolNames::default())
        .unwrap();
    assert!(told.content.contains("the tests run"), "{}", told.content);
    assert!(told.wakes);

    let id = scene.shutdown("user", "alice").unwrap();
    let refused = scene.answer(id, "alice", Answer::no("no")).unwrap_err();
    assert!(refused.contains("cannot be refused"), "{refused}");
    assert_eq!(scene.state(id), "pending");
}

#[test]
fn teammates_stop_nobody_and_only_the_user_ends_the_lead() {
    let mut scene = Scene::new();
    for (from, who) in [("alice", "bob"), ("alice", "lead"), ("alice", "alice")] {
        let refused = scene.shutdown(from, who).unwrap_err();
        assert!(
            refused.contains("only the lead and the user"),
            "{from} {who}: {refused}"
        );
    }
    let refused = scene.shutdown("lead", "lead").unwrap_err();
    assert!(refused.contains("only the user ends the lead"), "{refused}");
    scene.shutdown("user", "lead").unwrap();
}

#[test]
fn requests_to_an_earlier_incarnation_never_touch_the_new_one() {
    let mut scene = Scene::new();
    let old = scene.party("alice");
    let id = scene.shutdown("lead", "alice").unwrap();
    scene.rest("alice");
    scene.spawn("alice", false, false).unwrap();
    assert_eq!(scene.state(id), "cancelled");
    assert!(
        scene
            .team
            .requests()
            .shutdown_of(&name("alice"), scene.life("alice"))
            .is_none()
    );
    // A frame of the old incarnation, answered by the new one and by the old one.
    assert!(scene.answer(id, "alice", Answer::yes()).is_err());
    let stale = scene.answer_as(id, None, old, Answer::yes()).unwrap_err();
    assert!(stale.contains("spawned again as incarnation 2"), "{stale}");
    // And a request that was made for the old one.
    let ask = RequestPayload::Shutdown(ShutdownRequest {
        member: name("alice"),
        incarnation: Incarnation::FIRST,
        reason: String::new(),
        now: false,
    });
    assert!(
        scene
            .open("lead", ask)
            .unwrap_err()
            .contains("incarnation 2")
    );
}

#[test]
fn the_stopped_are_not_asked_and_come_back_by_a_spawn_only() {
    let mut scene = Scene::new();
    scene.stop("alice").unwrap();
    let refused = scene.shutdown("lead", "alice").unwrap_err();
    assert_eq!(refused, "'alice' is stopped already");
    let (member, incarnation) = (name("alice"), scene.life("alice"));
    let late = scene.run(&Command::StartTurn {
        member,
        incarnation,
    });
    assert_eq!(late.unwrap_err(), "'alice' is stopped; a spawn wakes it");
    scene.spawn("alice", false, false).unwrap();
    assert!(scene.shutdown("lead", "alice").is_ok());
}

#[test]
fn asking_again_takes_the_place_of_what_was_asked() {
    let mut scene = Scene::new();
    let first = scene.shutdown("lead", "alice").unwrap();
    let second = scene.shutdown("user", "alice").unwrap();
    assert_eq!(
        (scene.state(first), scene.state(second)),
        ("cancelled", "pending")
    );
    scene.answer(second, "alice", Answer::yes()).unwrap();
}

#[test]
fn what_the_user_asks_is_not_softened_by_the_lead() {
    let mut scene = Scene::new();
    let users = scene.shutdown("user", "alice").unwrap();
    let refused = scene.shutdown("lead", "alice").unwrap_err();
    assert!(
        refused.contains("is already being shut down (req_000001)"),
        "{refused}"
    );
    assert_eq!(scene.state(users), "pending");
    let again = scene.shutdown("user", "alice").unwrap();
    assert_eq!(scene.state(users), "cancelled");
    assert_eq!(scene.state(again), "pending");
}

#[test]
fn no_member_starts_again_before_its_last_incarnation_has_ended() {
    let mut scene = Scene::new();
    let id = scene.shutdown("lead", "alice").unwrap();
    scene.answer(id, "alice", Answer::yes()).unwrap();
    for end in ["agreed", "stopped"] {
        let refused = scene.spawn("alice", false, true).unwrap_err();
        assert!(refused.contains("is being shut down"), "{end}: {refused}");
        scene.crash();
        scene.stop("alice").unwrap();
    }
    scene.tell(id);
    assert_eq!(scene.spawn("alice", false, true), Ok(1));
}

#[test]
fn a_pause_of_the_whole_team_stops_nobody_and_refuses_no_spawn() {
    let mut scene = Scene::new();
    let id = scene.shutdown("user", "lead").unwrap();
    assert_eq!(scene.spawn("carol", false, false), Ok(1));
    // The program hears of it late: it pauses the team all the same.
    scene.now += 60_000;
    scene.answer(id, "lead", Answer::yes()).unwrap();
    scene.tell(id);
    assert_eq!(scene.state(id), "approved");
    let team = &scene.team;
    assert!(
        team.members()
            .all(|member| member.phase != MemberPhase::Stopped)
    );
}
