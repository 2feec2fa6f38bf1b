//! An answer to a typed line, shown over the screen until a key goes on: lines to read, or things to choose from.

use teammate_view::Choices;

use crate::text::wrapped;

/// The list or text over the screen.
#[derive(Debug)]
pub(crate) enum Overlay {
    Lines(OverlayLines),
    /// Things to choose from.
    Choices(Picker),
}

/// Lines to read.
#[derive(Debug)]
pub(crate) struct OverlayLines {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
    /// Rows that were scrolled past.
    pub(crate) scroll: usize,
}

/// Things to choose from.
#[derive(Debug)]
pub(crate) struct Picker {
    pub(crate) choices: Choices,
    /// The chosen one, counted through all groups.
    pub(crate) row: usize,
}

impl Overlay {
    /// Lines, from the first on.
    pub(crate) fn lines(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self::Lines(OverlayLines {
            title: title.into(),
            lines,
            scroll: 0,
        })
    }

    /// A list that stands at the first thing that the user has not already.
    pub(crate) fn choices(choices: Choices) -> Self {
        let first = choices.all().position(|choice| !choice.is_current);
        Self::Choices(Picker {
            row: first.unwrap_or(0),
            choices,
        })
    }

    /// Moves by so many rows of text, or choices.
    pub(crate) fn step(&mut self, by: isize, columns: usize) {
        let last = self.texts(columns).len().saturating_sub(1);
        let place = self.place_mut();
        *place = place.saturating_add_signed(by).min(last);
    }

    /// Where one is among [`Self::texts`].
    pub(crate) fn place(&self) -> usize {
        match self {
            Self::Lines(lines) => lines.scroll,
            Self::Choices(picker) => picker.row,
        }
    }

    /// The place in it, to go elsewhere.
    pub(crate) fn place_mut(&mut self) -> &mut usize {
        match self {
            Self::Lines(lines) => &mut lines.scroll,
            Self::Choices(picker) => &mut picker.row,
        }
    }

    /// The texts through which one moves: the rows of the lines at this width, or each choice.
    pub(crate) fn texts(&self, columns: usize) -> Vec<String> {
        match self {
            Self::Lines(lines) => lines.rows(columns),
            Self::Choices(picker) => {
                let all = picker.choices.all();
                all.map(|choice| format!("{} {}", choice.text, choice.more))
                    .collect()
            }
        }
    }
}

impl OverlayLines {
    /// The lines in rows of words.
    pub(crate) fn rows(&self, columns: usize) -> Vec<String> {
        let lines = self.lines.iter().flat_map(|line| line.lines());
        lines
            .flat_map(|line| wrapped(line, columns.saturating_sub(2)))
            .collect()
    }
}
