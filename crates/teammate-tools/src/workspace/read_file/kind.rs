//! Guesses from a file's first bytes whether it is text, a picture, a document or something else.

use teammate_core::attachment::MediaType;

use crate::media::media_type;

/// How many bytes are looked at.
pub(super) const SAMPLE_BYTES: u64 = 8192;

/// The kind that a file seems to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A picture or document.
    Media(MediaType),
    /// Something else, in words.
    Binary(&'static str),
}

/// First bytes that tell.
const MAGIC: [(&[u8], Kind); 10] = [
    (
        b"PK\x03\x04",
        Kind::Binary("a zip archive (also docx, xlsx, jar, whl)"),
    ),
    (b"\x1f\x8b", Kind::Binary("gzip data")),
    (b"\xfd7zXZ\0", Kind::Binary("xz data")),
    (b"(\xb5/\xfd", Kind::Binary("zstd data")),
    (b"\x7fELF", Kind::Binary("an ELF program or library")),
    (
        b"\xcf\xfa\xed\xfe",
        Kind::Binary("a Mach-O program or library"),
    ),
    (b"\0asm", Kind::Binary("a WebAssembly module")),
    (b"SQLite format 3\0", Kind::Binary("a SQLite database")),
    (b"\xff\xfe", Kind::Binary("UTF-16 text")),
    (b"\xfe\xff", Kind::Binary("UTF-16 text")),
];

impl Kind {
    /// Guesses the kind of a file that starts with `start`.
    pub(super) fn guess(start: &[u8]) -> Self {
        if let Some(kind) = media_type(start) {
            return Self::Media(kind);
        }
        let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
        match known {
            Some((_, kind)) => *kind,
            None if memchr::memchr(0, start).is_some() => Self::Binary("of unknown type"),
            None => Self::Text,
        }
    }
}
