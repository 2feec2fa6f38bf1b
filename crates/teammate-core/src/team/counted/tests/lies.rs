//! What a lying steward records does not count, whatever it shows for it.

use super::*;
use crate::{
    Sender,
    request::{Principal, RequestEvent, RequestPayload, ShutdownRequest},
    task::TaskEvent,
    team::MoveWhy,
    transcript::EndReason,
};

fn task(change: TaskEvent) -> TeamEvent {
    TeamEvent::Task {
        task: first_task(),
        change,
    }
}

fn completed(by: Sender) -> TeamEvent {
    task(TaskEvent::Completed {
        by,
        result: "done".into(),
        evidence: None,
    })
}

fn by_bob() -> Sender {
    Sender::Member(member("bob"))
}

fn working(name: &str) -> TeamEvent {
    TeamEvent::Working {
        member: member(name),
        incarnation: LIFE,
    }
}

fn start(name: &str) -> Command {
    Command::StartTurn {
        member: member(name),
        incarnation: LIFE,
    }
}

fn of_bob() -> UnaskedRecord {
    UnaskedRecord::Member {
        member: member("bob"),
        holder: worker("w2"),
    }
}

fn ended() -> TeamEvent {
    TeamEvent::TurnEnded {
        member: member("bob"),
        incarnation: LIFE,
        why: EndReason::Done,
        turn: None,
        result: String::new(),
    }
}

fn opened_by_bob() -> TeamEvent {
    TeamEvent::Request {
        request: "1".parse().unwrap(),
        change: RequestEvent::Opened {
            kind: RequestPayload::Shutdown(ShutdownRequest {
                member: member("alice"),
                incarnation: LIFE,
                reason: String::new(),
                now: false,
            }),
            from: Principal::member(&member("bob"), LIFE),
            call: "x".into(),
            deadline: None,
            opened: None,
        },
    }
}

#[test]
fn nothing_is_recorded_for_a_member_that_was_not_asked_for() {
    let mut story = Story::with_lead_on("w1");
    for event in [
        completed(by_bob()),
        ended(),
        opened_by_bob(),
        working("bob"),
    ] {
        let alone = story.take("w1", vec![event.clone()], None);
        assert_eq!(alone, Err(of_bob()), "{event:?}");
        let beside = story.take("w1", vec![working("alice"), event], None);
        assert_eq!(beside, Err(of_bob()));
    }
    assert_eq!(story.take("w1", vec![working("alice")], None), Ok(()));
    assert_eq!(story.take("w2", vec![working("bob")], None), Ok(()));
}

#[test]
fn a_question_proves_what_it_asks_and_nothing_else() {
    let mut story = Story::with_lead_on("w1");
    let result = |text: &str| act("bob", TaskAction::Complete(first_task(), text.into()));
    let done = || vec![completed(by_bob())];
    let works = || vec![working("bob")];
    let twice = vec![completed(by_bob()), completed(by_bob())];
    for (what, question, events) in [
        ("another command", asked(0, start("bob")), done()),
        ("another result", asked(0, result("half")), done()),
        ("the same twice", asked(0, result("done")), twice),
        ("another member's", asked(0, start("alice")), works()),
        ("another worker's", asked_by("w3", 0, start("bob")), works()),
        ("its own", asked_by("w1", 0, start("bob")), works()),
        ("an old term's", asked(0, under(9, start("bob"))), works()),
    ] {
        let taken = story.take("w1", events, Some(&question));
        assert_eq!(taken, Err(of_bob()), "{what}");
    }
    let rightly = asked(0, under(1, start("bob")));
    assert_eq!(story.take("w1", works(), Some(&rightly)), Ok(()));
}

