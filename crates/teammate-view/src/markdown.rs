//! Members' Markdown, as a tree of our own. Every text in it is clean, HTML is text like any other, and nothing is deeper
//! than [`DEPTH_MAX`]; so a face can draw it without a further thought. Never fails: all text is Markdown.

mod elements;
mod flow;
mod inline;
mod layout;
mod parse;
mod table;
#[cfg(test)]
mod tests;
mod unfinished;

use serde::Serialize;

pub use elements::{TextElement, TextPiece, elements};
pub use layout::{WIDTH_MIN, layout};
pub use parse::{parse, parse_message, parse_unfinished};

/// So deep may quotes, lists and marks of text be in each other. What is deeper stands there as text.
pub const DEPTH_MAX: usize = 32;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextBlock {
    Heading {
        /// From 1, the highest, to 6.
        level: u8,
        text: Vec<Inline>,
    },
    /// A paragraph, also one line of HTML after the other.
    Paragraph(Vec<Inline>),
    /// Code as it was written.
    Code {
        /// The words behind the fence, as `rust`; empty if there are none.
        language: String,
        /// Its lines, with tabs; no line break at the end.
        text: String,
    },
    List(TextList),
    /// Words of somebody else.
    Quote(Vec<TextBlock>),
    Table(TextTable),
    /// A line across.
    Rule,
}

/// A list and its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextList {
    /// The number of the first item; `None` if they have none.
    pub start: Option<u64>,
    /// Whether its items follow each other without empty lines.
    pub is_tight: bool,
    pub items: Vec<ListItem>,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ListItem {
    /// Whether it is done, if it has a box to be ticked.
    pub is_done: Option<bool>,
    /// The content.
    pub blocks: Vec<TextBlock>,
}

/// A table. Rows are as long as they were written, at most as long as the head.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TextTable {
    /// Where the cells of each column stand.
    pub columns: Vec<ColumnSide>,
    /// The names of the columns.
    pub head: Vec<Cell>,
    pub rows: Vec<Vec<Cell>>,
}

/// The text of a cell of a table.
pub type Cell = Vec<Inline>;

/// Where in a column its cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnSide {
    #[default]
    Left,
    Middle,
    Right,
}

/// A part of a line. Texts in it have no breaks and no tabs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Inline {
    Text(String),
    /// Something important.
    Strong(Vec<Inline>),
    /// Something stressed.
    Emphasis(Vec<Inline>),
    /// Something that no longer holds.
    Strike(Vec<Inline>),
    Code(String),
    /// A link, or a picture that is not shown. `to` is what was written, whatever its scheme: nothing has checked it.
    Link {
        /// The shown text.
        text: Vec<Inline>,
        /// Where it leads.
        to: String,
    },
    /// A new line.
    Break,
}
