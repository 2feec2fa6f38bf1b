//! The text that is being typed: a pure machine. What was pasted and is long is one chip; the cursor moves by what people
//! take for characters.

mod layout;
mod undo;

use unicode_segmentation::UnicodeSegmentation as _;

pub use self::layout::EditorView;
use self::undo::Undo;

/// A paste with more lines than this becomes a chip.
const CHIP_LINES: usize = 20;

/// So does one with more characters.
const CHIP_CHARS: usize = 2_000;

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TextUnit {
    /// One grapheme cluster; a line break is one, too.
    Cluster(String),
    /// A long paste.
    Chip(String),
}

/// A text with a cursor.
#[derive(Debug, Clone, Default)]
pub struct Editor {
    pieces: Vec<TextUnit>,
    /// Before this piece.
    cursor: usize,
    /// The text that was deleted last, to be put back.
    killed: Vec<TextUnit>,
    undo: Undo,
}

/// How far the cursor goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// One character to the left.
    Left,
    Right,
    /// To the beginning of the word.
    WordLeft,
    /// Behind the word.
    WordRight,
    /// To the beginning of the line.
    Home,
    End,
    /// To the beginning of the text.
    Start,
    /// To its end.
    Finish,
}

impl Editor {
    /// Holds this text, with the cursor at its end.
    pub fn of(text: &str) -> Self {
        let mut editor = Self::default();
        editor.insert_pieces(clusters(text));
        editor.undo = Undo::default();
        editor
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text as it is sent: chips are what was pasted.
    pub fn text(&self) -> String {
        let texts = self.pieces.iter().map(|piece| match piece {
            TextUnit::Cluster(text) | TextUnit::Chip(text) => text.as_str(),
        });
        texts.collect()
    }

    /// The text before the cursor, as it is sent.
    pub fn before(&self) -> String {
        let texts = self.pieces[..self.cursor].iter().map(|piece| match piece {
            TextUnit::Cluster(text) | TextUnit::Chip(text) => text.as_str(),
        });
        texts.collect()
    }

    /// Takes the text and is empty.
    pub fn take(&mut self) -> String {
        let text = self.text();
        *self = Self {
            killed: std::mem::take(&mut self.killed),
            ..Self::default()
        };
        text
    }

    /// Replaces everything; it can be undone.
    pub fn set(&mut self, text: &str) {
        self.remember(false);
        self.pieces = clusters(text);
        self.cursor = self.pieces.len();
    }

    /// Types a character.
    pub fn insert(&mut self, c: char) {
        let is_word = c.is_alphanumeric();
        self.remember(is_word);
        // It may join what is before it: an accent, a part of an emoji.
        if let Some(TextUnit::Cluster(before)) =
            self.cursor.checked_sub(1).map(|at| &self.pieces[at])
        {
            let joined = format!("{before}{c}");
            if joined.graphemes(true).count() == 1 && joined != "\r\n" {
                self.pieces[self.cursor - 1] = TextUnit::Cluster(joined);
                return;
            }
        }
        self.pieces
            .insert(self.cursor, TextUnit::Cluster(c.to_string()));
        self.cursor += 1;
    }

    /// Begins a new line.
    pub fn newline(&mut self) {
        self.insert('\n');
    }

    /// Enter behind a `\` begins a new line in its place. True if it did.
    pub fn continue_line(&mut self) -> bool {
        let before = self.cursor.checked_sub(1).map(|at| &self.pieces[at]);
        if before != Some(&TextUnit::Cluster("\\".to_owned())) {
            return false;
        }
        self.remember(false);
        self.pieces[self.cursor - 1] = TextUnit::Cluster("\n".to_owned());
        true
    }

    /// Pastes; a long text becomes a chip.
    pub fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.remember(false);
        if text.lines().count() > CHIP_LINES || text.chars().count() > CHIP_CHARS {
            self.insert_pieces(vec![TextUnit::Chip(text)]);
        } else {
            self.insert_pieces(clusters(&text));
        }
    }

    /// Moves the cursor.
    pub fn go(&mut self, how: Move) {
        self.undo.pause();
        self.cursor = self.target(how);
    }

