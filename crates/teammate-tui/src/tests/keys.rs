//! Keys that the user has changed, and what keys must not take away.

use super::*;
use crate::{app::Focus, input::Lent};

fn types(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

fn ctrl(app: &mut App, letter: char) -> KeyStep {
    input::handle(
        app,
        KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL),
    )
}

#[test]
fn a_changed_key_does_what_the_old_one_did_and_is_named_everywhere() {
    let mut app = app();
    let wishes = r#"{"vi": true, "board": "F9", "answer_once": "j", "item_down": "Down"}"#;
    let wishes: KeySettings = serde_json::from_str(wishes).unwrap();
    assert!(KeyTable::new(&wishes).is_err(), "j is vi's");
    let wishes = r#"{"vi": true, "board": "F9", "answer_once": "J", "search": "s"}"#;
    app.setup.keys = KeyTable::new(&serde_json::from_str(wishes).unwrap()).unwrap();
    press(&mut app, KeyCode::F(3));
    assert_eq!(app.kind, ScreenKind::Team);
    press(&mut app, KeyCode::F(9));
    assert_eq!(app.kind, ScreenKind::Board);
    press(&mut app, KeyCode::Tab);
    for (key, row) in [('j', 1), ('k', 0), ('G', 1), ('g', 0)] {
        press(&mut app, KeyCode::Char(key));
        assert_eq!(app.places.task_row, row, "{key}");
    }
    for (key, row) in [('d', 1), ('u', 0)] {
        ctrl(&mut app, key);
        assert_eq!(app.places.task_row, row, "Ctrl-{key}");
    }
    ctrl(&mut app, 'n');
    let shown = screen(&app, 80, 24);
    assert!(shown.contains(" J once   a always   n no"), "{shown}");
    press(&mut app, KeyCode::Char('?'));
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("s finds"), "{shown}");
    let help = app.overlay.unwrap().texts(80).join("\n");
    assert!(help.contains("  F9 "), "{help}");
}

#[test]
fn what_one_should_look_at_stands_below_what_needs_one_and_is_no_need() {
    let mut app = app();
    app.show(ScreenKind::Needs);
    let needs = app.needs().len();
    let damage = r#"{"at":1795500100000,"member":"alice","event":"notice","text":"line 3 is no entry","about":"damage"}"#;
    let event = serde_json::from_str::<Event>(damage).unwrap();
    app.take(&Fact::Event(Arc::new(event)));
    let shown = screen(&app, 80, 24);
    let rows: Vec<&str> = shown.lines().collect();
    let title = rows
        .iter()
        .position(|row| row.starts_with("── To look at ──"));
    let below = rows[title.unwrap() + 1];
    assert_eq!(below, " ~ alice has damaged lines: line 3 is no entry");
    assert_eq!(app.needs().len(), needs);
    assert!(shown.contains("NEED"), "{shown}");
}

#[test]
fn what_may_be_spent_stands_beside_what_was() {
    let mut app = app();
    app.show(ScreenKind::Cost);
    assert!(!screen(&app, 80, 24).contains("at most"));
    app.setup.facts.limits = Budget {
        tokens: Some(2_000_000),
        money: Some("5".parse().unwrap()),
        turns: Some(50),
        minutes: None,
    };
    app.setup.facts.prices.currency = "USD".to_owned();
    let shown = screen(&app, 80, 24);
    let row = "tokens, at most $5.00, 2.0M tokens, 50 turns ──";
    assert!(shown.contains(row), "{shown}");
}

#[test]
fn the_file_of_a_call_on_the_screen_is_opened() {
    let mut app = app();
    app.places.member = Some(teammate_core::MemberName::parse("alice").unwrap());
    app.show(ScreenKind::Board);
    app.focus = Focus::Pane;
    assert!(matches!(press(&mut app, KeyCode::Char('o')), KeyStep::Stay));
    let hint = app.note.text().unwrap().to_owned();
    app.note.take_back();
    assert!(hint.starts_with("No file is here"), "{hint}");
    app.show(ScreenKind::Member);
    let KeyStep::Lend(Lent::File(file)) = press(&mut app, KeyCode::Char('o')) else {
        panic!("{:?}", app.note);
    };
    let path = ".team/outputs/alice-c9.txt";
    assert_eq!((file.path.as_str(), file.worktree_of), (path, None));
    // Scrolled past, it is not meant any more.
    app.pane = (80, 8);
    press(&mut app, KeyCode::Home);
    let step = press(&mut app, KeyCode::Char('o'));
    assert!(matches!(step, KeyStep::Stay), "{step:?}");
    // From the beginning one comes down again.
    for _ in 0..4 {
        press(&mut app, KeyCode::PageDown);
    }
    let step = press(&mut app, KeyCode::Char('o'));
    assert!(matches!(step, KeyStep::Lend(Lent::File(_))), "{step:?}");
}

#[test]
fn a_reason_for_a_no_takes_no_draft_away() {
    let mut app = app();
    let begin = |app: &mut App| {
        ctrl(app, 'n');
        press(app, KeyCode::Char('w'));
        let request = input::chosen_question(app).unwrap().request;
        assert_eq!(app.prompt.editor.text(), format!("/deny {request} "));
        assert_eq!(app.prompt.unsent()["lead"], "half a word");
    };
    types(&mut app, "half a word");
    begin(&mut app);
    types(&mut app, "too early");
    let KeyStep::Ask(Verb::Typed(line)) = press(&mut app, KeyCode::Enter) else {
        panic!("not denied");
    };
    assert!(line.starts_with("/deny req_") && line.ends_with(" too early"));
    assert_eq!(app.prompt.editor.text(), "half a word");
    // Given up, by either key, and for another recipient.
    begin(&mut app);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.prompt.editor.text(), "half a word");
    begin(&mut app);
    begin(&mut app);
    ctrl(&mut app, 'c');
    assert_eq!(app.prompt.editor.text(), "half a word");
    begin(&mut app);
    app.prompt
        .turn_to(teammate_core::MemberName::parse("alice").unwrap());
    assert_eq!(app.prompt.editor.text(), "");
    app.prompt.turn_to(teammate_core::MemberName::lead());
    assert_eq!(app.prompt.editor.text(), "half a word");
}

#[test]
fn a_dropped_picture_becomes_the_word_that_shows_it_but_not_in_a_command_or_a_word() {
    for (before, expected) in [
        ("", "@/tmp/a.png "),
        ("see ", "see @/tmp/a.png "),
        ("!file ", "!file /tmp/a.png"),
        ("see:", "see:/tmp/a.png"),
    ] {
        let mut app = app();
        types(&mut app, before);
        input::paste(&mut app, "/tmp/a.png");
        assert_eq!(app.prompt.editor.text(), expected);
    }
}
