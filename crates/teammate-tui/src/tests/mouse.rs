//! Clicks and the wheel: they go to what stands there, and answer nothing.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::app::Focus;

/// Draws the screen, so that it is known what stands where.
fn drawn(app: &mut App, columns: u16, rows: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut frame_drawn = crate::draw::DrawnScreen::default();
    terminal
        .draw(|frame| frame_drawn = draw(app, frame))
        .unwrap();
    app.pane = frame_drawn.pane.unwrap_or(app.pane);
    app.places.need_end = frame_drawn.need_end;
    app.drawn = frame_drawn.places;
    screen(app, columns, rows)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn event(kind: MouseEventKind, (column, row): (u16, u16)) -> MouseEvent {
    MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

/// Clicks on the first place that has this text.
fn clicks(app: &mut App, size: (u16, u16), text: &str) {
    let shown = drawn(app, size.0, size.1);
    let place = shown.iter().enumerate().find_map(|(row, line)| {
        let begin = line.find(text)?;
        Some((crate::text::width(&line[..begin]), row))
    });
    let (column, row) = place.unwrap_or_else(|| panic!("no {text} in\n{}", shown.join("\n")));
    let at = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
    input::mouse(app, event(MouseEventKind::Down(MouseButton::Left), at));
}

#[test]
fn a_click_in_the_head_shows_that_screen_and_one_on_a_row_opens_it() {
    for size in [(80, 24), (140, 40), (200, 60)] {
        let mut app = app();
        clicks(&mut app, size, "3 Board");
        assert_eq!((app.kind, app.focus), (ScreenKind::Board, Focus::Pane));
        clicks(&mut app, size, "1 Team");
        assert_eq!(app.kind, ScreenKind::Team);
        clicks(&mut app, size, " bob ");
        assert_eq!(app.kind, ScreenKind::Member);
        assert_eq!(app.member().as_str(), "bob");
        assert_eq!(app.prompt.to().to_string(), "bob");
        clicks(&mut app, size, "to bob >");
        assert_eq!(app.focus, Focus::Prompt);
    }
}

#[test]
fn a_click_on_a_task_shows_the_board_with_it() {
    let mut app = app();
    clicks(&mut app, (100, 30), "] #");
    assert_eq!(app.kind, ScreenKind::Board);
    let shown = drawn(&mut app, 100, 30).join("\n");
    assert!(shown.contains("── #"), "{shown}");
}

#[test]
fn a_click_on_a_question_chooses_it_and_answers_nothing() {
    let mut app = app();
    let asked = app.needs().len();
    assert!(asked > 0);
    clicks(&mut app, (100, 30), " 1 req_");
    assert_eq!((app.kind, app.focus), (ScreenKind::Needs, Focus::Pane));
    // Every place of the screen that asks.
    let rows = drawn(&mut app, 100, 30).len();
    for row in 1..u16::try_from(rows).unwrap() {
        for column in (0..100).step_by(3) {
            app.show(ScreenKind::Needs);
            drawn(&mut app, 100, 30);
            let kind = MouseEventKind::Down(MouseButton::Left);
            input::mouse(&mut app, event(kind, (column, row)));
        }
    }
    assert_eq!(app.needs().len(), asked);
}

#[test]
fn the_wheel_scrolls_what_is_under_the_pointer_and_a_click_turns_a_fold() {
    let size = (140, 40);
    let mut app = app();
    app.show(ScreenKind::Team);
    drawn(&mut app, size.0, size.1);
    // The story stands at the right.
    for _ in 0..3 {
        input::mouse(&mut app, event(MouseEventKind::ScrollUp, (120, 10)));
    }
    assert!(app.places.back > 0);
    assert_eq!(app.places.team_row, 0);
    for _ in 0..9 {
        input::mouse(&mut app, event(MouseEventKind::ScrollDown, (120, 10)));
    }
    assert_eq!(app.places.back, 0, "it follows again");
    app.show(ScreenKind::Mail);
    app.focus = Focus::Pane;
    drawn(&mut app, size.0, size.1);
    input::mouse(&mut app, event(MouseEventKind::ScrollDown, (120, 10)));
    assert_eq!(app.places.mail_row, 1);
    // Over the prompt and the head nothing is scrolled.
    for row in [0, size.1 - 1] {
        input::mouse(&mut app, event(MouseEventKind::ScrollDown, (120, row)));
    }
    assert_eq!(app.places.mail_row, 1);
}

#[test]
fn what_is_typed_or_asked_below_is_not_touched_by_a_click() {
    let mut app = app();
    app.focus = Focus::Pane;
    press(&mut app, KeyCode::Char('/'));
    press(&mut app, KeyCode::Char('x'));
    let kind = app.kind;
    clicks(&mut app, (100, 30), "3 Board");
    assert_eq!(app.kind, kind);
    assert_eq!(app.find.typed.as_deref(), Some("x"));
}
