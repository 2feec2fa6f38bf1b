//! The page as data: elements with names of ours, and texts of anybody. The page's script makes elements of it and never
//! reads a text as HTML. A text is made by [`NodeMaker`] only, which hides secrets in it first.

use serde::{Serialize, Serializer, ser::SerializeSeq as _};
use teammate::hiding::SecretHider;
use teammate_view::clean::clean;

/// A longer text is cut: the page is for reading.
const TEXT_CHARS_MAX: usize = 16_000;

/// A piece of the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node(NodePiece);

#[derive(Debug, Clone, PartialEq)]
enum NodePiece {
    Text(String),
    Element(&'static str, Vec<Node>),
    /// A moment, in milliseconds, which the page shows in the reader's time.
    Moment(u64),
}

impl Node {
    /// An element: its name, and its classes behind dots: `p.dim`.
    pub(super) fn element(name: &'static str, inside: impl IntoIterator<Item = Self>) -> Self {
        Self(NodePiece::Element(name, inside.into_iter().collect()))
    }

    /// Words of this program.
    pub(super) fn word(text: &'static str) -> Self {
        Self(NodePiece::Text(text.to_owned()))
    }

    /// A piece of a text that [`NodeMaker`] has made.
    pub(super) fn piece(text: &str) -> Self {
        Self(NodePiece::Text(text.to_owned()))
    }

    /// A number of this program.
    pub(super) fn number(number: u64) -> Self {
        Self(NodePiece::Text(number.to_string()))
    }

    pub(super) fn moment(at: teammate::Timestamp) -> Self {
        Self(NodePiece::Moment(at.0))
    }

    /// Adds what a reader sees of it.
    pub(super) fn read_into(&self, out: &mut String) {
        match &self.0 {
            NodePiece::Text(text) => out.push_str(text),
            NodePiece::Element(_, inside) => inside.iter().for_each(|node| node.read_into(out)),
            NodePiece::Moment(_) => {}
        }
    }
}

/// A text is a string, an element a list that begins with its name, a moment a number.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            NodePiece::Text(text) => serializer.serialize_str(text),
            NodePiece::Moment(at) => serializer.serialize_u64(*at),
            NodePiece::Element(name, inside) => {
                let mut all = serializer.serialize_seq(Some(inside.len() + 1))?;
                all.serialize_element(name)?;
                inside
                    .iter()
                    .try_for_each(|node| all.serialize_element(node))?;
                all.end()
            }
        }
    }
}

/// Makes texts, without the secrets that are known.
pub(super) struct NodeMaker<'a> {
    hider: &'a mut SecretHider,
    place: String,
    /// How many texts were cut.
    pub(super) cut: u64,
}

impl<'a> NodeMaker<'a> {
    pub(super) fn new(hider: &'a mut SecretHider) -> Self {
        Self {
            hider,
            place: String::new(),
            cut: 0,
        }
    }

    /// Enters a place: what comes next is hidden as in it. Names in it may be secrets themselves.
    pub(super) fn enter(&mut self, place: &str) {
        self.place = self.hider.hide("the names of members", place).into_owned();
    }

    /// A text as it is to be shown.
    pub(super) fn plain(&mut self, text: &str) -> String {
        let hidden = self.hider.hide(&self.place, text);
        let text = clean(&hidden);
        match text.char_indices().nth(TEXT_CHARS_MAX) {
            None => text.into_owned(),
            Some((end, _)) => {
                self.cut += 1;
                let (shown, rest) = text.split_at(end);
                let more = rest.chars().count();
                format!("{shown}\n… {more} characters are left out")
            }
        }
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) -> Node {
        Node(NodePiece::Text(self.plain(text)))
    }

    /// An element with a text only.
    pub(super) fn line(&mut self, name: &'static str, text: &str) -> Node {
        Node::element(name, [self.text(text)])
    }
}
