//! Pictures and documents in blocks: how many there are, how many bytes a request sends of them, and how much of a model's context
//! they take.

use std::{
    borrow::Cow,
    ops::{Add, AddAssign},
};

use serde::Deserialize;

use super::Block;
use crate::attachment::ATTACHMENTS_BYTES_MAX;

/// The estimated weight of a picture: 1,500 tokens, what the largest that tools and senders make costs with most models;
/// those that look closer count up to 3,000.
const PICTURE_BYTES_ESTIMATE: usize = 6_000;

/// The bytes of a document to one byte of its weight: as text and as a picture, a page of some 40,000 bytes takes some 2,300
/// tokens.
const DOCUMENT_BYTES_PER_BYTE: usize = 4;

/// The least estimated weight of a document: a page.
const DOCUMENT_BYTES_ESTIMATE_MIN: usize = 9_000;

/// The highest estimated weight of a document, some 50,000 tokens. An estimate that is too low is put right by what the
/// server counts; one that is too high would have a summary replace what the model has not seen yet.
const DOCUMENT_BYTES_ESTIMATE_MAX: usize = 200_000;

/// How many pictures and documents there are, and the bytes of their base64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Media {
    pub count: usize,
    /// Their bytes in a request.
    pub base64_bytes: usize,
}

impl Media {
    /// The most that a request sends. Beyond 20 a server may refuse pictures that it takes otherwise, and it reads no request of
    /// more than 32 MB.
    pub const MAX: Self = Self {
        count: 20,
        base64_bytes: ATTACHMENTS_BYTES_MAX,
    };

    /// The pictures and documents that stay when there are more: half, so that they leave rarely, since each time the prompt
    /// cache is lost.
    pub const KEPT: Self = Self {
        count: Self::MAX.count / 2,
        base64_bytes: Self::MAX.base64_bytes / 2,
    };

    /// Whether there are no more, and no larger ones, than `bound` says.
    pub fn is_within(self, bound: Self) -> bool {
        self.count <= bound.count && self.base64_bytes <= bound.base64_bytes
    }
}

impl Add for Media {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            base64_bytes: self.base64_bytes + other.base64_bytes,
        }
    }
}

impl AddAssign for Media {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Media {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// A block, or a part of a tool's result, as far as it is looked into.
#[derive(Deserialize)]
struct Shown<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    content: Vec<Shown<'a>>,
    #[serde(default, borrow)]
    source: Option<Source<'a>>,
}

#[derive(Deserialize)]
struct Source<'a> {
    #[serde(default, borrow)]
    data: Cow<'a, str>,
}

/// Kind and length of each picture and document of a block.
#[derive(Clone, Copy)]
enum MediaPart {
    Picture(usize),
    Document(usize),
}

impl MediaPart {
    fn base64_bytes(self) -> usize {
        match self {
            Self::Picture(bytes) | Self::Document(bytes) => bytes,
        }
    }

    fn weight(self) -> usize {
        match self {
            Self::Picture(_) => PICTURE_BYTES_ESTIMATE,
            Self::Document(base64) => (base64 / 4 * 3 / DOCUMENT_BYTES_PER_BYTE)
                .clamp(DOCUMENT_BYTES_ESTIMATE_MIN, DOCUMENT_BYTES_ESTIMATE_MAX),
        }
    }
}

fn parts(block: &Block) -> Vec<MediaPart> {
    let json = block.json();
    // Quotes within a text are escaped, so only a block of that kind has these bytes.
    if !json.contains(r#""type":"image""#) && !json.contains(r#""type":"document""#) {
        return Vec::new();
    }
    let Ok(shown) = serde_json::from_str::<Shown<'_>>(json) else {
        return Vec::new();
    };
    std::iter::once(&shown)
        .chain(&shown.content)
        .filter_map(|part| {
            let bytes = part.source.as_ref()?.data.len();
            match &*part.kind {
                "image" => Some(MediaPart::Picture(bytes)),
                "document" => Some(MediaPart::Document(bytes)),
                _ => None,
            }
        })
        .collect()
}

impl Block {
    /// How much of a model's context it takes, as so many bytes of text. A picture counts the same whatever its bytes, a document by
    /// them, within bounds.
    pub fn weight(&self) -> usize {
        self.measured().0
    }

    /// Its pictures and documents, and those in it if it is a tool's result.
    pub fn media(&self) -> Media {
        self.measured().1
    }

    /// Both at once.
    pub fn measured(&self) -> (usize, Media) {
        let all = (self.json().len(), Media::default());
        parts(self).into_iter().fold(all, |(weight, media), part| {
            let bytes = part.base64_bytes();
            let one = Media {
                count: 1,
                base64_bytes: bytes,
            };
            (weight - bytes + part.weight(), media + one)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        MessageId,
        attachment::{Attachment, MediaType},
        tool::{CallId, Outcome, OutcomePart},
    };

    fn result(part: OutcomePart) -> Block {
        let parts = vec![OutcomePart::Text("see".into()), part];
        let outcome = Outcome {
            parts,
            is_error: false,
            ran: None,
            change: None,
            merge: None,
            refused: None,
        };
        Block::tool_result(&CallId::new("t".into()), &outcome)
    }

    fn sent(kind: MediaType, bytes: usize) -> Block {
        let file = Attachment::new("a", kind, "A".repeat(bytes));
        Block::attachment(&file, &MessageId::parse("m").unwrap())
    }

    #[test]
    fn a_picture_weighs_the_same_whatever_its_bytes() {
        let read = |bytes: usize| {
            result(OutcomePart::Image {
                media_type: "image/png",
                base64: "A".repeat(bytes),
            })
        };
        assert_eq!(read(10).weight(), read(1_000_000).weight());
        let attached = |bytes| sent(MediaType::Png, bytes).weight();
        assert_eq!(attached(10), attached(1_000_000));
        assert!((6_000..6_500).contains(&attached(10)));
        let text = Block::text(&"x".repeat(500));
        assert_eq!(text.weight(), text.json().len());
    }

    #[test]
    fn a_document_weighs_more_the_larger_it_is_within_bounds() {
        let of = |bytes| sent(MediaType::Pdf, bytes).weight();
        assert!((9_000..9_500).contains(&of(10)), "{}", of(10));
        assert!(of(400_000) > 70_000 && of(400_000) < 80_000);
        assert!(of(10_000_000) < 201_000);
        let read = result(OutcomePart::Document {
            media_type: "application/pdf",
            name: "a.pdf".into(),
            base64: "A".repeat(400_000),
        });
        assert!(read.weight().abs_diff(of(400_000)) < 300);
    }

    #[test]
    fn media_are_counted_wherever_they_are_and_text_about_them_is_not() {
        let one = |bytes| Media {
            count: 1,
            base64_bytes: bytes,
        };
        assert_eq!(sent(MediaType::Pdf, 12).media(), one(12));
        assert_eq!(sent(MediaType::Gif, 8).media(), one(8));
        let read = result(OutcomePart::Image {
            media_type: "image/png",
            base64: "A".repeat(16),
        });
        assert_eq!(read.media(), one(16));
        let said = Block::text(r#"{"type":"image","source":{"data":"AAAA"}}"#);
        assert_eq!(said.media(), Media::default());
        let odd = r#"{"type":"tool_result","tool_use_id":"t","content":"\"type\":\"image\""}"#;
        let odd = Block::from_json(odd.to_owned()).unwrap();
        assert_eq!(
            (odd.weight(), odd.media()),
            (odd.json().len(), Media::default())
        );
    }
}
