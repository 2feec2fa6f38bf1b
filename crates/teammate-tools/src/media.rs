//! Pictures and documents as models are shown them: `picture` scales and bounds pictures, PDF documents are checked. Used by
//! `read_file` and for files that the user attaches to a message, so both give a model the same.

mod picture;

use std::{
    fs::File,
    io::{self, Read, Seek as _},
    path::Path,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use memchr::memmem;
use teammate_core::{
    attachment::{Attachment, MediaType},
    tool::OutcomePart,
};

/// The largest picture file that is read.
const PICTURE_FILE_BYTES_MAX: u64 = 32 << 20;

/// The largest document that is shown. Servers read requests of 32 MB at most, and a conversation holds more than one document.
const DOCUMENT_BYTES_MAX: u64 = 8 << 20;

/// The most pages that servers take in a request to a model with an ordinary context.
const PAGES_MAX: u64 = 100;

/// Where the end of a document has its marks.
const TAIL_BYTES: usize = 2_048;

/// First bytes that tell.
const MAGIC: [(&[u8], MediaType); 5] = [
    (b"\x89PNG\r\n\x1a\n", MediaType::Png),
    (b"\xff\xd8\xff", MediaType::Jpeg),
    (b"GIF87a", MediaType::Gif),
    (b"GIF89a", MediaType::Gif),
    (b"%PDF-", MediaType::Pdf),
];

/// How many first bytes tell.
const MAGIC_BYTES: u64 = 16;

/// A picture or document as a model is shown it.
#[derive(Debug)]
pub(crate) struct ShownMedia {
    pub(crate) media_type: MediaType,
    pub(crate) base64: String,
    /// The change of the file's bytes.
    pub(crate) made: MediaChange,
    /// How many bytes the file has.
    pub(crate) file_bytes: u64,
}

/// The change of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MediaChange {
    /// Nothing: they are shown as they are.
    Kept,
    /// A smaller picture: from this width and height to that one.
    Smaller { from: (u32, u32), to: (u32, u32) },
}

impl ShownMedia {
    /// A description of the file with its name, in a line.
    pub(crate) fn describe(&self, name: &str, kind: MediaType) -> String {
        let bytes = self.file_bytes;
        match self.made {
            MediaChange::Kept => format!("{name} ({kind}, {bytes} bytes)"),
            MediaChange::Smaller { from, to } => format!(
                "{name} ({kind}, {bytes} bytes, {}x{}); shown smaller: {}x{}",
                from.0, from.1, to.0, to.1
            ),
        }
    }

    /// It as a part of an outcome.
    pub(crate) fn part(self, name: String) -> OutcomePart {
        let media_type = self.media_type.as_str();
        let base64 = self.base64;
        if self.media_type.is_picture() {
            OutcomePart::Image { media_type, base64 }
        } else {
            OutcomePart::Document {
                media_type,
                name,
                base64,
            }
        }
    }
}

/// Why a file cannot be shown; each says what would work.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("it is not a regular file")]
    NotAFile,
    #[error(
        "it is no PNG, JPEG, GIF or WebP picture and no PDF document; name the file in the text, and the member reads it there"
    )]
    NotMedia,
    #[error(
        "it is a picture of {bytes} bytes, at most {PICTURE_FILE_BYTES_MAX} are read; make a smaller copy with a shell command"
    )]
    LargePicture {
        /// Its length.
        bytes: u64,
    },
    #[error(
        "it is a picture of {width}x{height} pixels, too many to decode; make a smaller copy with a shell command"
    )]
    ManyPixels { width: u32, height: u32 },
    /// A picture is damaged, or of a form that is not known.
    #[error(
        "it cannot be decoded ({0}); if it opens elsewhere, convert it to PNG with a shell command"
    )]
    BadPicture(String),
    #[error(
        "it is a PDF document of {bytes} bytes, at most {DOCUMENT_BYTES_MAX} can be shown; `pdftotext` gives its text, `pdfseparate` or `qpdf --pages` a part of it"
    )]
    LargeDocument {
        /// Its length.
        bytes: u64,
    },
    #[error(
        "it is a PDF document of {pages} pages, at most {} can be shown; `pdftotext -f FIRST -l LAST` gives the text of some, `qpdf --pages` a part of it",
        PAGES_MAX
    )]
    ManyPages { pages: u64 },
    #[error(
        "it is an encrypted PDF document, which no model reads; `qpdf --decrypt` makes a copy that can be shown"
    )]
    Encrypted,
    #[error("it is a damaged PDF document: {0}; `pdftotext` may still give its text")]
    BadDocument(&'static str),
}

