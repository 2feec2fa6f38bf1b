//! A row of a screen that knows what stands in it: a click finds that again. What a click does is not known here.

use std::ops::Range;

use crate::app::Target;
use ratatui::text::{Line, Span};

/// A row of text, and what is in which of its columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) line: Line<'static>,
    pub(crate) targets: Vec<(Range<usize>, Target)>,
}

impl Row {
    /// A row that is one thing from end to end.
    pub(crate) fn of(line: Line<'static>, target: Target) -> Self {
        Self {
            line,
            targets: vec![(0..usize::MAX, target)],
        }
    }

    /// Puts a piece behind the others, which is this thing if it is one.
    pub(crate) fn push(&mut self, span: Span<'static>, target: Option<Target>) {
        let begin = self.line.width();
        self.line.push_span(span);
        let columns = begin..self.line.width();
        self.targets.extend(target.map(|target| (columns, target)));
    }
}

impl From<Line<'static>> for Row {
    fn from(line: Line<'static>) -> Self {
        Self {
            line,
            targets: Vec::new(),
        }
    }
}

/// Rows in which nothing is to be found.
pub(crate) fn rows(lines: Vec<Line<'static>>) -> Vec<Row> {
    lines.into_iter().map(Row::from).collect()
}
