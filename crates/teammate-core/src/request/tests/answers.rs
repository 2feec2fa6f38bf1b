//! Requests and their ids: one call asks once, the first answer in time counts, and a restart or a life that ends.

use super::*;
use crate::{
    id::Term,
    name::{DeviceName, WorkerName},
    team::PlaceEvent,
};

#[test]
fn ids_count_up_and_read_back() {
    let mut scene = Scene::new();
    let first = scene.shutdown("lead", "alice").unwrap();
    let second = scene.permission("bob", "make", false).unwrap();
    assert_eq!(
        (first.to_string(), second.to_string()),
        ("req_000001".into(), "req_000002".into())
    );
    for text in ["req_000002", "req_2", "2", " req_000002 "] {
        assert_eq!(text.parse::<RequestId>().unwrap(), second, "{text}");
    }
    for text in [
        "",
        "0",
        "req_",
        "req_-1",
        "req_1x",
        "+1",
        "../1",
        "req_\u{1b}[2J",
    ] {
        let error = text.parse::<RequestId>().unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}

#[test]
fn the_same_call_asks_once() {
    let mut scene = Scene::new();
    let ask = RequestCommand::Open {
        kind: RequestPayload::Shutdown(ShutdownRequest {
            member: name("alice"),
            incarnation: Incarnation::FIRST,
            reason: String::new(),
            now: false,
        }),
        from: scene.party("lead"),
        call: "c".into(),
        deadline: None,
        at: Timestamp(1),
    };
    assert_eq!(scene.ask(ask.clone()), Ok(1));
    assert_eq!(scene.ask(ask), Ok(0));
    assert_eq!(scene.team.requests().pending().count(), 1);
}

#[test]
fn an_answer_before_its_request_is_unknown_and_one_from_long_ago_is_settled() {
    let mut scene = Scene::new();
    let early = scene.answer(RequestId::new(1), "user", Answer::yes());
    assert_eq!(
        early.unwrap_err(),
        "there is no request req_000001; no request is open"
    );
    for _ in 0..70 {
        let id = scene.permission("bob", "make", false).unwrap();
        scene.answer(id, "user", Answer::no("")).unwrap();
    }
    let open = scene.permission("bob", "make", false).unwrap();
    let late = scene.answer(RequestId::new(1), "user", Answer::yes());
    assert_eq!(
        late.unwrap_err(),
        format!("req_000001 is already settled (long ago); open: {open} (permission)")
    );
}

#[test]
fn the_first_answer_counts() {
    for (first, second, state) in [
        (Answer::yes(), Answer::no("x"), "approved"),
        (Answer::no("x"), Answer::yes(), "rejected"),
        (Answer::yes(), Answer::yes(), "approved"),
    ] {
        let mut scene = Scene::new();
        let id = scene.permission("bob", "make", false).unwrap();
        scene.answer(id, "user", first).unwrap();
        let again = scene.answer(id, "user", second).unwrap_err();
        assert!(again.contains("is already settled"), "{again}");
        assert_eq!(scene.state(id), state);
    }
}

#[test]
fn where_workers_run_the_team_an_answer_counts_until_somebody_has_said_that_it_is_late() {
    let mut scene = Scene::new();
    let placed = TeamEvent::Place(PlaceEvent::Placed {
        member: name("bob"),
        worker: WorkerName::parse("w1").unwrap(),
        term: Term::FIRST,
    });
    scene.team.apply(&placed, Timestamp(scene.now));
    let [first, second] =
        ["make", "make all"].map(|what| scene.permission("bob", what, false).unwrap());
    // The clock of the one who answers is ten minutes ahead.
    scene.now += 600_000;
    scene.answer(first, "user", Answer::yes()).unwrap();
    let expire = RequestCommand::Expire {
        request: second,
        at: Timestamp(scene.now),
    };
    assert_eq!(scene.ask(expire), Ok(1));
    let late = scene.answer(second, "user", Answer::yes());
    assert!(late.is_err(), "{late:?}");
}

#[test]
fn an_answer_after_the_deadline_counts_for_nothing() {
    let mut scene = Scene::new();
    let id = scene.permission("bob", "make", false).unwrap();
    let expire = |scene: &Scene| RequestCommand::Expire {
        request: id,
        at: Timestamp(scene.now),
    };
    assert_eq!(scene.ask(expire(&scene)), Ok(0), "before its time");
    scene.now += 30_000;
    let late = scene.answer(id, "user", Answer::yes()).unwrap_err();
    assert!(late.contains("has expired"), "{late}");
    assert_eq!(scene.ask(expire(&scene)), Ok(1));
    assert_eq!(scene.ask(expire(&scene)), Ok(0));
    assert_eq!(scene.state(id), "expired");
}

#[test]
fn an_answer_of_the_wrong_kind_counts_for_nothing() {
    let mut scene = Scene::new();
    let shutdown = scene.shutdown("lead", "alice").unwrap();
    let lead = scene.party("lead");
    // A review of a plan with the id of a shutdown.
    let wrong = scene.answer_as(shutdown, Some(RequestKind::Plan), lead, Answer::yes());
    assert_eq!(
        wrong.unwrap_err(),
        "req_000001 is a request for shutdown, not for plan; open: req_000001 (shutdown)"
    );
    assert_eq!(scene.state(shutdown), "pending");
}

#[test]
fn every_state_survives_a_restart() {
    let mut scene = Scene::new();
    let pending = scene.plan("alice", "p", Approver::User).unwrap();
    let granted = scene.permission("bob", "make", true).unwrap();
    scene.answer(granted, "lead", Answer::yes()).unwrap();
    let rejected = scene.shutdown("lead", "bob").unwrap();
    scene.answer(rejected, "bob", Answer::no("later")).unwrap();
    let expired = scene.permission("bob", "b", false).unwrap();
    scene.now += 60_000;
    let at = Timestamp(scene.now);
    scene
        .ask(RequestCommand::Expire {
            request: expired,
            at,
        })
        .unwrap();
    scene.crash();
    let states = [pending, granted, rejected, expired].map(|id| scene.state(id));
    assert_eq!(states, ["pending", "approved", "rejected", "expired"]);
    scene.use_grant(granted, "bob", "make").unwrap();
    scene.crash();
    assert!(
        scene.use_grant(granted, "bob", "make").is_err(),
        "replayed after a restart"
    );
}

#[test]
fn a_life_that_ends_takes_its_requests_with_it() {
    let mut scene = Scene::new();
    let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
    let question = scene.permission("alice", "make", false).unwrap();
    let granted = scene.permission("alice", "make b", false).unwrap();
    scene.answer(granted, "user", Answer::yes()).unwrap();
    let others = scene.permission("bob", "make", false).unwrap();
    let shutdown = scene.shutdown("lead", "alice").unwrap();
    scene.stop("alice").unwrap();
    for id in [plan, question, granted, shutdown] {
        assert_eq!(scene.state(id), "cancelled", "{id}");
    }
    assert_eq!(scene.state(others), "pending");
    scene.spawn("alice", false, true).unwrap();
    let replayed = scene.use_grant(granted, "alice", "make b").unwrap_err();
    assert!(replayed.contains("it was not given"), "{replayed}");
}

#[test]
fn an_answer_says_from_which_device_it_came() {
    for (answer, how) in [
        (Answer::yes(), "approved by the user (phone)"),
        (
            Answer::no("not now"),
            "rejected by the user (phone): not now",
        ),
    ] {
        let mut scene = Scene::new();
        let request = scene.permission("bob", "make", false).unwrap();
        let ask = RequestCommand::Answer {
            request,
            expects: None,
            saw: None,
            by: Principal::User,
            answer,
            device: DeviceName::parse("phone").ok(),
            at: Timestamp(scene.now),
        };
        assert_eq!(scene.ask(ask), Ok(1));
        let known = scene.team.requests().get(request).unwrap();
        assert_eq!(known.describe(), how);
    }
}
