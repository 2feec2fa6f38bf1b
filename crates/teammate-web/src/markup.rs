//! Members' texts and changes, as HTML: texts from the view's elements, diffs from its lines.

use teammate_view::{
    diff::{DiffKind, DiffLine},
    markdown::{TextBlock, TextElement, TextPiece, elements},
};

use crate::html::Html;

/// The blocks of a text.
pub(crate) fn blocks(html: &mut Html, blocks: &[TextBlock]) {
    pieces(html, &elements(blocks));
}

fn pieces(html: &mut Html, all: &[TextPiece]) {
    for piece in all {
        match piece {
            TextPiece::Text(text) => {
                html.text(text);
            }
            TextPiece::Element(kind, inside) => element(html, *kind, inside),
        }
    }
}

fn element(html: &mut Html, kind: TextElement, inside: &[TextPiece]) {
    let start;
    let attribute = match kind {
        TextElement::Heading => Some(("class", "h")),
        TextElement::LinkTarget => Some(("class", "dim")),
        // What is wider than the page is scrolled by keys, too.
        TextElement::CodeLines => Some(("tabindex", "0")),
        TextElement::Numbers { start: first } => {
            start = first.to_string();
            Some(("start", start.as_str()))
        }
        TextElement::Rule | TextElement::Break => {
            html.void(kind.name(), &[]);
            return;
        }
        TextElement::Paragraph
        | TextElement::Bullets
        | TextElement::Item
        | TextElement::Quote
        | TextElement::Table
        | TextElement::Row
        | TextElement::Column
        | TextElement::Cell
        | TextElement::Strong
        | TextElement::Emphasis
        | TextElement::Strike
        | TextElement::Code
        | TextElement::Link => None,
    };
    html.element(kind.name(), attribute.as_slice(), |html| {
        pieces(html, inside);
    });
}

/// The lines of a diff but for the names of its file, which stand above it.
pub(crate) fn diff(html: &mut Html, lines: &[DiffLine]) {
    html.element("pre", &[("class", "diff"), ("tabindex", "0")], |html| {
        for line in lines {
            let class = match line.kind {
                DiffKind::File => continue,
                DiffKind::Hunk | DiffKind::Note => "dim",
                DiffKind::Context => "same",
                DiffKind::Added => "add",
                DiffKind::Removed => "del",
            };
            let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
            let (old, new) = (number(line.old), number(line.new));
            let attributes = [("class", class), ("data-old", &*old), ("data-new", &*new)];
            html.line("span", &attributes, &line.text).text("\n");
        }
    });
}
