//! The mouse, for who wants it: a click goes to what stands there, a wheel scrolls it. Neither asks anything of the team, and
//! neither answers a question: a click chooses it, and a key answers.

use std::time::Instant;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use teammate_view::BoardLists;

use super::{find, pane};
use crate::app::{App, DrawnPane, Focus, Overlay, Places, ScreenKind, Target};

/// Rows of text that a step of the wheel scrolls. Where it goes through a list, it goes to the next entry.
const WHEEL_ROWS: isize = 3;

/// Takes a click or a step of the wheel.
pub(crate) fn mouse(app: &mut App, event: MouseEvent) {
    app.last_key = Instant::now();
    // What is asked or typed there is answered or left by keys.
    if app.leaving.is_some() || app.find.typed.is_some() {
        return;
    }
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(app, at),
        MouseEventKind::ScrollUp => wheel(app, at, -1),
        MouseEventKind::ScrollDown => wheel(app, at, 1),
        _ => {}
    }
}

fn click(app: &mut App, at: Position) {
    let (target, pane) = (app.drawn.target(at).cloned(), app.drawn.pane(at));
    match (target, pane) {
        (Some(Target::Screen(kind)), _) => go(app, kind),
        (Some(Target::Choice(number)), _) => {
            if let Some(overlay) = &mut app.overlay {
                *overlay.place_mut() = number;
            }
        }
        (_, Some((_, DrawnPane::Prompt))) => app.focus = Focus::Prompt,
        (_, Some((_, DrawnPane::Overlay))) => {
            if let Some(Overlay::Lines(_)) = app.overlay {
                app.focus = Focus::Pane;
            }
        }
        (_, Some((_, DrawnPane::Story))) => go(app, ScreenKind::Member),
        (Some(target), _) => open(app, target),
        (None, Some((_, DrawnPane::Team))) => go(app, ScreenKind::Team),
        (None, Some((_, DrawnPane::Screen))) => app.focus = Focus::Pane,
        (None, None) => {}
    }
}

/// Shows a screen and gives it the keys.
fn go(app: &mut App, kind: ScreenKind) {
    app.show(kind);
    app.focus = Focus::Pane;
}

/// Goes to a thing.
fn open(app: &mut App, target: Target) {
    match target {
        Target::Member(name) => {
            app.focus = Focus::Pane;
            pane::open_member(app, name);
        }
        Target::Task(id) => {
            let lists = BoardLists::of(app.view().team());
            let row = lists.in_order().position(|task| task.id == id);
            app.places.task_row = row.unwrap_or(app.places.task_row);
            go(app, ScreenKind::Board);
        }
        Target::Mail(number) => {
            let newer = app.view().mail().known().saturating_sub(number + 1);
            app.places.mail_row = usize::try_from(newer).unwrap_or(usize::MAX);
            go(app, ScreenKind::Mail);
        }
        Target::Need(place) => {
            app.places.choose_need(place);
            go(app, ScreenKind::Needs);
        }
        Target::Entry(number) => {
            // The first click on a story gives it the keys.
            if app.focus == Focus::Pane {
                find::turn_fold(app, number);
            }
            app.focus = Focus::Pane;
        }
        Target::Screen(_) | Target::Choice(_) => {}
    }
}

/// A step of the wheel, down or up.
fn wheel(app: &mut App, at: Position, by: isize) {
    let Some((area, drawn)) = app.drawn.pane(at) else {
        return;
    };
    let is_list = matches!(app.kind, ScreenKind::Board | ScreenKind::Mail);
    match drawn {
        DrawnPane::Overlay => {
            let columns = app.pane.0;
            if let Some(overlay) = &mut app.overlay {
                let rows = match overlay {
                    Overlay::Lines(_) => WHEEL_ROWS,
                    Overlay::Choices(_) | Overlay::Palette(_) => 1,
                };
                overlay.step(by * rows, columns);
            }
        }
        DrawnPane::Team => through_team(app, by),
        DrawnPane::Screen if app.kind == ScreenKind::Team && app.focus == Focus::Prompt => {
            through_team(app, by);
        }
        DrawnPane::Screen if app.kind == ScreenKind::Team || is_list => pane::step(app, by),
        DrawnPane::Screen => pane::step(app, by * WHEEL_ROWS),
        DrawnPane::Story => {
            // How far it goes depends on the size of what is scrolled.
            let story = (usize::from(area.width), usize::from(area.height));
            let looked_at = std::mem::replace(&mut app.pane, story);
            pane::scroll(app, by * WHEEL_ROWS);
            app.pane = looked_at;
        }
        DrawnPane::Prompt => {}
    }
}

/// Scrolls the members where none of them is chosen.
fn through_team(app: &mut App, by: isize) {
    let members = app.view().team().members().count();
    Places::step(&mut app.places.team_beside, by * WHEEL_ROWS, members);
}
