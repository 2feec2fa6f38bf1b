//! What is shown over the screen until a key goes on: lines that answer what was typed, things to choose from, or the palette.

use teammate_view::{Choices, PaletteEntry};

use crate::text::wrapped;

/// The list or text over the screen.
#[derive(Debug)]
pub(crate) enum Overlay {
    Lines(OverlayLines),
    /// Things to choose from.
    Choices(Picker),
    /// Commands and keys, by the words that are typed there.
    Palette(ShownPalette),
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

/// The palette, as far as words are typed.
#[derive(Debug)]
pub(crate) struct ShownPalette {
    all: Vec<PaletteEntry>,
    typed: String,
    /// The chosen one among those that fit.
    pub(crate) row: usize,
}

impl ShownPalette {
    pub(crate) fn new(all: Vec<PaletteEntry>) -> Self {
        Self {
            all,
            typed: String::new(),
            row: 0,
        }
    }

    pub(crate) fn typed(&self) -> &str {
        &self.typed
    }

    /// Types something else: the first that fits is chosen.
    pub(crate) fn type_in(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.typed);
        self.row = 0;
    }

    /// Those that fit what is typed.
    pub(crate) fn found(&self) -> Vec<&PaletteEntry> {
        PaletteEntry::found(&self.all, &self.typed)
    }

    /// The one that Enter takes.
    pub(crate) fn chosen(&self) -> Option<&PaletteEntry> {
        self.found().get(self.row).copied()
    }
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
            Self::Palette(palette) => palette.row,
        }
    }

    /// The place in it, to go elsewhere.
    pub(crate) fn place_mut(&mut self) -> &mut usize {
        match self {
            Self::Lines(lines) => &mut lines.scroll,
            Self::Choices(picker) => &mut picker.row,
            Self::Palette(palette) => &mut palette.row,
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
            Self::Palette(palette) => {
                let found = palette.found().into_iter();
                found.map(|entry| entry.word.clone()).collect()
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
