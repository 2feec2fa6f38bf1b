//! How what happened is said in a line: the same words in plain lines, in the log and in the full screen. Who it is about stands
//! before the line, which each face adds. The lines are clean.

pub(crate) mod calls;
pub(crate) mod jobs;
pub(crate) mod members;
pub(crate) mod models;
pub(crate) mod requests;
pub(crate) mod senders;
pub(crate) mod tasks;

use crate::{
    clean::clean_line,
    text::{TextLine, TextRole},
};

/// A line that begins with a word that stands out. The rest is what members and models wrote, too.
fn marked(mark: &str, role: TextRole, rest: &str) -> TextLine {
    let mut line = TextLine::of(clean_line(mark), role);
    line.push(&clean_line(rest), TextRole::Plain);
    line
}

/// A line in which nothing stands out.
pub(crate) fn plain(text: &str) -> TextLine {
    TextLine::of(clean_line(text), TextRole::Plain)
}
