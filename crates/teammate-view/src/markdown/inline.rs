//! The parts of a line as spans: marks in each other become one role, links show where they lead.

use super::Inline;
use crate::text::{Span, TextRole};

/// A span, or a new line.
pub(super) enum InlinePart {
    Span(Span),
    Break,
}

/// The parts of a text, whose plain parts have this role.
pub(super) fn parts(text: &[Inline], role: TextRole) -> Vec<InlinePart> {
    let mut all = Vec::new();
    put(text, role, &mut all);
    while let Some(InlinePart::Break) = all.last() {
        all.pop();
    }
    all
}

/// The spans on one line, for cells.
pub(super) fn spans(text: &[Inline], role: TextRole) -> Vec<Span> {
    let spans = parts(text, role).into_iter().map(|part| match part {
        InlinePart::Span(span) => span,
        InlinePart::Break => Span::new(" ", role),
    });
    spans.collect()
}

fn put(text: &[Inline], role: TextRole, all: &mut Vec<InlinePart>) {
    for inline in text {
        match inline {
            Inline::Text(text) => all.push(InlinePart::Span(Span::new(own(text), role))),
            Inline::Strong(text) => put(text, within(role, TextRole::Strong), all),
            Inline::Emphasis(text) => put(text, within(role, TextRole::Emphasis), all),
            Inline::Strike(text) => put(text, within(role, TextRole::Struck), all),
            Inline::Code(text) => {
                all.push(InlinePart::Span(Span::new(
                    own(text),
                    within(role, TextRole::Code),
                )));
            }
            Inline::Link { text, to } => {
                put(text, TextRole::Link, all);
                if !is_shown(text, to) {
                    all.push(InlinePart::Span(Span::new(
                        format!(" ({to})"),
                        TextRole::Dim,
                    )));
                }
            }
            Inline::Break => all.push(InlinePart::Break),
        }
    }
}

/// The text without what would change how wide the character before it is, which is in another span.
fn own(text: &str) -> &str {
    text.trim_start_matches(|c| matches!(c, '\u{fe00}'..='\u{fe0f}'))
}

/// The role of a mark within another: headings stay headings, links stay links, and of the others the inner one counts,
/// unless that would only stress what is important already.
fn within(outer: TextRole, inner: TextRole) -> TextRole {
    match (outer, inner) {
        (TextRole::Heading | TextRole::Link, _) => outer,
        (TextRole::Strong, TextRole::Emphasis) => outer,
        (_, inner) => inner,
    }
}

/// Whether what a link shows is where it leads, letter by letter.
fn is_shown(text: &[Inline], to: &str) -> bool {
    matches!(text, [Inline::Text(text)] if text == to)
}
