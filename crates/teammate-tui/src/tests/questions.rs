//! The screen of needs: which question one stands at, one answer for all that ask the same, and what stands beside the answer.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};
use teammate_core::{Timestamp, request::Answer};
use teammate_view::{Fact, Verb};

use super::{app, press, screen};
use crate::{
    app::{App, Focus, ScreenKind},
    input::{self, KeyStep},
};

/// Members that ask, each its own question of those in the recording: all for the same, and the first for this.
fn asking(names: &[&str], shows: &str, tool: &str) -> App {
    let mut app = app();
    let number = |place: usize| 100 + place as u64;
    for (place, name) in names.iter().enumerate() {
        let events = json!([
            { "event": "spawned", "member": name, "role": "coder", "prompt": "Begin", "incarnation": 1, "by": "lead",
              "call": format!("spawn-{name}") },
            { "event": "request", "request": number(place), "change": "opened", "kind": "permission", "tool": tool,
              "shows": shows, "digest": format!("{:064x}", number(place)), "rule": "bash(=git status)",
              "from": { "member": name, "incarnation": 1 }, "call": format!("{name}/1/1/c/abababababab") },
        ]);
        take(&mut app, events);
    }
    app.show(ScreenKind::Needs);
    app.focus = Focus::Pane;
    app
}

fn take(app: &mut App, events: Value) {
    let events = serde_json::from_value(events).unwrap();
    let (number, at) = (app.present().records(), app.present().now());
    let record = teammate_core::port::Record::of(number, Timestamp(at.0 + 1), events);
    app.take(&Fact::Record(std::sync::Arc::new(record)));
}

/// Presses a key when all of the question has been seen.
fn answer(app: &mut App, letter: char) -> KeyStep {
    let asked = input::chosen_question(app).unwrap();
    app.answers = Default::default();
    app.answers.shown(&asked.key(), Some(0));
    let long = std::time::Duration::from_secs(9);
    app.begun = app.begun.checked_sub(long).unwrap();
    press(app, KeyCode::Char(letter))
}

fn chosen(app: &App) -> String {
    input::chosen_question(app).unwrap().request.to_string()
}

#[test]
fn those_that_ask_the_same_are_one_row_and_have_one_answer() {
    let mut app = asking(&["carol", "dave", "erin"], "git status", "bash");
    while chosen(&app) != "req_000100" {
        press(&mut app, KeyCode::Down);
    }
    let shown = screen(&app, 100, 40);
    assert!(shown.contains(" 3 members ask: run git status"), "{shown}");
    assert!(
        shown.contains(" of 3   req_000100   3 members"),
        "with two others: {shown}"
    );
    let KeyStep::AskSoon(Verb::Answer { request, alike, .. }) = answer(&mut app, 'y') else {
        panic!("not answered");
    };
    assert_eq!(request.to_string(), "req_000100");
    let alike: Vec<String> = alike.iter().map(|one| one.request.to_string()).collect();
    assert_eq!(alike, ["req_000101", "req_000102"]);
    let shown = screen(&app, 100, 40);
    assert!(
        shown.contains("always allow 'bash(=git status)'\n"),
        "they are all in it: {shown}"
    );
    let long = std::time::Duration::from_secs(9);
    app.begun = app.begun.checked_sub(long).unwrap();
    press(&mut app, KeyCode::Char('w'));
    assert_eq!(app.prompt.editor.text(), "/deny req_000100+ ");
}

#[test]
fn digits_arrows_and_keys_for_the_next_and_the_one_before_choose() {
    let mut app = asking(&["carol"], "make", "bash");
    screen(&app, 100, 40);
    let all: Vec<String> = (0..3)
        .map(|row| {
            app.places.choose_need(row);
            chosen(&app)
        })
        .collect();
    app.places.choose_need(0);
    let control = |app: &mut App, letter| {
        input::handle(
            app,
            KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL),
        );
        chosen(app)
    };
    press(&mut app, KeyCode::Char('3'));
    assert_eq!(chosen(&app), all[2]);
    press(&mut app, KeyCode::Char('9'));
    assert_eq!(chosen(&app), all[2], "there are three");
    press(&mut app, KeyCode::Up);
    assert_eq!(chosen(&app), all[1]);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    assert_eq!(chosen(&app), all[2], "the last one");
    assert_eq!(control(&mut app, 'p'), all[1]);
    assert_eq!(control(&mut app, 'p'), all[0]);
    assert_eq!(control(&mut app, 'p'), all[2], "round");
    assert_eq!(control(&mut app, 'n'), all[0]);
    assert!(screen(&app, 100, 40).contains("^N ^P next  Esc back"));
}

