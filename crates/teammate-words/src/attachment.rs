//! Pictures and documents that the user sends with a message. How they are read, scaled and checked is the sender's business.
//!
//! They travel in the mail itself, so that a message is one durable line and a transcript holds all of it.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::fence::escaped_line;

/// The most attachments of one message.
pub const ATTACHMENTS_MAX: usize = 8;

/// The most bytes that the attachments of one message have together, in base64. No more than a conversation sends of all pictures
/// and documents (`block::Media::MAX`), so that the newest message is never sent without its own.
pub const ATTACHMENTS_BYTES_MAX: usize = 12 * 1024 * 1024;

/// The longest name of one that is kept. A server refuses titles of more than 500 characters.
const NAME_BYTES_MAX: usize = 400;

/// A kind of file that a model can be shown besides text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MediaType {
    #[serde(rename = "image/png")]
    Png,
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// A picture; of several in one file the first is seen.
    #[serde(rename = "image/gif")]
    Gif,
    #[serde(rename = "image/webp")]
    Webp,
    #[serde(rename = "application/pdf")]
    Pdf,
}

impl MediaType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Png, Self::Jpeg, Self::Gif, Self::Webp, Self::Pdf];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Pdf => "application/pdf",
        }
    }

    /// Reads the name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The usual type of a file with this ending.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "gif" => Some(Self::Gif),
            "webp" => Some(Self::Webp),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// Whether it is a picture, and not a document.
    pub fn is_picture(self) -> bool {
        match self {
            Self::Png | Self::Jpeg | Self::Gif | Self::Webp => true,
            Self::Pdf => false,
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One picture or document. Copies share its bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    name: String,
    media_type: MediaType,
    base64: Arc<str>,
}

impl Attachment {
    /// A file by the name that the model reads, with its bytes in standard base64.
    pub fn new(name: &str, media_type: MediaType, base64: String) -> Self {
        let mut name = escaped_line(name);
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
        Self {
            name,
            media_type,
            base64: base64.into(),
        }
    }

    /// The file's name, on one line.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of file.
    pub fn media_type(&self) -> MediaType {
        self.media_type
    }

    /// Its bytes.
    pub fn base64(&self) -> &str {
        &self.base64
    }

    /// A note in its place where its bytes do not belong.
    pub fn note(&self) -> AttachmentNote {
        let padding = self.base64.bytes().rev().take_while(|byte| *byte == b'=');
        let padding = padding.take(2).count() as u64;
        AttachmentNote {
            name: self.name.clone(),
            media_type: self.media_type,
            bytes: (self.base64.len() as u64 / 4 * 3).saturating_sub(padding),
        }
    }
}

impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.note(), f)
    }
}

/// An attachment as events, logs and screens show it: without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachmentNote {
    pub name: String,
    pub media_type: MediaType,
    pub bytes: u64,
}

impl fmt::Display for AttachmentNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            media_type,
            bytes,
        } = self;
        write!(f, "{name} ({media_type}, {bytes} bytes)")
    }
}

/// The attachments of one message: no more and no larger than a message may have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Attachment>", into = "Vec<Attachment>")]
pub struct Attachments(Vec<Attachment>);

/// Why a message cannot have these attachments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AttachmentsError {
    #[error(
        "a message can have {ATTACHMENTS_MAX} attachments and not {count}; send the others in another message"
    )]
    TooMany { count: usize },
    #[error(
        "the attachments of a message can have {} MB together and not {} MB; send some of them in another message",
        ATTACHMENTS_BYTES_MAX / 4 * 3 / 1_000_000,
        (bytes / 4 * 3).div_ceil(1_000_000)
    )]
    TooLarge {
        /// The bytes of their base64.
        bytes: usize,
    },
}

impl TryFrom<Vec<Attachment>> for Attachments {
    type Error = AttachmentsError;

    fn try_from(all: Vec<Attachment>) -> Result<Self, AttachmentsError> {
        let (count, bytes) = (all.len(), all.iter().map(|one| one.base64.len()).sum());
        if count > ATTACHMENTS_MAX {
            return Err(AttachmentsError::TooMany { count });
        }
        if bytes > ATTACHMENTS_BYTES_MAX {
            return Err(AttachmentsError::TooLarge { bytes });
        }
        Ok(Self(all))
    }
}

impl From<Attachments> for Vec<Attachment> {
    fn from(attachments: Attachments) -> Self {
        attachments.0
    }
}

impl Attachments {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Attachment> {
        self.0.iter()
    }

    /// The bytes of their base64.
    pub fn base64_bytes(&self) -> usize {
        self.iter().map(|one| one.base64.len()).sum()
    }

    /// Notes in their place where their bytes do not belong.
    pub fn notes(&self) -> Vec<AttachmentNote> {
        self.iter().map(Attachment::note).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: usize) -> Attachment {
        Attachment::new("a.png", MediaType::Png, "A".repeat(bytes))
    }

    #[test]
    fn a_message_has_no_more_attachments_than_it_may_have() {
        let of = |count, bytes| Attachments::try_from(vec![picture(bytes); count]);
        assert!(of(ATTACHMENTS_MAX, 4).is_ok());
        let count = ATTACHMENTS_MAX + 1;
        assert_eq!(of(count, 4), Err(AttachmentsError::TooMany { count }));
        assert!(of(2, ATTACHMENTS_BYTES_MAX / 2).is_ok());
        let said = of(2, ATTACHMENTS_BYTES_MAX / 2 + 4).unwrap_err();
        assert_eq!(
            said.to_string(),
            "the attachments of a message can have 9 MB together and not 10 MB; send some of them in another message"
        );
    }

    #[test]
    fn a_name_is_one_line_of_bounded_length() {
        let named = |name: &str| Attachment::new(name, MediaType::Pdf, String::new());
        assert_eq!(named("a\nb\u{1b}.pdf").name().lines().count(), 1);
        assert!(named(&"ñ".repeat(5_000)).name().len() <= NAME_BYTES_MAX);
    }

    #[test]
    fn a_note_counts_the_bytes_and_has_none_of_them() {
        for (base64, bytes) in [("", 0), ("aGk=", 2), ("aGkh", 3), ("aA==", 1)] {
            let note = Attachment::new("a", MediaType::Png, base64.to_owned()).note();
            assert_eq!(note.bytes, bytes, "{base64}");
        }
        assert!(!format!("{:?}", picture(400)).contains("AAAA"));
    }

    #[test]
    fn every_type_reads_back() {
        for kind in MediaType::ALL {
            assert_eq!(MediaType::parse(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
