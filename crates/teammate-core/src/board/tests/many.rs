//! A board with a hundred thousand tasks is a board.

use super::*;

#[test]
fn a_hundred_thousand_tasks_are_made_found_and_done() {
    const COUNT: u32 = 100_000;
    let mut play = Play::with(&["alice"]);
    for number in 1..=COUNT {
        let before = ids(&[number - 1]);
        let new = NewTask {
            blocked_by: if number == 1 { BTreeSet::new() } else { before },
            ..NewTask::default()
        };
        assert_eq!(play.new_task(new), "done");
    }
    // One long chain: what closes it to a circle is found, however long it is.
    let circle = TaskEdit {
        add_blocked_by: ids(&[COUNT]),
        ..TaskEdit::default()
    };
    let refused = play.asks("lead", TaskAsk::Edit(id(1), Box::new(circle)));
    assert!(refused.contains("already"), "{refused}");
    for number in 1..=20 {
        assert_eq!(play.takes("alice"), "done");
        assert_eq!(play.state(number), "in_progress @alice");
        assert_eq!(play.completes("alice", number), "done");
    }
    assert_eq!(play.state(COUNT), "pending");
}
