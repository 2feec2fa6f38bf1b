//! A board that is full is a board.

use super::*;

#[test]
fn a_full_board_takes_no_more_and_works() {
    const COUNT: u32 = 20_000;
    let mut play = Play::with(&["alice"]);
    for number in 1..=COUNT {
        let before = ids(&[number - 1]);
        let new = NewTask {
            blocked_by: if number == 1 { BTreeSet::new() } else { before },
            ..NewTask::default()
        };
        assert_eq!(play.new_task(new), "done");
    }
    for _ in COUNT..100_000 {
        let refused = play.new_task(NewTask::default());
        assert!(
            refused.starts_with("the board has 20000 tasks"),
            "{refused}"
        );
    }
    // One long chain: what closes it to a circle is found, however long it is.
    let circle = TaskEdit {
        add_blocked_by: ids(&[COUNT]),
        ..TaskEdit::default()
    };
    let refused = play.asks("lead", TaskAction::Edit(id(1), Box::new(circle)));
    assert!(refused.contains("already"), "{refused}");
    for number in 1..=20 {
        assert_eq!(play.takes("alice"), "done");
        assert_eq!(play.state(number), "in_progress @alice");
        assert_eq!(play.completes("alice", number), "done");
    }
    assert_eq!(play.state(COUNT), "pending");
}
