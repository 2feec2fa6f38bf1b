//! Keys while something is shown over the screen: lines to read, or things to choose from.

use teammate_view::{
    Verb,
    keys::{KeyAction, KeyPress},
};

use super::{KeyStep, ask, find, typing};
use crate::app::{App, Focus, Overlay};

/// Rows of a page.
const PAGE: isize = 10;

/// Further than any list goes.
const FAR: isize = isize::MAX / 2;

/// Does what the key is for; nothing if it goes on to what is below.
pub(super) fn key(app: &mut App, action: Option<KeyAction>, press: KeyPress) -> Option<KeyStep> {
    let columns = app.pane.0;
    let overlay = app.overlay.as_mut()?;
    if let Some(by) = action.and_then(steps) {
        overlay.step(by, columns);
        return Some(KeyStep::Stay);
    }
    match action {
        Some(KeyAction::Send) if app.focus == Focus::Prompt && !app.prompt.editor.is_empty() => {
            app.overlay = None;
            return None;
        }
        Some(KeyAction::Send | KeyAction::Open) => return Some(enter(app)),
        Some(KeyAction::Close) => close(app),
        Some(KeyAction::Interrupt) if matches!(overlay, Overlay::Choices(_)) => close(app),
        Some(KeyAction::SwitchPane) => {
            app.focus = match app.focus {
                Focus::Prompt => Focus::Pane,
                Focus::Pane => Focus::Prompt,
            };
        }
        Some(action @ (KeyAction::Search | KeyAction::SearchNext | KeyAction::SearchPrevious)) => {
            return find::perform(app, action);
        }
        Some(_) => {
            app.overlay = None;
            return None;
        }
        // The key that opens the help closes it, too.
        None if press.typed() == Some('?') && app.prompt.editor.is_empty() => close(app),
        // Somebody who goes on typing means the prompt.
        None => {
            close(app);
            app.focus = Focus::Prompt;
            return Some(typing::typed(app, press));
        }
    }
    Some(KeyStep::Stay)
}

/// How far the key moves.
pub(super) fn steps(action: KeyAction) -> Option<isize> {
    Some(match action {
        KeyAction::RowDown | KeyAction::ItemDown => 1,
        KeyAction::RowUp | KeyAction::ItemUp => -1,
        KeyAction::ScrollDown | KeyAction::HalfPageDown => PAGE,
        KeyAction::ScrollUp | KeyAction::HalfPageUp => -PAGE,
        KeyAction::LineStart | KeyAction::First => -FAR,
        KeyAction::LineEnd | KeyAction::Last => FAR,
        _ => return None,
    })
}

/// Things to choose from, as soon as they are known. Who has typed on meanwhile goes on at the prompt.
pub(crate) fn show_choices(app: &mut App, overlay: Overlay) {
    app.overlay = Some(overlay);
    if app.prompt.editor.is_empty() {
        app.focus = Focus::Pane;
    }
}

/// Takes what is chosen; lines were read.
fn enter(app: &mut App) -> KeyStep {
    let line = match &app.overlay {
        Some(Overlay::Choices(picker)) => {
            let choice = picker.choices.all().nth(picker.row);
            choice.map(|choice| picker.choices.line(choice))
        }
        Some(Overlay::Lines(_) | Overlay::Palette(_)) | None => None,
    };
    close(app);
    match line {
        Some(line) => ask(app, Verb::Typed(line)),
        None => KeyStep::Stay,
    }
}

/// The keys go where they went before a list came.
fn close(app: &mut App) {
    if let Some(Overlay::Choices(_)) = app.overlay.take() {
        app.focus = Focus::Prompt;
    }
}
