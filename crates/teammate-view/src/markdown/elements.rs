//! A text as elements, for faces that have them: the page and the shared file read it here, and only say how each is written.
//! Links are not followed there: it is shown where they lead.

use super::{Inline, ListItem, TextBlock, TextList, TextTable};

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPiece {
    /// Text, whatever is in it.
    Text(String),
    /// An element, and what is in it.
    Element(TextElement, Vec<TextPiece>),
}

/// The kind of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextElement {
    /// A heading. It is none of the page's own, whatever its level.
    Heading,
    Paragraph,
    CodeLines,
    /// A list without numbers.
    Bullets,
    Numbers {
        /// The first one.
        start: u64,
    },
    Item,
    /// Words of somebody else.
    Quote,
    Table,
    Row,
    Column,
    Cell,
    /// A line across.
    Rule,
    /// Something important.
    Strong,
    /// Something stressed.
    Emphasis,
    /// Something that no longer holds.
    Strike,
    Code,
    /// The shown text of a link.
    Link,
    /// Where it leads.
    LinkTarget,
    /// A new line.
    Break,
}

impl TextElement {
    /// Its name in HTML.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading | Self::Paragraph => "p",
            Self::CodeLines => "pre",
            Self::Bullets => "ul",
            Self::Numbers { .. } => "ol",
            Self::Item => "li",
            Self::Quote => "blockquote",
            Self::Table => "table",
            Self::Row => "tr",
            Self::Column => "th",
            Self::Cell => "td",
            Self::Rule => "hr",
            Self::Strong => "strong",
            Self::Emphasis => "em",
            Self::Strike => "s",
            Self::Code => "code",
            Self::Link => "u",
            Self::LinkTarget => "span",
            Self::Break => "br",
        }
    }
}

/// The blocks of a text as elements.
pub fn elements(blocks: &[TextBlock]) -> Vec<TextPiece> {
    blocks.iter().map(block).collect()
}

fn block(block: &TextBlock) -> TextPiece {
    use TextElement as E;
    match block {
        TextBlock::Heading { text, .. } => element(E::Heading, inlines(text)),
        TextBlock::Paragraph(text) => element(E::Paragraph, inlines(text)),
        TextBlock::Code { text, .. } => element(E::CodeLines, words(text)),
        TextBlock::List(all) => list(all),
        TextBlock::Quote(inside) => element(E::Quote, elements(inside)),
        TextBlock::Table(rows) => table(rows),
        TextBlock::Rule => element(E::Rule, Vec::new()),
    }
}

fn list(list: &TextList) -> TextPiece {
    let items = list.items.iter().map(item).collect();
    match list.start {
        Some(start) => element(TextElement::Numbers { start }, items),
        None => element(TextElement::Bullets, items),
    }
}

fn item(item: &ListItem) -> TextPiece {
    let mut inside = match item.is_done {
        Some(true) => words("[x] "),
        Some(false) => words("[ ] "),
        None => Vec::new(),
    };
    inside.extend(match item.blocks.as_slice() {
        [TextBlock::Paragraph(text)] => inlines(text),
        all => elements(all),
    });
    element(TextElement::Item, inside)
}

fn table(table: &TextTable) -> TextPiece {
    let row = |cells: &[Vec<Inline>], kind| {
        let cells = cells.iter().map(|cell| element(kind, inlines(cell)));
        element(TextElement::Row, cells.collect())
    };
    let head = row(&table.head, TextElement::Column);
    let rows = table.rows.iter();
    let rows = rows.map(|cells| row(cells, TextElement::Cell));
    element(
        TextElement::Table,
        std::iter::once(head).chain(rows).collect(),
    )
}

fn inlines(text: &[Inline]) -> Vec<TextPiece> {
    text.iter().flat_map(inline).collect()
}

fn inline(part: &Inline) -> Vec<TextPiece> {
    use TextElement as E;
    match part {
        Inline::Text(text) => words(text),
        Inline::Strong(inside) => vec![element(E::Strong, inlines(inside))],
        Inline::Emphasis(inside) => vec![element(E::Emphasis, inlines(inside))],
        Inline::Strike(inside) => vec![element(E::Strike, inlines(inside))],
        Inline::Code(text) => vec![element(E::Code, words(text))],
        Inline::Link { text, to } => vec![
            element(E::Link, inlines(text)),
            element(E::LinkTarget, words(&format!(" ({to})"))),
        ],
        Inline::Break => vec![element(E::Break, Vec::new())],
    }
}

fn element(kind: TextElement, inside: Vec<TextPiece>) -> TextPiece {
    TextPiece::Element(kind, inside)
}

fn words(text: &str) -> Vec<TextPiece> {
    vec![TextPiece::Text(text.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::{TextPiece, elements};
    use crate::markdown::parse;

    fn written(pieces: &[TextPiece]) -> String {
        let piece = |piece: &TextPiece| match piece {
            TextPiece::Text(text) => text.clone(),
            TextPiece::Element(kind, inside) => format!("<{}>{}</>", kind.name(), written(inside)),
        };
        pieces.iter().map(piece).collect()
    }

    #[test]
    fn a_text_becomes_elements_and_a_link_shows_where_it_leads() {
        for (text, expected) in [
            ("# *a* b", "<p><em>a</> b</>"),
            ("- [x] a\n- b", "<ul><li>[x] a</><li>b</></>"),
            ("3. a", "<ol><li>a</></>"),
            ("> a\n>\n> ---", "<blockquote><p>a</><hr></></>"),
            ("[a](javascript:b)", "<p><u>a</><span> (javascript:b)</></>"),
            (
                "|a|\n|-|\n|**b**|",
                "<table><tr><th>a</></><tr><td><strong>b</></></></>",
            ),
            ("`<b>`", "<p><code><b></></>"),
        ] {
            assert_eq!(written(&elements(&parse(text))), expected, "{text}");
        }
    }
}
