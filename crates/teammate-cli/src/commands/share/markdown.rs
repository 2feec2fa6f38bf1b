//! Members' Markdown, as elements of the page.

use teammate_view::markdown::{TextElement, TextPiece, elements, parse, parse_message};

use super::node::{Node, NodeMaker};

/// The blocks of a text, which may have secrets in it.
pub(super) fn of(text: &str, words: &mut NodeMaker<'_>) -> Vec<Node> {
    nodes(&elements(&parse(&words.plain(text))))
}

/// The blocks of what somebody wrote to another.
pub(super) fn of_message(text: &str, words: &mut NodeMaker<'_>) -> Vec<Node> {
    nodes(&elements(&parse_message(&words.plain(text))))
}

fn nodes(pieces: &[TextPiece]) -> Vec<Node> {
    pieces.iter().map(node).collect()
}

fn node(piece: &TextPiece) -> Node {
    match piece {
        TextPiece::Text(text) => Node::piece(text),
        TextPiece::Element(TextElement::Heading, inside) => {
            Node::element("p.heading", nodes(inside))
        }
        TextPiece::Element(TextElement::LinkTarget, inside) => {
            Node::element("span.dim", nodes(inside))
        }
        TextPiece::Element(kind, inside) => Node::element(kind.name(), nodes(inside)),
    }
}
