//! Checks PDF documents before a model is sent them: a server that cannot read one refuses the whole request, and all that follow
//! with it. Looks at the outermost form only; nothing is decoded.

use memchr::memmem;

use super::MediaError;

/// The most pages that servers take in a request to a model with an ordinary context.
pub(super) const PAGES_MAX: u64 = 100;

/// Where the end of a document has its marks.
const TAIL_BYTES: usize = 2_048;

/// Whether it is whole, can be read without a password, and has not too many pages as far as that can be seen from outside.
pub(super) fn check(content: &[u8]) -> Result<(), MediaError> {
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
