//! Leases: what happens to a task when its owner stops, is spawned again, or loses the task.

use super::*;

#[test]
fn a_stop_failure_or_fresh_spawn_is_a_setback_and_the_third_fails_the_task() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[]]);
    play.works("alice");
    assert_eq!(play.takes("alice"), "done");
    play.rests("alice", failed());
    assert_eq!(play.state(1), "pending", "given back");
    assert_eq!(play.takes("alice"), "nothing", "who failed takes nothing");
    assert!(play.called().is_empty());
    play.works("alice");
    play.takes("alice");
    play.rests("alice", EndReason::Done);
    play.spawn("alice", "any", MemberOptions::default(), true);
    assert_eq!(play.state(1), "pending", "she starts anew");
    play.takes("alice");
    play.stops("alice");
    assert_eq!(play.state(1), "failed", "the third time");
    // Reopening a task grants three more setbacks.
    play.asks("lead", TaskAction::Reopen(id(1), String::new()));
    play.spawn("alice", "any", MemberOptions::default(), false);
    play.takes("alice");
    play.stops("alice");
    assert_eq!(play.state(1), "pending");
}

#[test]
fn an_interrupted_or_limited_member_keeps_its_task_and_is_not_woken() {
    for why in [
        EndReason::Interrupted,
        EndReason::Limit {
            what: "rounds".into(),
        },
    ] {
        let mut play = Play::with(&["alice"]);
        play.tasks(&[&[]]);
        play.takes("alice");
        play.rests("alice", why);
        assert_eq!(play.state(1), "in_progress @alice");
        assert!(play.called().is_empty());
    }
}

#[test]
fn a_wake_renews_the_lease_and_the_old_incarnation_is_refused() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[]]);
    play.takes("alice");
    play.spawn("alice", "any", MemberOptions::default(), false);
    assert_eq!(play.state(1), "in_progress @alice");
    let old = "'alice' was spawned again as incarnation 2; incarnation 1 has ended";
    for ask in [
        TaskAction::Claim(id(2)),
        TaskAction::Complete(id(1), String::new()),
        TaskAction::Fail(id(1), String::new()),
        TaskAction::Release(id(1), String::new()),
    ] {
        assert_eq!(play.asks("alice@1", ask), old);
    }
    let (alice, first) = (name("alice"), Incarnation::FIRST);
    let why = "gone".to_owned();
    for command in [
        TaskCommand::ClaimNext(alice.clone(), first),
        TaskCommand::Nudge(alice.clone(), first, id(1)),
        TaskCommand::Withdraw(alice.clone(), first, id(1), why),
        TaskCommand::CheckFailed {
            by: Actor::Member(alice, first),
            task: id(1),
            output: String::new(),
        },
    ] {
        assert_eq!(play.board(command), old);
    }
    assert_eq!(play.completes("alice", 1), "done");
    let again = play.asks("alice@1", TaskAction::Complete(id(1), String::new()));
    assert_eq!(again, old, "also where nothing would change");
}

#[test]
fn a_task_that_was_taken_away_cannot_be_completed_by_its_old_owner() {
    let revoked: [fn() -> TaskAction; 3] = [
        || TaskAction::Assign(id(1), name("bob")),
        || TaskAction::Reopen(id(1), String::new()),
        || TaskAction::Delete(id(1)),
    ];
    for revoke in revoked {
        let mut play = Play::with(&["alice", "bob"]);
        play.tasks(&[&[], &[]]);
        play.takes("alice");
        assert_eq!(play.asks("user", revoke()), "done");
        let taken = play.journal.iter().find_map(|event| match event {
            TeamEvent::Task { change, .. } => change.previous_owner(),
            _ => None,
        });
        assert_eq!(taken, Some(&name("alice")), "she is told");
        assert_eq!(play.team.board().task_of(&name("alice")), None);
        let late = play.completes("alice", 1);
        assert!(
            late.contains("cannot be completed") || late.contains("deleted"),
            "{late}"
        );
        // Also when it has begun anew in other hands.
        if play.state(1) != "deleted" {
            assert_eq!(play.takes("bob"), "done");
            assert!(play.completes("alice", 1).contains("it is bob's"));
            assert_eq!(
                play.asks("alice", TaskAction::Claim(id(1))),
                "#1 has already been claimed by bob"
            );
        }
    }
}

#[test]
fn who_was_stopped_claims_nothing_and_is_assigned_nothing() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[]]);
    play.asks("lead", TaskAction::Assign(id(1), name("alice")));
    play.stops("alice");
    assert!(
        play.asks("alice", TaskAction::Claim(id(1)))
            .contains("stopped")
    );
    assert_eq!(play.takes("alice"), "nothing");
    let task = play.team.board().task(id(1)).unwrap().clone();
    assert_eq!(
        play.team.status_text(&task),
        "assigned to alice, who is stopped"
    );
    assert!(play.asks("lead", TaskAction::Assign(id(1), name("alice"))) == "nothing");
    play.asks("lead", TaskAction::Reopen(id(1), String::new()));
    assert!(
        play.asks("lead", TaskAction::Assign(id(1), name("alice")))
            .contains("stopped")
    );
    assert!(
        play.asks("lead", TaskAction::Assign(id(1), name("nobody")))
            .contains("no member")
    );
    assert_eq!(play.called(), ["bob"]);
}

#[test]
fn a_member_is_reminded_twice_for_each_claim() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[]]);
    play.takes("alice");
    for _ in 0..NUDGES_MAX {
        assert_eq!(play.called(), ["alice"]);
        assert_eq!(play.nudge("alice", 1), "done");
    }
    assert!(play.called().is_empty());
    assert_eq!(play.nudge("alice", 1), "nothing", "and no more");
    play.asks("alice", TaskAction::Release(id(1), "cannot".into()));
    assert_eq!(play.nudge("alice", 1), "nothing", "not hers");
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.nudge("alice", 1), "done");
}

#[test]
fn each_claim_has_a_lease_and_mail_of_its_own() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[]]);
    let mut mails = BTreeSet::new();
    for _ in 0..3 {
        play.takes("alice");
        let task = play.team.board().task(id(1)).unwrap().clone();
        mails.insert(play.team.task_assignment_id(&task).unwrap());
        mails.insert(play.team.nudge_id(&task).unwrap());
        play.asks("alice", TaskAction::Release(id(1), "again".into()));
    }
    assert_eq!(mails.len(), 6);
}

#[test]
fn to_withdraw_counts_as_a_setback_of_ones_own_task_only() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[]]);
    play.takes("alice");
    let withdraw = |who: &str| {
        TaskCommand::Withdraw(name(who), Incarnation::FIRST, id(1), "no worktree".into())
    };
    assert_eq!(play.board(withdraw("bob")), "nothing");
    assert_eq!(play.board(withdraw("alice")), "done");
    assert_eq!(play.board(withdraw("alice")), "nothing");
    assert_eq!(play.team.board().task(id(1)).unwrap().setbacks, 1);
}
