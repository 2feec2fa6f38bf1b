//! Texts for cells: cleaned, cut to their columns, and in columns.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::Timestamp;
use teammate_view::{
    clean::{clean, clean_line},
    clock_text,
    text::TextLine,
    width::{WidthPolicy, without_tabs},
};

use crate::theme::Theme;

/// How wide characters are here.
pub(crate) const WIDTHS: WidthPolicy = WidthPolicy::Narrow;

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    WIDTHS.text(text)
}

/// The text on one line, in at most `columns`; `…` says that something is missing.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    WIDTHS.fit(&one_line(text), columns).into_owned()
}

/// The text, filled with blanks up to the columns.
pub(crate) fn column(text: &str, columns: usize) -> String {
    WIDTHS.pad(&one_line(text), columns)
}

/// The text at the right of so many columns, with blanks before it.
pub(crate) fn right(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(width(text));
    format!("{:blanks$}{text}", "")
}

/// A text without line breaks and without anything that a terminal obeys.
pub(crate) fn one_line(text: &str) -> String {
    // No more than a screen can show of it: a text may be long.
    let (begin, _) = text.split_at(text.floor_char_boundary(ROW_BYTES_MAX));
    clean_line(begin.trim_end())
}

/// More bytes than a row of a screen can hold.
const ROW_BYTES_MAX: usize = 4 << 10;

/// A text in rows of words.
pub(crate) fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let line = clean(line);
    let line = without_tabs(&line);
    let rows = WIDTHS.wrap(&line, columns.max(1)).into_iter();
    rows.map(str::to_owned).collect()
}

/// Lines of meaning in the colours of the theme, indented.
pub(crate) fn painted(
    lines: Vec<TextLine>,
    indent: &'static str,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let paint = |line: TextLine| {
        let spans = line.spans.into_iter();
        let spans = spans.map(|span| Span::styled(span.text, theme.role(span.role)));
        Line::from_iter(std::iter::once(Span::raw(indent)).chain(spans))
    };
    lines.into_iter().map(paint).collect()
}

/// A rule with a title: `── Team: 9 ────`.
pub(crate) fn rule(title: &str, columns: usize, style: Style) -> Line<'static> {
    let title = one_line(title);
    let head = if title.is_empty() {
        String::new()
    } else {
        format!("── {} ", fit(&title, columns.saturating_sub(6)))
    };
    let rest = columns.saturating_sub(width(&head));
    Line::from(Span::styled(format!("{head}{}", "─".repeat(rest)), style))
}

/// A time that passed: `0:42`, `4:10`, `1:02:33`.
pub(crate) fn passed(since: Timestamp, now: Timestamp) -> String {
    clock_text(now.millis_since(since))
}

/// Left and right parts of one row; the right one stays whole.
pub(crate) fn spread(left: Line<'static>, right: Line<'static>, columns: usize) -> Line<'static> {
    let gap = columns.saturating_sub(left.width() + right.width());
    let mut spans = left.spans;
    spans.push(Span::raw(" ".repeat(gap)));
    spans.extend(right.spans);
    Line::from(spans)
}