/// The type of a file that starts with `start`, if it can be shown.
pub(crate) fn media_type(start: &[u8]) -> Option<MediaType> {
    if start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP") {
        return Some(MediaType::Webp);
    }
    let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
    known.map(|(_, kind)| *kind)
}

/// Makes what a model is shown of a file of this type and length, from its beginning.
pub(crate) fn show(file: impl Read, bytes: u64, kind: MediaType) -> Result<ShownMedia, MediaError> {
    let (most, too_large) = match kind.is_picture() {
        true => (PICTURE_FILE_BYTES_MAX, MediaError::LargePicture { bytes }),
        false => (DOCUMENT_BYTES_MAX, MediaError::LargeDocument { bytes }),
    };
    if bytes > most {
        return Err(too_large);
    }
    let mut content = Vec::new();
    file.take(most).read_to_end(&mut content)?;
    let file_bytes = content.len() as u64;
    let (media_type, content, made) = if kind.is_picture() {
        picture::fitted(kind, content)?
    } else {
        check_document(&content)?;
        (kind, content, MediaChange::Kept)
    };
    Ok(ShownMedia {
        media_type,
        base64: BASE64_STANDARD.encode(content),
        made,
        file_bytes,
    })
}

/// Reads a file that is sent with a message, by the `name` that the model reads. Blocks: a large picture takes a second.
pub fn read_attachment(path: &Path, name: &str) -> Result<Attachment, MediaError> {
    // Before it is opened: opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(MediaError::NotAFile);
    }
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    file.by_ref().take(MAGIC_BYTES).read_to_end(&mut start)?;
    file.rewind()?;
    let kind = media_type(&start).ok_or(MediaError::NotMedia)?;
    let shown = show(file, metadata.len(), kind)?;
    Ok(Attachment::new(name, shown.media_type, shown.base64))
}

/// An attachment of bytes in standard base64, as other programs send them.
pub fn attachment_of_base64(base64: &str, name: &str) -> Result<Attachment, MediaError> {
    let bytes = BASE64_STANDARD.decode(base64);
    let bytes = bytes.map_err(|error| io::Error::other(error.to_string()))?;
    let kind = media_type(&bytes).ok_or(MediaError::NotMedia)?;
    let shown = show(&*bytes, bytes.len() as u64, kind)?;
    Ok(Attachment::new(name, shown.media_type, shown.base64))
}

/// Whether a document is whole, can be read without a password, and has not too many pages as far as that can be seen from
/// outside: a server that cannot read one refuses the whole request, and all that follow with it. Nothing is decoded.
fn check_document(content: &[u8]) -> Result<(), MediaError> {
    let tail = &content[content.len().saturating_sub(TAIL_BYTES)..];
    if memmem::find(tail, b"startxref").is_none() {
        return Err(MediaError::BadDocument("its end is missing"));
    }
    if is_encrypted(content) {
        return Err(MediaError::Encrypted);
    }
    let pages = visible_pages(content);
    if pages > PAGES_MAX {
        return Err(MediaError::ManyPages { pages });
    }
    Ok(())
}

/// A trailer names the dictionary with the encryption, by reference or in place. It is never compressed.
fn is_encrypted(content: &[u8]) -> bool {
    memmem::find_iter(content, b"/Encrypt").any(|at| {
        let rest = content[at + b"/Encrypt".len()..].trim_ascii_start();
        rest.starts_with(b"<<") || rest.first().is_some_and(u8::is_ascii_digit)
    })
}

/// The pages that are written without compression; of other documents none is seen, and the server counts.
fn visible_pages(content: &[u8]) -> u64 {
    let is_page = |at: &usize| {
        let rest = content[at + b"/Type".len()..].trim_ascii_start();
        rest.strip_prefix(b"/Page")
            .is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    };
    memmem::find_iter(content, b"/Type").filter(is_page).count() as u64
}

#[cfg(test)]
mod tests;
