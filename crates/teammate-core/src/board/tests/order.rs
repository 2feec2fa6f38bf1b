//! What waits for what, and what is taken first.

use super::*;

fn links(add_blocked_by: &[u32], remove_blocked_by: &[u32], add_blocks: &[u32]) -> TaskEdit {
    TaskEdit {
        add_blocked_by: ids(add_blocked_by),
        remove_blocked_by: ids(remove_blocked_by),
        add_blocks: ids(add_blocks),
        ..TaskEdit::default()
    }
}

fn links_of(play: &mut Play, task: u32, edit: TaskEdit) -> String {
    play.asks("lead", TaskAction::Edit(id(task), Box::new(edit)))
}

#[test]
fn what_is_blocked_is_neither_claimed_nor_completed() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[], &[1], &[1, 2]]);
    let claim = play.asks("alice", TaskAction::Claim(id(3)));
    assert_eq!(claim, "#3 is blocked by #1, #2 and cannot be claimed yet");
    assert!(play.completes("lead", 3).contains("blocked by #1, #2"));
    play.asks("alice", TaskAction::Claim(id(1)));
    assert_eq!(play.takes("bob"), "nothing", "all the rest waits");
    // Failed is not completed.
    play.asks("alice", TaskAction::Fail(id(1), "no".into()));
    assert!(
        play.asks("bob", TaskAction::Claim(id(2)))
            .contains("blocked by #1")
    );
    play.asks("lead", TaskAction::Reopen(id(1), String::new()));
    play.completes("lead", 1);
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(2), "in_progress @bob");
    // Reopening a blocker blocks its dependents again, also those in progress.
    play.asks("lead", TaskAction::Reopen(id(1), String::new()));
    assert!(play.completes("bob", 2).contains("blocked by #1"));
    assert!(play.completes("lead", 2).contains("blocked by #1"));
    play.completes("lead", 1);
    assert_eq!(play.completes("bob", 2), "done");
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.state(3), "in_progress @alice");
}

#[test]
fn to_delete_a_task_or_to_unlink_it_frees_what_waits() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[], &[1], &[1]]);
    play.asks("alice", TaskAction::Claim(id(1)));
    assert_eq!(play.called(), ["alice"], "she has her own in hand");
    assert_eq!(links_of(&mut play, 3, links(&[], &[1], &[])), "done");
    assert_eq!(play.called(), ["alice", "bob"]);
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(3), "in_progress @bob");
    play.asks("lead", TaskAction::Delete(id(1)));
    assert_eq!(play.team.board().task_of(&name("alice")), None);
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.state(2), "in_progress @alice");
    assert!(play.team.board().task(id(2)).unwrap().blocked_by.is_empty());
}

#[test]
fn circles_and_unknown_tasks_are_refused() {
    let mut play = Play::with(&[]);
    play.tasks(&[&[], &[1], &[2]]);
    let unknown = NewTask {
        blocked_by: ids(&[7]),
        ..NewTask::default()
    };
    assert!(play.new_task(unknown).starts_with("there is no task #7"));
    let circle = NewTask {
        blocked_by: ids(&[3]),
        blocks: ids(&[1]),
        ..NewTask::default()
    };
    assert!(play.new_task(circle).contains("cannot wait for #4"));
    for edit in [
        links(&[1], &[], &[]),
        links(&[3], &[], &[]),
        links(&[2], &[], &[]),
        links(&[], &[], &[1]),
        links(&[9], &[], &[]),
    ] {
        let said = links_of(&mut play, 1, edit.clone());
        assert!(
            said.contains("already, directly or through others") || said.contains("no task #9"),
            "{edit:?}: {said}"
        );
    }
}

#[test]
fn one_edit_cannot_close_a_circle_from_both_sides() {
    let mut play = Play::with(&[]);
    play.tasks(&[&[], &[], &[2]]);
    assert!(links_of(&mut play, 1, links(&[2], &[], &[2])).contains("already"));
    // 1 would wait for 3, which waits for 2, which would wait for 1.
    assert!(links_of(&mut play, 1, links(&[3], &[], &[2])).contains("already"));
    assert_eq!(links_of(&mut play, 1, links(&[2], &[], &[3])), "done");
    let waits = &play.team.board().task(id(3)).unwrap().blocked_by;
    assert_eq!(*waits, ids(&[1, 2]));
}

#[test]
fn a_member_takes_its_own_task_then_an_assigned_one_then_the_first() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[], &[], &[], &[]]);
    for task in [4, 3] {
        play.asks("lead", TaskAction::Assign(id(task), name("bob")));
    }
    assert!(
        play.asks("alice", TaskAction::Claim(id(3)))
            .contains("assigned to bob")
    );
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(3), "in_progress @bob");
    assert_eq!(play.takes("bob"), "nothing", "one at a time");
    let busy = play.asks("bob", TaskAction::Claim(id(1)));
    assert!(busy.starts_with("'bob' has #3 in progress"), "{busy}");
    play.completes("bob", 3);
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(4), "in_progress @bob");
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.state(1), "in_progress @alice");
    play.completes("bob", 4);
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(2), "in_progress @bob");
}

#[test]
fn who_does_not_meet_the_demands_is_passed_over() {
    let mut play = Play::with(&["alice:backend developer", "bob:Frontend"]);
    let needs = |text: &str| NewTask {
        requires: Some(text.parse().unwrap()),
        ..NewTask::default()
    };
    play.new_task(needs("role:frontend"));
    play.new_task(needs("tool:bash"));
    let said = play.asks("alice", TaskAction::Claim(id(1)));
    assert_eq!(
        said,
        "#1 requires role:frontend, which 'alice' does not meet"
    );
    let said = play.asks("lead", TaskAction::Assign(id(1), name("alice")));
    assert!(said.contains("does not meet"), "{said}");
    assert_eq!(play.called(), ["alice", "bob"]);
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.state(2), "in_progress @alice");
    assert_eq!(play.takes("bob"), "done");
    assert_eq!(play.state(1), "in_progress @bob");
    let only_grep = MemberOptions {
        tools: Some(vec!["grep".into()]),
        ..MemberOptions::default()
    };
    play.spawn("carol", "any", only_grep, false);
    play.asks("lead", TaskAction::Reopen(id(2), String::new()));
    assert!(
        play.asks("carol", TaskAction::Claim(id(2)))
            .contains("does not meet")
    );
}

#[test]
fn a_task_set_aside_that_does_not_fit_any_more_does_not_hide_the_next() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[]]);
    play.asks("lead", TaskAction::Assign(id(1), name("alice")));
    play.asks("lead", TaskAction::Assign(id(2), name("alice")));
    let demand = TaskEdit {
        requires: Some(Some("role:other".parse().unwrap())),
        ..TaskEdit::default()
    };
    assert_eq!(links_of(&mut play, 1, demand), "done");
    assert_eq!(play.called(), ["alice"]);
    assert_eq!(play.takes("alice"), "done");
    assert_eq!(play.state(2), "in_progress @alice");
}
