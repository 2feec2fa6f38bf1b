//! Texts for cells: cleaned, cut to their columns, and in columns.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::Timestamp;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.graphemes(true)
        .map(unicode_width::UnicodeWidthStr::width)
        .sum()
}

/// The text on one line, in at most `columns`; `…` says that something is missing.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let line = one_line(text);
    if width(&line) <= columns {
        return line;
    }
    let mut cut = String::new();
    let mut used = 0;
    for cluster in line.graphemes(true) {
        used += cluster.width();
        if used + 1 > columns {
            break;
        }
        cut.push_str(cluster);
    }
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// The same, filled with blanks up to the columns.
pub(crate) fn column(text: &str, columns: usize) -> String {
    let mut cut = fit(text, columns);
    let left = columns.saturating_sub(width(&cut));
    cut.extend(std::iter::repeat_n(' ', left));
    cut
}

/// A text without line breaks and without anything that a terminal obeys.
pub(crate) fn one_line(text: &str) -> String {
    let blanks = text.trim_end().chars().map(|c| match c {
        '\n' | '\t' | '\r' => ' ',
        c => c,
    });
    blanks.filter(|c| !is_harmful(*c)).collect()
}

/// Control characters, and what hides or re-orders text.
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
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
    let seconds = now.millis_since(since) / 1_000;
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// Left and right parts of one row; the right one stays whole.
pub(crate) fn spread(left: Line<'static>, right: Line<'static>, columns: usize) -> Line<'static> {
    let gap = columns.saturating_sub(left.width() + right.width());
    let mut spans = left.spans;
    spans.push(Span::raw(" ".repeat(gap)));
    spans.extend(right.spans);
    Line::from(spans)
}
