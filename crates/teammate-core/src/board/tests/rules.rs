//! Who may do what, and what comes twice.

use super::*;

fn edit(task: u32, edit: TaskEdit) -> TaskAction {
    TaskAction::Edit(id(task), Box::new(edit))
}

#[test]
fn ids_count_up_and_are_never_used_again() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[], &[]]);
    assert_eq!(play.asks("lead", TaskAction::Delete(id(3))), "done");
    play.tasks(&[&[]]);
    assert_eq!(play.state(3), "deleted");
    assert_eq!(play.state(4), "pending");
    assert_eq!(
        play.completes("lead", 9),
        "there is no task #9; there are tasks #1 to #4"
    );
    assert!(play.completes("lead", 3).contains("status is 'deleted'"));
    assert!(
        play.asks("lead", TaskAction::Reopen(id(3), String::new()))
            .contains("deleted")
    );
}

#[test]
fn the_same_call_makes_one_task() {
    let mut play = Play::with(&["alice"]);
    let new = NewTask {
        call: "the call".into(),
        subject: "once".into(),
        ..NewTask::default()
    };
    let ask = TaskAction::Create(Box::new(new));
    assert_eq!(play.asks("lead", ask.clone()), "done");
    assert_eq!(play.asks("lead", ask.clone()), "nothing");
    // Also after the task was deleted.
    assert_eq!(play.asks("lead", TaskAction::Delete(id(1))), "done");
    assert_eq!(play.asks("lead", ask), "nothing");
    assert_eq!(play.team.board().tasks().count(), 0);
}

#[test]
fn what_has_happened_happens_once() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[]]);
    let twice = |play: &mut Play, who: &str, ask: TaskAction| {
        assert_eq!(play.asks(who, ask.clone()), "done", "{ask:?}");
        assert_eq!(play.asks(who, ask.clone()), "nothing", "{ask:?} again");
    };
    let why = || "why".to_owned();
    twice(&mut play, "lead", TaskAction::Assign(id(1), name("alice")));
    twice(&mut play, "alice", TaskAction::Claim(id(1)));
    twice(&mut play, "alice", TaskAction::Release(id(1), why()));
    twice(&mut play, "alice", TaskAction::Claim(id(1)));
    twice(&mut play, "alice", TaskAction::Complete(id(1), why()));
    twice(&mut play, "lead", TaskAction::Reopen(id(1), why()));
    twice(&mut play, "alice", TaskAction::Claim(id(1)));
    twice(&mut play, "alice", TaskAction::Fail(id(1), why()));
    let order = TaskEdit {
        add_blocked_by: ids(&[2]),
        subject: Some("new".into()),
        ..TaskEdit::default()
    };
    twice(&mut play, "lead", edit(1, order));
    let order = TaskEdit {
        add_blocks: ids(&[1]),
        ..TaskEdit::default()
    };
    assert_eq!(play.asks("lead", edit(2, order)), "nothing", "as it is");
    twice(&mut play, "lead", TaskAction::Delete(id(1)));
}

#[test]
fn teammates_neither_make_nor_change_nor_give_away_tasks() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[], &[]]);
    let asks = [
        TaskAction::Create(Box::new(NewTask {
            subject: "mine".into(),
            ..NewTask::default()
        })),
        TaskAction::Assign(id(1), name("bob")),
        TaskAction::Reopen(id(1), String::new()),
        TaskAction::Delete(id(1)),
        TaskAction::Fail(id(1), String::new()),
        edit(
            1,
            TaskEdit {
                add_blocked_by: ids(&[2]),
                ..TaskEdit::default()
            },
        ),
        edit(
            1,
            TaskEdit {
                check: Some(None),
                ..TaskEdit::default()
            },
        ),
    ];
    assert_eq!(play.asks("alice", TaskAction::Claim(id(1))), "done");
    for ask in asks {
        let who = if matches!(ask, TaskAction::Fail(..)) {
            "bob"
        } else {
            "alice"
        };
        let said = play.asks(who, ask.clone());
        assert!(
            said.contains("only the lead") || said.contains("not yours"),
            "{ask:?}: {said}"
        );
    }
    // Words about one's own task are one's own; about another's, they are not.
    let words = TaskEdit {
        description: Some("more".into()),
        ..TaskEdit::default()
    };
    assert_eq!(play.asks("alice", edit(1, words.clone())), "done");
    assert!(play.asks("bob", edit(1, words)).contains("not yours"));
}

#[test]
fn only_the_owner_the_lead_or_the_user_completes() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[], &[], &[]]);
    assert!(play.completes("alice", 1).contains("claim it first"));
    play.asks("alice", TaskAction::Claim(id(1)));
    assert!(play.completes("bob", 1).contains("it is alice's"));
    assert_eq!(play.completes("alice", 1), "done");
    assert!(play.completes("bob", 1).contains("not yours"));
    play.asks("alice", TaskAction::Claim(id(2)));
    assert_eq!(play.completes("lead", 2), "done");
    assert_eq!(play.completes("user", 3), "done");
    assert!(
        play.asks("user", TaskAction::Claim(id(3)))
            .contains("user cannot claim tasks")
    );
}

#[test]
fn a_check_stands_before_the_end_and_fails_five_times_at_most() {
    let mut play = Play::with(&["alice"]);
    let new = NewTask {
        check: Some("make test".into()),
        ..NewTask::default()
    };
    play.new_task(new);
    play.asks("alice", TaskAction::Claim(id(1)));
    let complete = || TaskAction::Complete(id(1), String::new());
    assert!(play.asks("alice", complete()).contains("make test"));
    let other = play.asks_verified("alice", complete(), Some("true"));
    assert!(other.contains("make test"), "another check: {other}");
    assert!(play.asks("lead", complete()).contains("make test"));
    let fails = || TaskCommand::CheckFailed {
        by: Actor::Member(name("alice"), Incarnation::FIRST),
        task: id(1),
        output: "red".into(),
    };
    for _ in 1..CHECK_FAILURES_MAX {
        assert_eq!(play.board(fails()), "done");
        assert_eq!(play.state(1), "in_progress @alice");
    }
    play.board(fails());
    assert_eq!(play.state(1), "failed");
    assert_eq!(play.board(fails()), "nothing");
    assert_eq!(play.team.board().task_of(&name("alice")), None);
    // A new claim counts anew.
    play.asks("lead", TaskAction::Reopen(id(1), String::new()));
    play.asks("alice", TaskAction::Claim(id(1)));
    play.board(fails());
    assert_eq!(play.state(1), "in_progress @alice");
    let verified = play.asks_verified("alice", complete(), Some("make test"));
    assert_eq!(verified, "done");
    let task = play.team.board().task(id(1)).unwrap();
    let run = task
        .status
        .evidence()
        .expect("the run of the check is kept");
    assert_eq!((run.check.as_str(), run.took_ms), ("make test", 41));
}