#[test]
fn a_question_is_decided_once_by_the_steward_that_was_asked() {
    let mut story = Story::with_lead_on("w1");
    let (first, second) = (asked(4, start("bob")), asked(5, start("bob")));
    let events = || vec![working("bob")];
    let (other, again) = (UnaskedRecord::OtherSteward, UnaskedRecord::Repeated);
    let taken = story.take("w3", events(), Some(&first));
    assert_eq!(taken, Err(other.clone()));
    assert_eq!(story.take("w1", events(), Some(&second)), Ok(()));
    for old in [&second, &first] {
        assert_eq!(story.take("w1", events(), Some(old)), Err(again.clone()));
    }
    // What a worker has decided by itself in the meantime.
    let doubted = asked(6, start("bob"));
    let mut own = story.record("w2", events(), None);
    own.commands.push(DecidedCommand {
        id: doubted.asked.first,
        first: 0,
        count: 1,
    });
    assert_eq!(story.team.replay(&own), Ok(()));
    assert_eq!(story.take("w1", events(), Some(&doubted)), Err(again));
    let next = TeamEvent::Place(PlaceEvent::Stewarded {
        worker: worker("w1"),
        term: Term(2),
    });
    assert_eq!(story.take("w1", vec![next], None), Ok(()));
    let old = asked(7, start("bob"));
    assert_eq!(story.take("w1", events(), Some(&old)), Err(other));
}

#[test]
fn a_member_that_comes_back_does_not_revive_old_questions() {
    let mut story = Story::with_lead_on("w1");
    let question = asked(0, start("bob"));
    let works = || vec![working("bob")];
    assert_eq!(story.take("w1", works(), Some(&question)), Ok(()));
    let moved = TeamEvent::Place(PlaceEvent::Moved {
        member: member("bob"),
        worker: worker("w2"),
        term: Term(2),
        why: MoveWhy::Rejoined,
    });
    assert_eq!(story.take("w1", vec![moved], None), Ok(()));
    let again = story.take("w1", works(), Some(&question));
    assert_eq!(again, Err(UnaskedRecord::Repeated));
}

#[test]
fn a_member_of_its_own_does_not_decide_for_others() {
    let mut story = Story::with_lead_on("w2");
    let claims = task(TaskEvent::Claimed {
        by: member("alice"),
        incarnation: LIFE,
        claim: 2,
    });
    let lifted = TeamEvent::PlanLifted {
        member: member("bob"),
        incarnation: LIFE,
        by: Principal::member(&member("alice"), LIFE),
    };
    let completes = completed(Sender::Member(member("alice")));
    for event in [completes, claims, lifted] {
        let taken = story.take("w1", vec![event.clone()], None);
        assert_eq!(taken, Err(UnaskedRecord::OutOfReach), "{event:?}");
    }
}

#[test]
fn a_worker_does_not_speak_for_the_user() {
    let mut story = Story::with_lead_on("w1");
    let budgets = TeamEvent::BudgetsSet {
        budgets: crate::budget::Budgets::default(),
    };
    for event in [completed(Sender::User), completed(Sender::System), budgets] {
        let taken = story.take("w1", vec![event.clone()], None);
        assert_eq!(taken, Err(UnaskedRecord::User), "{event:?}");
        let by_user = Record::of(story.number, Timestamp(1), vec![event]);
        assert_eq!(story.team.replay(&by_user), Ok(()));
    }
}

#[test]
fn who_runs_whom_is_changed_by_itself_and_a_list_fits_its_record() {
    let mut story = Story::with_lead_on("w1");
    let taken = story.take("w1", vec![placed("bob", "w1", 2), ended()], None);
    assert_eq!(taken, Err(UnaskedRecord::Mixed));
    let question = asked(0, start("alice"));
    let mut record = story.record("w1", vec![working("alice")], Some(&question));
    record.commands[0].count = 2;
    assert_eq!(story.team.replay(&record), Err(UnaskedRecord::BadList));
    // Openly a steward may take a member to itself: its own worker reads so.
    let taken = story.take("w1", vec![placed("bob", "w1", 2)], None);
    assert_eq!(taken, Ok(()));
    assert_eq!(story.take("w1", vec![ended()], None), Ok(()));
}
