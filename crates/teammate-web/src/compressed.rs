//! Answers made smaller for a browser that takes them so: lists of members and letters repeat themselves. Streams are not, nor is
//! what is short. No answer has a key in it, so its length tells nobody anything.

use std::io::Write as _;

use axum::{
    body::{Body, HttpBody as _},
    http::{
        HeaderMap, HeaderValue,
        header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY},
    },
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use http_body_util::BodyExt as _;

/// The length below which an answer is sent as it is.
const BYTES_MIN: u64 = 1 << 10;

/// Whether the one who asks takes it.
pub(crate) fn is_taken(headers: &HeaderMap) -> bool {
    let taken = headers
        .get(ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    let mut names = taken.unwrap_or_default().split(',');
    names.any(|name| name.trim() == "gzip")
}

/// Compresses an answer if it is all there and long enough.
pub(crate) async fn compress(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let is_whole = body
        .size_hint()
        .exact()
        .is_some_and(|size| size >= BYTES_MIN);
    if !is_whole {
        return Response::from_parts(head, body);
    }
    // A body that is in memory has no failure.
    let Ok(whole) = body.collect().await else {
        return Response::from_parts(head, Body::empty());
    };
    let whole = whole.to_bytes();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let compressed = encoder.write_all(&whole).and_then(|()| encoder.finish());
    let Ok(compressed) = compressed else {
        return Response::from_parts(head, whole.into());
    };
    head.headers.remove(CONTENT_LENGTH);
    let gzip = HeaderValue::from_static("gzip");
    head.headers.insert(CONTENT_ENCODING, gzip);
    let vary = HeaderValue::from_static("accept-encoding");
    head.headers.insert(VARY, vary);
    Response::from_parts(head, compressed.into())
}
