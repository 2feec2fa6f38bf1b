//! Choosing from a list that answers a command, and leaving for what was chosen.

use std::time::Instant;

use teammate_view::{Choice, ChoiceGroup, Choices, Elsewhere};

use super::*;
use crate::{
    ScreenEnd,
    app::{Focus, Overlay},
    end::After,
};

fn choice(word: &str, text: &str, is_current: bool) -> Choice {
    Choice {
        word: word.to_owned(),
        text: text.to_owned(),
        more: format!("more about {word}"),
        is_current,
    }
}

fn show(app: &mut App) {
    let group = |title: &str, choices| ChoiceGroup {
        title: title.to_owned(),
        choices,
    };
    let choices = Choices {
        command: "/resume".to_owned(),
        groups: vec![
            group(
                "Your teams",
                vec![
                    choice("1", "default  running", true),
                    choice("2", "docs  paused", false),
                ],
            ),
            group("Conversations", vec![choice("c1", "Build a shop", false)]),
        ],
    };
    input::show_choices(app, Overlay::choices(choices));
}

fn typed(step: KeyStep) -> Option<String> {
    match step {
        KeyStep::Ask(Verb::Typed(line)) => Some(line),
        _ => None,
    }
}

#[test]
fn a_list_stands_at_the_first_that_one_has_not_and_enter_takes_what_is_chosen() {
    for (keys, line) in [
        (vec![], "/resume 2"),
        (vec![KeyCode::Down], "/resume c1"),
        (vec![KeyCode::Down, KeyCode::Down], "/resume c1"),
        (vec![KeyCode::Home], "/resume 1"),
        (vec![KeyCode::End, KeyCode::Up], "/resume 2"),
    ] {
        let mut app = app();
        show(&mut app);
        for key in &keys {
            assert!(matches!(press(&mut app, *key), KeyStep::Stay));
        }
        let chosen = typed(press(&mut app, KeyCode::Enter));
        assert_eq!(chosen.as_deref(), Some(line), "{keys:?}");
        assert!(app.overlay.is_none() && app.focus == Focus::Prompt);
    }
}

#[test]
fn a_list_shows_groups_what_is_chosen_and_what_one_has() {
    let mut app = app();
    show(&mut app);
    let shown = screen(&app, 80, 24);
    for row in [
        "── Your teams ──",
        "  * default  running\n      more about 1\n",
        " >  docs  paused\n",
        "── Conversations ──",
        "    Build a shop\n",
    ] {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
    // In a small window the chosen one is visible.
    press(&mut app, KeyCode::End);
    let shown = screen(&app, 60, 10);
    assert!(shown.contains(" >  Build a shop\n"), "{shown}");
}

#[test]
fn a_list_is_left_without_a_choice_and_takes_no_line_that_was_typed_meanwhile() {
    for key in [
        KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
        KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
    ] {
        let mut app = app();
        show(&mut app);
        assert!(matches!(input::handle(&mut app, key), KeyStep::Stay));
        assert!(app.overlay.is_none() && app.focus == Focus::Prompt);
        assert!(
            !app.interrupt.has_just_interrupted(Instant::now()),
            "nobody was interrupted"
        );
    }
    let mut app = app();
    for letter in "hello".chars() {
        press(&mut app, KeyCode::Char(letter));
    }
    show(&mut app);
    let KeyStep::Ask(Verb::Say { text, .. }) = press(&mut app, KeyCode::Enter) else {
        panic!("the words were not sent");
    };
    assert_eq!(text, "hello");
}

#[test]
fn who_goes_on_with_another_team_says_what_becomes_of_members_that_work() {
    let on = |app: &mut App| input::go_on(app, Elsewhere::Team);
    let leaves = |step: KeyStep| match step {
        KeyStep::Leave(how) => Some(how),
        _ => None,
    };
    for (key, how) in [
        (KeyCode::Char('p'), Some(ScreenEnd::Asked(After::GoesOn))),
        (KeyCode::Char('b'), Some(ScreenEnd::HandOver(After::GoesOn))),
        (KeyCode::Char('s'), None),
    ] {
        let mut app = app();
        assert!(app.present().has_work_under_way());
        app.setup.leaving = Leaving::Pauses;
        assert!(leaves(on(&mut app)).is_none(), "it is asked first");
        assert!(screen(&app, 80, 24).contains("Members work: p pauses the team"));
        assert_eq!(leaves(press(&mut app, key)), how);
        assert!(app.leaving.is_none());
    }
    // Who attached ends nothing, and another conversation can only pause the members.
    let mut app = app();
    app.setup.leaving = Leaving::EndsNothing;
    let how = Some(ScreenEnd::Asked(After::GoesOn));
    assert_eq!(leaves(on(&mut app)), how);
    app.setup.leaving = Leaving::Pauses;
    let step = input::go_on(&mut app, Elsewhere::Conversation);
    assert_eq!(leaves(step), how);
}

#[test]
fn a_team_that_goes_on_in_a_moment_is_left_with_the_same_question() {
    let mut app = app();
    // As just after `resume`: the journal has unfinished turns, and no member has begun again.
    let pid = app.present().run().unwrap().pid.unwrap();
    app.take(&Fact::HostEnded { pid });
    let rests = |app: &App| {
        let mut stories = app.present().stories();
        stories.all(|(_, story)| story.doing().is_none())
    };
    assert!(rests(&app));
    let step = input::go_on(&mut app, Elsewhere::Team);
    assert!(matches!(step, KeyStep::Stay));
    assert!(app.leaving.is_some());
}

#[test]
fn the_word_that_interrupts_counts_for_no_key_that_is_pressed_twice() {
    let mut app = app();
    for _ in 0..2 {
        for letter in "/interrupt".chars() {
            press(&mut app, KeyCode::Char(letter));
        }
        let line = typed(press(&mut app, KeyCode::Enter));
        assert_eq!(line.as_deref(), Some("/interrupt"));
    }
    let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    let step = input::handle(&mut app, ctrl_c);
    assert!(matches!(step, KeyStep::Stay), "it is asked: {step:?}");
    let step = input::handle(&mut app, ctrl_c);
    assert!(
        matches!(step, KeyStep::Ask(Verb::Interrupt(None))),
        "{step:?}"
    );
    let step = input::handle(&mut app, ctrl_c);
    assert!(matches!(step, KeyStep::Leave(_)), "{step:?}");
}
