//! Leaving: where this process runs the team and members work, the user says what becomes of them.

use teammate_view::keys::{KeyAction, KeyPress};

use super::{Step, everywhere::has_just_interrupted};
use crate::{
    app::{App, Leaving},
    run::ScreenEnd,
};

/// The user wants to leave.
pub(super) fn leave(app: &mut App) -> Step {
    // Who has just interrupted all turns wants none to go on.
    let is_asked = app.present().is_busy() && !has_just_interrupted(app);
    match app.setup.leaving {
        Leaving::Pauses if is_asked => {
            app.is_leaving = true;
            Step::Stay
        }
        Leaving::Pauses | Leaving::EndsNothing => Step::Leave(ScreenEnd::Asked),
    }
}

/// A key while it is asked what becomes of members that work. What is pressed to leave once more pauses them.
pub(super) fn answer(app: &mut App, action: Option<KeyAction>, press: KeyPress) -> Step {
    app.is_leaving = false;
    match (action, press.typed()) {
        (_, Some('b')) => Step::Leave(ScreenEnd::HandOver),
        (_, Some('p'))
        | (Some(KeyAction::Send | KeyAction::Interrupt | KeyAction::DeleteRight), _) => {
            Step::Leave(ScreenEnd::Asked)
        }
        (Some(_) | None, _) => Step::Stay,
    }
}
