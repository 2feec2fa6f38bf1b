//! Leaving: where this process runs the team and members work, the user says what becomes of them.

use std::time::Instant;

use teammate_view::{
    Elsewhere,
    keys::{KeyAction, KeyPress},
};

use super::KeyStep;
use crate::{
    app::{App, Leaving},
    end::{After, ScreenEnd},
};

/// The user wants to leave, and maybe goes on elsewhere.
pub(super) fn leave(app: &mut App, after: After) -> KeyStep {
    // Who has just interrupted all turns wants none to go on.
    let has_interrupted = app.interrupt.has_just_interrupted(Instant::now());
    let is_asked = app.present().has_work_under_way() && !has_interrupted;
    match app.setup.leaving {
        Leaving::Pauses if is_asked => {
            app.leaving = Some(after);
            KeyStep::Stay
        }
        Leaving::Pauses | Leaving::EndsNothing => KeyStep::Leave(ScreenEnd::Asked(after)),
    }
}

/// The user goes on elsewhere.
pub(crate) fn go_on(app: &mut App, elsewhere: Elsewhere) -> KeyStep {
    match elsewhere {
        Elsewhere::Team => leave(app, After::GoesOn),
        // The team has to be closed for that: there is nothing to ask.
        Elsewhere::Conversation => KeyStep::Leave(ScreenEnd::Asked(After::GoesOn)),
    }
}

/// A key while it is asked what becomes of members that work. What is pressed to leave once more pauses them.
pub(super) fn answer(
    app: &mut App,
    after: After,
    action: Option<KeyAction>,
    press: KeyPress,
) -> KeyStep {
    app.leaving = None;
    match (action, press.typed()) {
        (_, Some('b')) => KeyStep::Leave(ScreenEnd::HandOver(after)),
        (_, Some('p'))
        | (Some(KeyAction::Send | KeyAction::Interrupt | KeyAction::DeleteRight), _) => {
            KeyStep::Leave(ScreenEnd::Asked(after))
        }
        (Some(_) | None, _) => KeyStep::Stay,
    }
}
