//! Keys in the screen above the prompt.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use teammate_view::{BoardLists, Fact, ItemKind};

use super::{Step, prompt_keys};
use crate::app::{App, Focus, Overlay, Places, ScreenKind};

/// Rows of a page.
const PAGE: usize = 10;

pub(super) fn handle(app: &mut App, key: KeyEvent) -> Step {
    match key.code {
        KeyCode::Tab | KeyCode::BackTab => app.focus = Focus::Prompt,
        KeyCode::Up | KeyCode::Char('k') => step(app, -1),
        KeyCode::Down | KeyCode::Char('j') => step(app, 1),
        KeyCode::Home | KeyCode::Char('g') => step(app, isize::MIN / 2),
        KeyCode::End | KeyCode::Char('G') => {
            app.past = None;
            step(app, isize::MAX / 2);
        }
        KeyCode::Enter => enter(app),
        KeyCode::Char('[' | '{' | ']' | '}') if app.past.is_none() => return Step::Past,
        KeyCode::Char(c @ ('[' | '{' | ']' | '}')) => travel(app, c),
        KeyCode::Char('c') => return copy(app),
        KeyCode::Char('v') => return page_of(app),
        KeyCode::Char('?') => {
            app.overlay = Some(Overlay {
                title: "Keys".to_owned(),
                lines: super::help::lines(),
                scroll: 0,
            });
        }
        // A word is for the prompt, but its first letter must not be lost or mean something else here.
        KeyCode::Char(c) if is_typed(key) && app.kind != ScreenKind::Needs => {
            app.focus = Focus::Prompt;
            if c != '/' || app.prompt.editor.is_empty() {
                return prompt_keys::handle(app, key);
            }
        }
        _ => {}
    }
    Step::Stay
}

fn is_typed(key: KeyEvent) -> bool {
    !key.modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}

/// Moves a page; reading up stops following.
pub(super) fn page(app: &mut App, down: bool) {
    let rows = isize::try_from(PAGE).unwrap_or(10);
    step(app, if down { rows } else { -rows });
}

fn step(app: &mut App, by: isize) {
    let view = app.view();
    let (members, needs, mails) = (
        view.team().members().count(),
        view.needs().len(),
        view.mail().iter().len(),
    );
    let tasks = BoardLists::of(view.team()).total();
    let places = &mut app.places;
    match app.kind {
        ScreenKind::Team => Places::step(&mut places.team_row, by, members),
        ScreenKind::Board => Places::step(&mut places.task_row, by, tasks),
        ScreenKind::Mail => Places::step(&mut places.mail_row, by, mails),
        ScreenKind::Needs if needs > 0 => {
            places.need_scroll = places.need_scroll.saturating_add_signed(by);
        }
        ScreenKind::Needs | ScreenKind::Cost => {}
        ScreenKind::Member => scroll(app, by),
    }
}

/// Reading up stops following; the end follows again.
fn scroll(app: &mut App, by: isize) {
    let member = app.member();
    let end = app.view().story(&member).map(teammate_view::Story::end);
    let places = &mut app.places;
    places.back = places
        .back
        .saturating_add_signed(by.saturating_neg())
        .min(1_000_000);
    places.frozen = if places.back == 0 {
        None
    } else {
        places.frozen.or(end)
    };
}

fn enter(app: &mut App) {
    match app.kind {
        ScreenKind::Team => {
            let roster = app.view().roster();
            if let Some(line) = roster.get(app.places.team_row) {
                let name = line.name.clone();
                app.places.member = Some(name.clone());
                (app.places.back, app.places.frozen) = (0, None);
                app.prompt.turn_to(name);
                app.show(ScreenKind::Member);
            }
        }
        ScreenKind::Member => app.places.all_unfolded = !app.places.all_unfolded,
        ScreenKind::Board | ScreenKind::Mail | ScreenKind::Needs | ScreenKind::Cost => {}
    }
}

/// Steps through the past: a fact, or a turn.
fn travel(app: &mut App, key: char) {
    let Some(past) = &mut app.past else {
        return;
    };
    let is_turn = |fact: &Fact| match fact {
        Fact::Event(event) => matches!(
            event.what,
            teammate_core::event::EventKind::TurnEnded { .. }
        ),
        Fact::Record(_) | Fact::Clock(_) => false,
    };
    match key {
        '[' => past.go_to(past.at().saturating_sub(1)),
        ']' => past.go_to(past.at() + 1),
        '{' => past.go_where(false, is_turn),
        _ => past.go_where(true, is_turn),
    }
    if past.at() == past.len() && matches!(key, ']' | '}') {
        app.past = None;
        app.say("Back to now");
    }
}

/// The source text of the last thing that the member said.
fn copy(app: &mut App) -> Step {
    match last_words(app) {
        Some(text) => {
            app.say("Sent to the terminal's clipboard, if it has one");
            Step::Copy(text)
        }
        None => Step::Stay,
    }
}

fn page_of(app: &mut App) -> Step {
    last_words(app).map_or(Step::Stay, Step::Page)
}

fn last_words(app: &App) -> Option<String> {
    let story = app.view().story(&app.member())?;
    let mut items = story.items().iter().rev();
    items.find_map(|item| match &item.what {
        ItemKind::Said { text } => Some(text.clone()),
        _ => None,
    })
}
