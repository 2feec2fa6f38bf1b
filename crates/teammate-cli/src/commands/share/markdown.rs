//! What members write, as elements of the page. Links are not followed there: it is shown where they lead.

use teammate_view::markdown::{Inline, ListItem, TextBlock, TextTable, parse};

use super::node::{Node, Words};

/// The blocks of a text, which may have secrets in it.
pub(super) fn of(text: &str, words: &mut Words<'_>) -> Vec<Node> {
    blocks(&parse(&words.plain(text)))
}

fn blocks(blocks: &[TextBlock]) -> Vec<Node> {
    blocks.iter().map(block).collect()
}

fn block(block: &TextBlock) -> Node {
    match block {
        TextBlock::Heading { text, .. } => Node::element("p.heading", inlines(text)),
        TextBlock::Paragraph(text) => Node::element("p", inlines(text)),
        TextBlock::Code { text, .. } => Node::element("pre", [Node::piece(text)]),
        TextBlock::List(list) => {
            let name = if list.start.is_some() { "ol" } else { "ul" };
            Node::element(name, list.items.iter().map(item))
        }
        TextBlock::Quote(inside) => Node::element("blockquote", blocks(inside)),
        TextBlock::Table(rows) => table(rows),
        TextBlock::Rule => Node::element("hr", []),
    }
}

fn item(item: &ListItem) -> Node {
    let sign = match item.is_done {
        Some(true) => Some(Node::word("[x] ")),
        Some(false) => Some(Node::word("[ ] ")),
        None => None,
    };
    let inside = match item.blocks.as_slice() {
        [TextBlock::Paragraph(text)] => inlines(text),
        all => blocks(all),
    };
    Node::element("li", sign.into_iter().chain(inside))
}

fn table(table: &TextTable) -> Node {
    let head = table
        .head
        .iter()
        .map(|cell| Node::element("th", inlines(cell)));
    let head = Node::element("tr", head);
    let rows = table.rows.iter().map(|row| {
        let cells = row.iter();
        Node::element("tr", cells.map(|cell| Node::element("td", inlines(cell))))
    });
    Node::element("table", std::iter::once(head).chain(rows))
}

fn inlines(text: &[Inline]) -> Vec<Node> {
    text.iter().map(inline).collect()
}

fn inline(part: &Inline) -> Node {
    match part {
        Inline::Text(text) => Node::piece(text),
        Inline::Strong(inside) => Node::element("strong", inlines(inside)),
        Inline::Emphasis(inside) => Node::element("em", inlines(inside)),
        Inline::Strike(inside) => Node::element("s", inlines(inside)),
        Inline::Code(text) => Node::element("code", [Node::piece(text)]),
        Inline::Link { text, to } => {
            let to = Node::element("span.dim", [Node::piece(&format!(" ({to})"))]);
            let shown = Node::element("u", inlines(text));
            Node::element("span", [shown, to])
        }
        Inline::Break => Node::element("br", []),
    }
}
