//! Where a key goes first: keys that work everywhere, then the prompt or the pane.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use teammate_core::Sender;
use teammate_view::Verb;

use super::{Step, needs, pane, prompt_keys};
use crate::app::{App, Focus, ScreenKind};

/// A second press within this time counts with the first.
const TWICE: Duration = Duration::from_secs(1);

/// Does what a key is for.
pub(crate) fn handle(app: &mut App, key: KeyEvent) -> Step {
    let now = Instant::now();
    app.last_key = now;
    let step = match everywhere(app, key, now) {
        Some(step) => step,
        None if app.overlay.is_some() => overlay(app, key),
        None => match app.focus {
            Focus::Prompt => prompt_keys::handle(app, key),
            Focus::Pane if app.kind == ScreenKind::Needs => match needs::handle(app, key, now) {
                Some(step) => step,
                None => pane::handle(app, key),
            },
            Focus::Pane => pane::handle(app, key),
        },
    };
    app.guard.key(now);
    step
}

/// A text is pasted: never sent by that.
pub(crate) fn paste(app: &mut App, text: &str) {
    app.guard.key(Instant::now());
    app.focus = Focus::Prompt;
    app.prompt.end_search(true);
    app.prompt.editor.paste(text);
    app.prompt.completion = None;
}

fn everywhere(app: &mut App, key: KeyEvent, now: Instant) -> Option<Step> {
    let (ctrl, alt) = (
        key.modifiers.contains(KeyModifiers::CONTROL),
        key.modifiers.contains(KeyModifiers::ALT),
    );
    if key.code != KeyCode::Esc {
        app.last_escape = None;
    }
    match key.code {
        KeyCode::F(number @ 1..=6) => {
            app.show(ScreenKind::ALL[usize::from(number) - 1]);
            Some(Step::Stay)
        }
        KeyCode::Char(digit @ '1'..='6') if alt => {
            let number = digit as usize - '1' as usize;
            app.show(ScreenKind::ALL[number]);
            Some(Step::Stay)
        }
        KeyCode::Char('n') if ctrl => {
            next_need(app);
            Some(Step::Stay)
        }
        KeyCode::Char('c') if ctrl => Some(interrupt_or_leave(app, now)),
        KeyCode::Char('z') if ctrl => Some(Step::Suspend),
        KeyCode::Char('l') if ctrl => Some(Step::Redraw),
        KeyCode::Char('g') if ctrl => Some(Step::Edit),
        KeyCode::Char('o') if ctrl => {
            app.places.all_unfolded = !app.places.all_unfolded;
            Some(Step::Stay)
        }
        KeyCode::PageUp | KeyCode::PageDown => {
            pane::page(app, key.code == KeyCode::PageDown);
            Some(Step::Stay)
        }
        KeyCode::Up if alt => Some(recall(app)),
        KeyCode::Esc if app.overlay.is_none() && app.prompt.search.is_none() => escape(app, now),
        _ => None,
    }
}

/// Shows the next thing that needs the user; what is typed stays.
fn next_need(app: &mut App) {
    let count = app.needs().len();
    if count == 0 {
        return app.say("Nothing needs you");
    }
    let is_there = app.kind == ScreenKind::Needs && app.focus == Focus::Pane;
    app.places.need_row = if is_there {
        (app.places.need_row + 1) % count
    } else {
        0
    };
    app.places.need_scroll = 0;
    app.show(ScreenKind::Needs);
    app.focus = Focus::Pane;
}

/// Sets what is typed aside; with nothing typed interrupts everybody; twice leaves.
fn interrupt_or_leave(app: &mut App, now: Instant) -> Step {
    if app.prompt.search.is_some() {
        app.prompt.end_search(false);
        return Step::Stay;
    }
    if !app.prompt.editor.is_empty() {
        let text = app.prompt.editor.take();
        app.prompt.history.add(&text);
        app.say("Set aside: Up brings it back");
        return Step::Stay;
    }
    let is_again = app
        .last_interrupt
        .is_some_and(|last| now.duration_since(last) < 2 * TWICE);
    app.last_interrupt = Some(now);
    if is_again {
        return Step::Leave;
    }
    app.say("Interrupted all turns. Ctrl-C once more leaves; unfinished turns go on next time");
    ask(app, Verb::Interrupt(None))
}

/// Closes what is open, leaves the pane, goes back to now; twice interrupts the member that is shown.
fn escape(app: &mut App, now: Instant) -> Option<Step> {
    let is_again = app
        .last_escape
        .is_some_and(|last| now.duration_since(last) < TWICE);
    app.last_escape = Some(now);
    if app.prompt.completion.take().is_some() {
        return Some(Step::Stay);
    }
    if app.past.take().is_some() {
        app.say("Back to now");
        return Some(Step::Stay);
    }
    if app.focus == Focus::Pane {
        app.focus = Focus::Prompt;
        return Some(Step::Stay);
    }
    if is_again {
        let member = app.member();
        app.say(format!("Interrupted {member}"));
        return Some(ask(app, Verb::Interrupt(Some(member))));
    }
    Some(Step::Stay)
}

/// Takes back the last words to this recipient that nobody has heard.
fn recall(app: &mut App) -> Step {
    let to = app.prompt.to().clone();
    let found = {
        let mut latest = app.present().mail().queued().rev();
        let mine = latest.find(|mail| mail.from == Sender::User && mail.to == to);
        mine.map(|mail| (mail.id.clone(), mail.text.clone()))
    };
    let Some((id, text)) = found else {
        app.say(format!("Nothing that you said to {to} waits to be heard"));
        return Step::Stay;
    };
    if app.prompt.editor.is_empty() {
        app.prompt.editor.set(&text);
    }
    ask(app, Verb::Recall(Some(id)))
}

fn overlay(app: &mut App, key: KeyEvent) -> Step {
    let Some(overlay) = &mut app.overlay else {
        return Step::Stay;
    };
    let last = overlay.lines.len().saturating_sub(1);
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => overlay.scroll = (overlay.scroll + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => overlay.scroll = overlay.scroll.saturating_sub(1),
        KeyCode::Home => overlay.scroll = 0,
        KeyCode::End => overlay.scroll = last,
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => app.overlay = None,
        // Whoever goes on typing means the prompt.
        _ => {
            app.overlay = None;
            app.focus = Focus::Prompt;
            return prompt_keys::handle(app, key);
        }
    }
    Step::Stay
}

/// Asks for something, if the present is looked at.
pub(super) fn ask(app: &mut App, verb: Verb) -> Step {
    app.may_ask(verb).map_or(Step::Stay, Step::Ask)
}
