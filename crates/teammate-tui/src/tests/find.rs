//! Looking for text in what is shown.

use super::*;
use crate::app::Focus;

/// Draws it, as the loop does.
fn shows(app: &mut App) -> String {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut drawn = crate::draw::DrawnScreen::default();
    terminal.draw(|frame| drawn = draw(app, frame)).unwrap();
    app.pane = drawn.pane.unwrap();
    screen(app, 80, 24)
}

/// Presses keys, each a character or a key after a frame.
fn keys(app: &mut App, text: &str) {
    for letter in text.chars() {
        shows(app);
        match letter {
            '\n' => press(app, KeyCode::Enter),
            '\u{1b}' => press(app, KeyCode::Esc),
            letter => press(app, KeyCode::Char(letter)),
        };
    }
}

fn hint(app: &App) -> &str {
    app.note.text().unwrap_or_default()
}

fn at(kind: ScreenKind) -> App {
    let mut app = app();
    app.show(kind);
    app.focus = Focus::Pane;
    app
}

#[test]
fn lists_go_to_what_has_the_word_and_around() {
    let mut app = at(ScreenKind::Board);
    keys(&mut app, "/tests\n");
    assert_eq!((app.places.task_row, hint(&app)), (1, "\"tests\": 1 of 1"));
    keys(&mut app, "n");
    assert_eq!(hint(&app), "\"tests\": 1 of 1, from the beginning again");
    keys(&mut app, "/#\n");
    assert_eq!((app.places.task_row, hint(&app)), (1, "\"#\": 2 of 2"));
    keys(&mut app, "n");
    assert_eq!(app.places.task_row, 0);
    keys(&mut app, "N");
    assert_eq!(app.places.task_row, 1);
    assert_eq!(hint(&app), "\"#\": 2 of 2, from the end again");
    keys(&mut app, "/nobody wrote this\n");
    assert_eq!(hint(&app), "Nothing here has \"nobody wrote this\" in it");
    assert_eq!(app.places.task_row, 1);

    let mut app = at(ScreenKind::Mail);
    keys(&mut app, "n");
    assert_eq!(hint(&app), "Nothing was looked for yet: / begins");
    keys(&mut app, "/ALICE HELLO\n");
    let row = app.places.mail_row;
    let found = app.view().mail().iter().rev().nth(row).unwrap();
    assert!(found.text.contains("alice hello"), "{}", found.text);

    let mut app = at(ScreenKind::Cost);
    keys(&mut app, "/");
    assert!(hint(&app).starts_with("In Cost nothing is looked for"));
}

#[test]
fn a_word_that_is_typed_is_no_draft_and_sends_nothing() {
    let mut app = app();
    app.show(ScreenKind::Member);
    keys(&mut app, "a draft");
    press(&mut app, KeyCode::Tab);
    keys(&mut app, "/yn q");
    let shown = shows(&mut app);
    assert!(shown.contains("\n find > yn q\n"), "{shown}");
    press(&mut app, KeyCode::Backspace);
    keys(&mut app, "\u{1b}");
    assert!(shows(&mut app).contains(" to lead > a draft"));
    assert_eq!(app.focus, Focus::Pane);
    keys(&mut app, "/half");
    press(&mut app, KeyCode::F(4));
    assert_eq!((app.kind, &app.find.typed), (ScreenKind::Mail, &None));
    app.show(ScreenKind::Member);
    // The same by a word at the prompt, where no key for it is.
    app.focus = Focus::Prompt;
    app.prompt.editor.set("/find waiting");
    keys(&mut app, "\n");
    assert_eq!(hint(&app), "\"waiting\": 2 of 2");
}

#[test]
fn a_story_is_scrolled_to_the_place_which_is_marked() {
    let mut app = at(ScreenKind::Member);
    for _ in 0..40 {
        facts().iter().for_each(|fact| app.take(fact));
    }
    keys(&mut app, "/i am waiting\n");
    let all = hint(&app).to_owned();
    keys(&mut app, "N");
    assert_ne!(hint(&app), all);
    let found = app.places.found;
    let shown = shows(&mut app);
    assert!(shown.contains("I am waiting."), "{shown}");
    keys(&mut app, "N");
    assert!(app.places.found < found, "it goes up");
    keys(&mut app, "n");
    assert_eq!(app.places.found, found);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| drop(draw(&app, frame))).unwrap();
    let cells = terminal.backend().buffer().content().iter();
    let style = app.setup.theme.found();
    let marked: String = cells
        .filter(|cell| cell.modifier.contains(style.add_modifier))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert!(marked.contains("I am waiting"), "{marked}");
    keys(&mut app, "\u{1b}");
    assert_eq!((app.find.marked(), app.focus), (None, Focus::Pane));
}

#[test]
fn what_is_in_a_fold_is_found_and_unfolded() {
    let mut app = at(ScreenKind::Member);
    app.places.member = Some(teammate_core::MemberName::parse("alice").unwrap());
    let shown = shows(&mut app);
    assert!(shown.contains("     the end"), "{shown}");
    assert!(!shown.contains("     four"), "{shown}");
    keys(&mut app, "/four\n");
    assert_eq!(hint(&app), "\"four\": 1 of 1");
    let shown = shows(&mut app);
    assert!(shown.contains("\n     four\n"), "{shown}");
    // Only that one is unfolded.
    assert!(shown.contains("     … 39 more lines"), "{shown}");
    keys(&mut app, "/39\n");
    let shown = shows(&mut app);
    assert!(shown.contains("\n     39\n"), "{shown}");
}

#[test]
fn longer_answers_are_searched_also_over_the_questions() {
    let mut app = at(ScreenKind::Needs);
    keys(&mut app, "?/interrupts all\n");
    let shown = shows(&mut app);
    assert!(shown.contains("interrupts all"), "{shown}");
    assert!(
        app.overlay
            .as_ref()
            .is_some_and(|overlay| overlay.place() > 0)
    );
    keys(&mut app, "nN");
    assert!(app.overlay.is_some(), "n is no answer here");
    // At the prompt a stroke begins a command; Tab gives the keys to what is read.
    keys(&mut app, "\u{1b}");
    keys(&mut app, "?");
    app.focus = Focus::Prompt;
    press(&mut app, KeyCode::Tab);
    keys(&mut app, "/suspend\n");
    assert!(
        hint(&app).starts_with("\"suspend\": 1 of"),
        "{}",
        hint(&app)
    );
}
