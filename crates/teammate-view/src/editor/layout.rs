//! The text in rows of some width, with the cursor in sight.

use unicode_width::UnicodeWidthStr as _;

use super::{Editor, TextUnit, is_break};

/// The shown part of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditorView {
    /// The rows, from the top.
    pub rows: Vec<String>,
    /// The row of the cursor.
    pub row: usize,
    pub column: usize,
    /// How many rows are above the first one that is shown.
    pub above: usize,
}

impl Editor {
    /// The text in rows of at most `columns`, at most `rows_max` of them: those around the cursor.
    pub fn view(&self, columns: usize, rows_max: usize) -> EditorView {
        let columns = columns.max(2);
        let mut rows = vec![String::new()];
        let (mut used, mut place) = (0, (0, 0));
        for (at, piece) in self.pieces.iter().enumerate() {
            let shown = shown(piece);
            let taken = shown.width();
            if !is_break(piece) && used + taken > columns && used > 0 {
                rows.push(String::new());
                used = 0;
            }
            if at == self.cursor {
                place = (rows.len() - 1, used);
            }
            if is_break(piece) {
                rows.push(String::new());
                used = 0;
            } else if let Some(row) = rows.last_mut() {
                row.push_str(&shown);
                used += taken;
            }
        }
        if self.cursor == self.pieces.len() {
            if used >= columns {
                rows.push(String::new());
                used = 0;
            }
            place = (rows.len() - 1, used);
        }
        let rows_max = rows_max.max(1);
        let above = (place.0 + 1).saturating_sub(rows_max);
        EditorView {
            rows: rows.into_iter().skip(above).take(rows_max).collect(),
            row: place.0 - above,
            column: place.1,
            above,
        }
    }
}

/// A piece as it is shown: nothing that a terminal obeys.
fn shown(piece: &TextUnit) -> String {
    match piece {
        TextUnit::Chip(text) => format!("[pasted {} lines]", text.lines().count()),
        TextUnit::Cluster(text) if text == "\t" => "    ".to_owned(),
        TextUnit::Cluster(text) if text.chars().any(char::is_control) => "·".to_owned(),
        TextUnit::Cluster(text) => text.clone(),
    }
}
