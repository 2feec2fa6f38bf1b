//! What the screen says when it opens: how it came to be, notes about that, and the words to somebody who begins.

use teammate_view::screens::welcome::Welcome;
use teammate_view::t;

use super::{App, Overlay, ScreenSetup, ShownNote};

/// Notes that are longer together than a few rows are shown over the screen.
const NOTES_BYTES_MAX: usize = 300;

/// What is said first.
pub(super) struct Opening {
    pub(super) note: ShownNote,
    /// Short notes.
    pub(super) notes: Vec<String>,
    /// Long ones: they are read first. What is short hides nothing of the team.
    pub(super) overlay: Option<Overlay>,
}

impl Opening {
    pub(super) fn of(setup: &ScreenSetup) -> Self {
        let mut note = ShownNote::default();
        if let Some(opened) = &setup.opened {
            note.say(opened.clone());
        }
        let notes = setup.notes.clone();
        let length: usize = notes.iter().map(String::len).sum();
        let (notes, overlay) = match length <= NOTES_BYTES_MAX {
            true => (notes, None),
            false => (Vec::new(), Some(Overlay::lines(t("Notes"), notes))),
        };
        Self {
            note,
            notes,
            overlay,
        }
    }
}

impl App {
    /// The words to somebody who begins, as long as nobody has said anything.
    pub(crate) fn welcome(&self) -> Option<Welcome> {
        let (model, mode) = (self.model(), self.mode());
        let now = self.past.is_none().then_some(&self.view)?;
        Welcome::of(now, self.setup.workspace, &model, &mode)
    }
}
