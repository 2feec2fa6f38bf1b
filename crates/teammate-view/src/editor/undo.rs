//! Earlier forms of a text, one before the other.

use super::TextUnit;

/// The most changes that can be taken back.
const STEPS_MAX: usize = 200;

/// A text and where its cursor stands.
pub(super) type EditorState = (Vec<TextUnit>, usize);

/// The states before the present one, and those that were taken back.
#[derive(Debug, Clone, Default)]
pub(super) struct Undo {
    before: Vec<EditorState>,
    after: Vec<EditorState>,
    /// The last change was a letter, which the next one joins.
    is_in_word: bool,
}

impl Undo {
    /// The text is about to change from this; letters of one word are one change.
    pub(super) fn remember(&mut self, pieces: &[TextUnit], cursor: usize, joins: bool) {
        self.after.clear();
        if joins && self.is_in_word {
            return;
        }
        self.is_in_word = joins;
        self.before.push((pieces.to_vec(), cursor));
        if self.before.len() > STEPS_MAX {
            self.before.remove(0);
        }
    }

    /// The next letter begins a change of its own.
    pub(super) fn pause(&mut self) {
        self.is_in_word = false;
    }

    pub(super) fn back(&mut self, now: EditorState) -> Option<EditorState> {
        self.is_in_word = false;
        let state = self.before.pop()?;
        self.after.push(now);
        Some(state)
    }

    pub(super) fn forth(&mut self, now: EditorState) -> Option<EditorState> {
        let state = self.after.pop()?;
        self.before.push(now);
        Some(state)
    }
}
