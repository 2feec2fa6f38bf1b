//! Keys in the palette: words narrow it down, Enter takes what is chosen.

use teammate_view::{
    PaletteStep,
    keys::{KeyAction, KeyCode, KeyContext, KeyPress},
    palette,
};

use super::{KeyStep, overlay, typing};
use crate::app::{App, Focus, Overlay, ShownPalette};

/// Opens it; what is typed at the prompt stays there.
pub(super) fn open(app: &mut App) {
    let all = palette(typing::commands(app), &app.setup.keys);
    app.prompt.completion = None;
    app.overlay = Some(Overlay::Palette(ShownPalette::new(all)));
}

/// Does what the key is for there.
pub(super) fn key(app: &mut App, action: Option<KeyAction>, press: KeyPress) -> KeyStep {
    let columns = app.pane.0;
    let Some(Overlay::Palette(shown)) = &mut app.overlay else {
        return KeyStep::Stay;
    };
    match (press.typed(), action) {
        (Some(c), _) => shown.type_in(|typed| typed.push(c)),
        (None, Some(KeyAction::DeleteLeft)) => shown.type_in(|typed| {
            typed.pop();
        }),
        (None, Some(KeyAction::CutToStart | KeyAction::CutWordLeft)) => {
            shown.type_in(String::clear);
        }
        (None, Some(KeyAction::Close | KeyAction::Interrupt | KeyAction::Palette)) => {
            app.overlay = None;
        }
        (None, action) if press.code() == KeyCode::Enter || action == Some(KeyAction::Send) => {
            return take(app);
        }
        (None, Some(action)) => {
            if let Some(by) = overlay::steps(action)
                && let Some(overlay) = &mut app.overlay
            {
                overlay.step(by, columns);
            } else if action.contexts().contains(&KeyContext::Everywhere) {
                // What can be done everywhere can be done from here, too.
                app.overlay = None;
                return super::perform(app, action);
            }
        }
        (None, None) => {}
    }
    KeyStep::Stay
}

/// Does what is chosen, or puts its word into the prompt.
fn take(app: &mut App) -> KeyStep {
    let Some(Overlay::Palette(shown)) = &app.overlay else {
        return KeyStep::Stay;
    };
    let Some(chosen) = shown.chosen().cloned() else {
        return KeyStep::Stay;
    };
    app.overlay = None;
    match chosen.step {
        PaletteStep::Do(action) => super::perform(app, action),
        PaletteStep::Type => {
            app.focus = Focus::Prompt;
            // A draft waits until the command is sent or given up.
            app.prompt.interject(&format!("{} ", chosen.word));
            KeyStep::Stay
        }
    }
}