    /// Moves a line up or down within the text, to about the same column; false if there is none.
    pub fn go_line(&mut self, down: bool) -> bool {
        let begin = self.target(Move::Home);
        let column = self.cursor - begin;
        let target = if down {
            let end = self.target(Move::End);
            if end == self.pieces.len() {
                return false;
            }
            end + 1
        } else {
            if begin == 0 {
                return false;
            }
            self.line_start(begin - 1)
        };
        self.cursor = (target + column).min(self.line_end(target));
        true
    }

    /// Deletes the way of a move; more than a character is kept to be put back.
    pub fn delete(&mut self, how: Move) {
        let target = self.target(how);
        let range = target.min(self.cursor)..target.max(self.cursor);
        if range.is_empty() {
            return;
        }
        self.remember(false);
        self.cursor = range.start;
        let gone: Vec<TextUnit> = self.pieces.drain(range).collect();
        if !matches!(how, Move::Left | Move::Right) {
            self.killed = gone;
        }
    }

    /// Puts back what was deleted last.
    pub fn yank(&mut self) {
        let killed = self.killed.clone();
        self.remember(false);
        self.insert_pieces(killed);
    }

    /// Takes back the last change; false if there is none.
    pub fn undo(&mut self) -> bool {
        let now = (self.pieces.clone(), self.cursor);
        self.restore(|undo| undo.back(now))
    }

    /// Does again what was taken back; false if there is nothing.
    pub fn redo(&mut self) -> bool {
        let now = (self.pieces.clone(), self.cursor);
        self.restore(|undo| undo.forth(now))
    }

    /// Replaces what is between `from`, in characters of the text before the cursor counted from its end, and the cursor.
    pub fn replace_before(&mut self, clusters_back: usize, with: &str) {
        self.remember(false);
        let from = self.cursor.saturating_sub(clusters_back);
        self.pieces.drain(from..self.cursor);
        self.cursor = from;
        self.insert_pieces(clusters(with));
    }

    fn restore(&mut self, step: impl FnOnce(&mut Undo) -> Option<undo::EditorState>) -> bool {
        let Some((pieces, cursor)) = step(&mut self.undo) else {
            return false;
        };
        (self.pieces, self.cursor) = (pieces, cursor);
        true
    }

    fn remember(&mut self, joins: bool) {
        self.undo.remember(&self.pieces, self.cursor, joins);
    }

    fn insert_pieces(&mut self, pieces: Vec<TextUnit>) {
        let count = pieces.len();
        self.pieces.splice(self.cursor..self.cursor, pieces);
        self.cursor += count;
    }

    fn target(&self, how: Move) -> usize {
        match how {
            Move::Left => self.cursor.saturating_sub(1),
            Move::Right => (self.cursor + 1).min(self.pieces.len()),
            Move::WordLeft => {
                let before = &self.pieces[..self.cursor];
                let word = before.iter().rposition(is_word).map_or(0, |at| at + 1);
                let begin = before[..word].iter().rposition(|piece| !is_word(piece));
                begin.map_or(0, |at| at + 1)
            }
            Move::WordRight => {
                let after = &self.pieces[self.cursor..];
                let word = after.iter().position(is_word).unwrap_or(after.len());
                let end = after[word..].iter().position(|piece| !is_word(piece));
                self.cursor + end.map_or(after.len(), |at| word + at)
            }
            Move::Home => self.line_start(self.cursor),
            Move::End => self.line_end(self.cursor),
            Move::Start => 0,
            Move::Finish => self.pieces.len(),
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.pieces[..at].iter();
        before.clone().rposition(is_break).map_or(0, |at| at + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let after = self.pieces[at..].iter();
        after
            .clone()
            .position(is_break)
            .map_or(self.pieces.len(), |end| at + end)
    }
}

fn clusters(text: &str) -> Vec<TextUnit> {
    let clusters = text.graphemes(true);
    clusters
        .map(|cluster| TextUnit::Cluster(cluster.to_owned()))
        .collect()
}

fn is_break(piece: &TextUnit) -> bool {
    matches!(piece, TextUnit::Cluster(text) if text == "\n")
}

fn is_word(piece: &TextUnit) -> bool {
    match piece {
        TextUnit::Cluster(text) => text.chars().any(char::is_alphanumeric),
        TextUnit::Chip(_) => true,
    }
}

#[cfg(test)]
mod tests;
