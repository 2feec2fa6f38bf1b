//! The body of an answer: read to its end and unpacked, each within a limit. A small body can unpack to any size.

use std::io::{self, Read as _};

use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt as _;
use hyper::{HeaderMap, body::Incoming, header};

/// The most bytes of a body, as they come and once they are unpacked.
const BYTES_MAX: usize = 10 << 20;

/// Why a body cannot be had whole; a part of a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    #[error("the server broke off: {0}")]
    Cut(#[from] hyper::Error),
    #[error("the answer has more than {} MiB", BYTES_MAX >> 20)]
    Large,
    #[error("the answer is packed as '{0}', which was not asked for")]
    Packed(String),
    #[error("the answer cannot be unpacked: {0}")]
    Damaged(#[source] io::Error),
}

/// Reads it to its end.
pub(super) async fn whole(mut body: Incoming) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > BYTES_MAX {
            return Err(BodyError::Large);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// The bytes as the server has them.
pub(super) fn unpacked(packed: Vec<u8>, headers: &HeaderMap) -> Result<Vec<u8>, BodyError> {
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
        others => Err(BodyError::Packed(
            others.join(", ").chars().take(40).collect(),
        )),
    }
}

fn unzipped(packed: &[u8]) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(packed)
        .take(BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(BodyError::Damaged)?;
    match bytes.len() > BYTES_MAX {
        true => Err(BodyError::Large),
        false => Ok(bytes),
    }
}