#[test]
fn arrows_read_a_long_question_first() {
    let long: String = (0..100).map(|line| format!("echo {line}\n")).collect();
    let mut app = asking(&["carol"], &long, "bash");
    let at = (0..3).find(|row| {
        app.places.choose_need(*row);
        chosen(&app) == "req_000100"
    });
    let draws = |app: &mut App| {
        let mut drawn = crate::draw::DrawnScreen::default();
        let backend = ratatui::backend::TestBackend::new(80, 24);
        let mut terminal = ratatui::Terminal::new(backend).unwrap();
        terminal
            .draw(|frame| drawn = crate::draw::draw(app, frame))
            .unwrap();
        app.places.need_end = drawn.need_end;
    };
    draws(&mut app);
    for _ in 0..3 {
        press(&mut app, KeyCode::Down);
    }
    assert_eq!((app.places.need_scroll, Some(app.places.need_row)), (3, at));
    for _ in 0..4 {
        press(&mut app, KeyCode::Up);
    }
    assert_eq!(app.places.need_scroll, 0);
}

#[test]
fn a_letter_that_follows_at_once_takes_an_answer_back() {
    let mut app = asking(&["carol"], "make", "bash");
    let step = answer(&mut app, 'y');
    assert!(matches!(step, KeyStep::AskSoon(_)), "{step:?}");
    let step = press(&mut app, KeyCode::Char('e'));
    assert!(matches!(step, KeyStep::TakeBack), "{step:?}");
    let said = app.note.text().unwrap_or_default();
    assert!(said.starts_with("Not answered: you were typing"), "{said}");
    let step = answer(&mut app, 'n');
    let KeyStep::AskSoon(Verb::Answer { answer, .. }) = step else {
        panic!("{step:?}");
    };
    assert_eq!(answer, Answer::no(""));
    let pasted = input::paste(&mut app, "o way");
    assert!(matches!(pasted, KeyStep::TakeBack), "a paste is words, too");
}

#[test]
fn a_change_has_its_colours_its_indentation_and_as_much_room_as_there_is() {
    let diff = "--- src/parse.rs\n+++ src/parse.rs\n@@ -9,3 +9,3 @@\n     fn peek(&self) {\n-        old();\n+        new();\n     }\n";
    let mut app = asking(&["carol"], diff, "edit_file");
    while chosen(&app) != "req_000100" {
        press(&mut app, KeyCode::Down);
    }
    let narrow = screen(&app, 80, 30);
    assert!(
        narrow.contains("carol asks: edit src/parse.rs +1 -1"),
        "{narrow}"
    );
    assert!(
        narrow.contains(
            "\n      9      fn peek(&self) {\n     10 -        old();\n     10 +        new();\n"
        ),
        "{narrow}"
    );
    let wide = screen(&app, 200, 40);
    let row = wide.lines().find(|row| row.contains("old();")).unwrap();
    assert!(
        row.contains("10 -        old();") && row.contains("│ 10 +        new();"),
        "{wide}"
    );
}

#[test]
fn an_answer_from_elsewhere_is_said_where_its_question_stood() {
    let mut app = asking(&["carol"], "make", "bash");
    app.last_asked = input::chosen_question(&app).map(|asked| asked.request);
    let id = chosen(&app);
    let number = app.last_asked.unwrap().number();
    let denied = json!([{ "event": "request", "request": number, "change": "rejected", "by": "user", "because": "not now" }]);
    take(&mut app, denied);
    let said = app.note.text().unwrap_or_default().to_owned();
    assert!(said.starts_with(&format!("denied: {id}, ")), "{said}");
    assert!(said.ends_with("(rejected by the user: not now)"), "{said}");
}

#[test]
fn the_receipt_of_an_answer_from_here_stays() {
    let mut app = asking(&["carol"], "make", "bash");
    app.last_asked = input::chosen_question(&app).map(|asked| asked.request);
    let receipt = format!("allowed once: {}, run make", chosen(&app));
    let number = app.last_asked.unwrap().number();
    app.say(receipt.clone());
    take(
        &mut app,
        json!([{ "event": "request", "request": number, "change": "approved", "by": "user" }]),
    );
    assert_eq!(app.note.text(), Some(&*receipt));
}
