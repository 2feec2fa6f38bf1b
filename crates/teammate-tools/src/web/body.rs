//! The body of an answer, unpacked within a limit: a small body can unpack to any size.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use hyper::{HeaderMap, header};

use super::client::{BODY_BYTES_MAX, WebError};

/// The bytes as the server has them.
pub(super) fn unpacked(packed: Vec<u8>, headers: &HeaderMap) -> Result<Vec<u8>, WebError> {
    let named = headers.get_all(header::CONTENT_ENCODING).iter();
    let named: Vec<String> = named
        .map(|name| String::from_utf8_lossy(name.as_bytes()).to_ascii_lowercase())
        .filter(|name| !matches!(name.trim(), "" | "identity"))
        .collect();
    match named.as_slice() {
        [] => Ok(packed),
        // A redirection, or the answer to a request for the head.
        _ if packed.is_empty() => Ok(packed),
        [one] if matches!(one.trim(), "gzip" | "x-gzip") => unzipped(&packed),
        others => Err(WebError::Packed(
            others.join(", ").chars().take(40).collect(),
        )),
    }
}

fn unzipped(packed: &[u8]) -> Result<Vec<u8>, WebError> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(packed)
        .take(BODY_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(WebError::Damaged)?;
    match bytes.len() > BODY_BYTES_MAX {
        true => Err(WebError::Large),
        false => Ok(bytes),
    }
}
