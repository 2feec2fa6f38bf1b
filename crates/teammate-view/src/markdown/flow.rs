//! Spans become lines of a width: words move to the next line whole, between wide characters a line may end anywhere, and what
//! is longer than a line is broken.

use crate::{
    text::{Span, TextLine, TextRole},
    width::{WidthPolicy, clusters},
};

/// So many columns are left for text however deep it is.
const ROOM_MIN: usize = 4;

/// How wide lines are, and how that is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineFlow {
    pub(super) width: usize,
    pub(super) policy: WidthPolicy,
}

/// The text before the lines of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Margin {
    /// Before the next line only, if it is another: the mark of an item.
    first: Option<TextLine>,
    rest: TextLine,
}

impl Margin {
    /// The margin of what is inside: `first` before its next line, `rest` before the others. Where that would leave no room it
    /// is left out.
    pub(super) fn inside(&mut self, first: &Span, rest: &Span, page: LineFlow) -> Self {
        let mut next = self.take();
        let mut others = self.rest.clone();
        let room = page.policy.text(&first.text) + ROOM_MIN;
        if next.width(page.policy) + room <= page.width {
            next.push(&first.text, first.role);
        }
        if others.width(page.policy) + room <= page.width / 2 {
            others.push(&rest.text, rest.role);
        }
        Self {
            first: Some(next),
            rest: others,
        }
    }

    /// Takes the margin of the next line.
    pub(super) fn take(&mut self) -> TextLine {
        self.first.take().unwrap_or_else(|| self.rest.clone())
    }

    /// An empty line between two blocks, with what stands before all lines.
    pub(super) fn empty_line(&self) -> TextLine {
        let mut line = self.rest.clone();
        if let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        line.spans.retain(|span| !span.text.is_empty());
        line
    }

    /// The columns before the next line.
    pub(super) fn columns(&self, page: LineFlow) -> usize {
        let next = self.first.as_ref().unwrap_or(&self.rest);
        next.width(page.policy)
    }

    /// Whether its mark is still to be drawn.
    pub(super) fn has_mark(&self) -> bool {
        self.first.is_some()
    }
}

/// A paragraph on its way to lines.
pub(super) struct Flow<'a> {
    page: LineFlow,
    margin: &'a mut Margin,
    lines: &'a mut Vec<TextLine>,
    line: TextLine,
    columns: usize,
    /// Where the text of the line begins.
    start: usize,
    /// A blank that is drawn if a word follows it on the line.
    gap: Option<TextRole>,
    word: TextLine,
    word_columns: usize,
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        page: LineFlow,
        margin: &'a mut Margin,
        lines: &'a mut Vec<TextLine>,
    ) -> Self {
        let line = margin.take();
        let columns = line.width(page.policy);
        Self {
            page,
            margin,
            lines,
            line,
            columns,
            start: columns,
            gap: None,
            word: TextLine::default(),
            word_columns: 0,
        }
    }

    /// Text that may be broken at blanks, of which several count as one.
    pub(super) fn put(&mut self, text: &str, role: TextRole) {
        for cluster in clusters(text) {
            if matches!(cluster, " " | "\t") {
                self.end_word();
                self.gap = Some(role);
                continue;
            }
            let (cluster, wide) = self.fitting(cluster);
            // Alone it is a mark without its letter: it would join, and widen, what comes before it.
            if wide == 0 {
                continue;
            }
            if wide > 1 || self.start + self.word_columns + wide > self.page.width {
                self.end_word();
            }
            self.word.push(cluster, role);
            self.word_columns += wide;
            if wide > 1 {
                self.end_word();
            }
        }
    }

    /// Text in which blanks count, broken only where the line ends.
    pub(super) fn put_as_written(&mut self, text: &str, role: TextRole) {
        for cluster in clusters(text) {
            let (cluster, wide) = self.fitting(cluster);
            // As above.
            if wide == 0 {
                continue;
            }
            if self.columns + wide > self.page.width && self.columns > self.start {
                self.end_line(true);
            }
            self.line.push(cluster, role);
            self.columns += wide;
        }
    }

    /// A new line.
    pub(super) fn end(&mut self) {
        self.end_word();
        self.end_line(false);
    }

    /// The last line.
    pub(super) fn finish(mut self) {
        self.end_word();
        self.lines.push(self.line);
    }

    /// The shown text of a cluster: one that is wider than a line is not shown.
    fn fitting<'c>(&self, cluster: &'c str) -> (&'c str, usize) {
        let wide = self.page.policy.cluster(cluster);
        if self.start + wide > self.page.width {
            ("?", 1)
        } else {
            (cluster, wide)
        }
    }

    fn end_word(&mut self) {
        if self.word.spans.is_empty() {
            return;
        }
        let gap = self.gap.take().filter(|_| self.columns > self.start);
        let wide = self.word_columns + usize::from(gap.is_some());
        if self.columns + wide > self.page.width && self.columns > self.start {
            self.end_line(true);
        } else if let Some(role) = gap {
            self.line.push(" ", role);
            self.columns += 1;
        }
        let word = std::mem::take(&mut self.word);
        self.line.extend(&word.spans);
        self.columns += std::mem::take(&mut self.word_columns);
    }

    fn end_line(&mut self, is_too_long: bool) {
        let next = self.margin.take();
        self.lines.push(std::mem::replace(&mut self.line, next));
        self.line.continues = is_too_long;
        self.columns = self.line.width(self.page.policy);
        self.start = self.columns;
        self.gap = None;
    }
}
