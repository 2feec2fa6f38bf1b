//! Which members the board wakes, and the lead's notices: one per version, none for its own changes.

use super::*;

impl Play {
    /// The lead gets a board notice if one is due.
    fn tells(&mut self) -> Option<String> {
        let notice = self.team.board_notice()?;
        let told = Command::MarkBoardReported {
            changes: notice.changes,
        };
        assert_eq!(self.run(&told), Ok(1));
        Some(notice.text)
    }
}

#[test]
fn the_lead_hears_each_version_once() {
    let mut play = Play::with(&["alice"]);
    assert_eq!(play.tells(), None, "an empty board");
    play.tasks(&[&[], &[1]]);
    assert_eq!(play.tells(), None, "its own doing");
    play.takes("alice");
    play.completes("alice", 1);
    play.rests("alice", EndReason::Done);
    let text = play.tells().unwrap();
    assert!(
        text.starts_with("No member is working, but 1 of 2 tasks is open.\n#2 "),
        "{text}"
    );
    assert_eq!(play.tells(), None);
    play.rests("alice", EndReason::Done);
    assert_eq!(play.tells(), None, "nothing new on the board");
    play.takes("alice");
    play.completes("alice", 2);
    assert!(
        play.tells()
            .unwrap()
            .starts_with("All 2 tasks are completed.")
    );
    assert_eq!(play.tells(), None);
}

#[test]
fn what_the_lead_or_the_user_did_alone_is_no_news() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[]]);
    play.takes("alice");
    play.completes("alice", 1);
    assert!(play.tells().is_some());
    play.completes("lead", 2);
    play.asks("user", TaskAction::Delete(id(1)));
    assert_eq!(play.tells(), None);
}

#[test]
fn a_rest_before_the_leads_own_doing_makes_it_no_news() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[]]);
    play.takes("alice");
    play.completes("alice", 1);
    assert!(play.tells().is_some());
    play.rests("alice", EndReason::Done);
    play.asks("lead", TaskAction::Delete(id(1)));
    play.tasks(&[&[]]);
    assert_eq!(play.tells(), None);
    // But when a teammate ends its turn and leaves it, that is.
    play.rests("alice", EndReason::Interrupted);
    assert!(play.tells().unwrap().contains("1 of 1 tasks is open"));
}

#[test]
fn changes_during_a_board_notice_are_in_the_next_one() {
    let mut play = Play::with(&["alice"]);
    play.tasks(&[&[], &[]]);
    play.takes("alice");
    play.completes("alice", 1);
    let notice = play.team.board_notice().unwrap();
    assert_eq!(play.takes("alice"), "done");
    let told = Command::MarkBoardReported {
        changes: notice.changes,
    };
    assert_eq!(play.run(&told), Ok(1));
    let next = play.team.board_notice().unwrap();
    assert_ne!(next.id, notice.id);
    assert!(play.tells().is_some());
    // The lead's own doing meanwhile is not.
    play.completes("alice", 2);
    let notice = play.team.board_notice().unwrap();
    play.asks("lead", TaskAction::Delete(id(2)));
    let told = Command::MarkBoardReported {
        changes: notice.changes,
    };
    assert_eq!(play.run(&told), Ok(1));
    assert_eq!(play.tells(), None);
}

#[test]
fn as_many_are_called_as_there_is_work_for() {
    let mut play = Play::with(&["alice", "bob", "carol"]);
    assert!(play.called().is_empty());
    play.tasks(&[&[], &[1], &[]]);
    assert_eq!(play.called(), ["alice", "bob"]);
    play.works("alice");
    assert_eq!(play.called(), ["bob", "carol"], "who works looks by itself");
    play.rests("bob", EndReason::Interrupted);
    play.rests("carol", failed());
    assert!(
        play.called().is_empty(),
        "not who was interrupted or failed"
    );
    play.stops("carol");
    assert!(play.called().is_empty());
    let lead = play.team.member(&MemberName::lead()).unwrap();
    assert_eq!(
        play.team.next_for(lead),
        None,
        "the lead takes nothing by itself"
    );
}

#[test]
fn who_can_begin_nothing_leaves_its_place_to_the_next() {
    let mut play = Play::with(&["alice", "bob"]);
    play.tasks(&[&[]]);
    assert_eq!(play.called(), ["alice"]);
    let but_alice = |member: &MemberName| *member != name("alice");
    assert_eq!(play.team.members_to_wake_among(but_alice), [name("bob")]);
    assert!(play.team.members_to_wake_among(|_| false).is_empty());
}
