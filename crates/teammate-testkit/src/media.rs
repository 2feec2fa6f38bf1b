//! Pictures and documents in a request, as strictly as the real servers take them. Their content is not looked at.

use serde_json::{Map, Value};

use crate::fields::{Checked, object, only, said, text};

const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const DOCUMENTS: [&str; 1] = ["application/pdf"];

/// The most bytes of base64 that a picture may have.
const PICTURE_BYTES_MAX: usize = 10 * 1024 * 1024;

/// The most pictures and documents of a request; more are taken only if they are small, which is not looked at here.
const COUNT_MAX: usize = 20;

/// The most bytes of a request.
const REQUEST_BYTES_MAX: usize = 32 * 1024 * 1024;

/// A request as a whole.
pub(crate) fn request(body: &str) -> Checked<()> {
    let kinds = [
        "image",
        "document",
        "image_url",
        "file",
        "input_image",
        "input_file",
    ];
    let count = |kind| body.matches(&format!(r#""type":"{kind}""#)).count();
    let count: usize = kinds.into_iter().map(count).sum();
    if count > COUNT_MAX {
        return Err(format!(
            "many-image requests: {count} pictures and documents, at most {COUNT_MAX}"
        ));
    }
    if body.len() > REQUEST_BYTES_MAX {
        return Err("request_too_large".to_owned());
    }
    Ok(())
}

/// An `image` block of the Messages API.
pub(crate) fn image(block: &Map<String, Value>, what: &str) -> Checked<()> {
    only(block, &["type", "source", "cache_control"], what)?;
    source(block, &PICTURES, what)
}

/// A `document` block of the Messages API.
pub(crate) fn document(block: &Map<String, Value>, what: &str) -> Checked<()> {
    let known = [
        "type",
        "source",
        "title",
        "context",
        "citations",
        "cache_control",
    ];
    only(block, &known, what)?;
    if block.contains_key("title") {
        let title = said(block, "title", what)?;
        if title.chars().count() > 500 {
            return Err(format!("{what}: title: at most 500 characters"));
        }
    }
    source(block, &DOCUMENTS, what)
}

fn source(block: &Map<String, Value>, kinds: &[&str], what: &str) -> Checked<()> {
    let source = object(block.get("source").unwrap_or(&Value::Null), what)?;
    match text(source, "type", what)? {
        "base64" => {
            only(source, &["type", "media_type", "data"], what)?;
            bytes(
                text(source, "media_type", what)?,
                text(source, "data", what)?,
                kinds,
                what,
            )
        }
        "url" => {
            only(source, &["type", "url"], what)?;
            said(source, "url", what).map(|_| ())
        }
        kind => Err(format!("{what}: source: type '{kind}'")),
    }
}

/// An `image_url` part of chat completions.
pub(crate) fn image_url(part: &Map<String, Value>, what: &str) -> Checked<()> {
    only(part, &["type", "image_url"], what)?;
    let url = object(part.get("image_url").unwrap_or(&Value::Null), what)?;
    only(url, &["url", "detail"], what)?;
    let url = said(url, "url", what)?;
    match url.starts_with("https://") {
        true => Ok(()),
        false => data_url(url, &PICTURES, what),
    }
}

/// A `file` part of chat completions.
pub(crate) fn file(part: &Map<String, Value>, what: &str) -> Checked<()> {
    only(part, &["type", "file"], what)?;
    let file = object(part.get("file").unwrap_or(&Value::Null), what)?;
    only(file, &["filename", "file_data"], what)?;
    said(file, "filename", what)?;
    data_url(said(file, "file_data", what)?, &DOCUMENTS, what)
}

/// An `input_image` part of the Responses API.
pub(crate) fn input_image(part: &Map<String, Value>, what: &str) -> Checked<()> {
    only(part, &["type", "image_url", "detail"], what)?;
    if !["low", "high", "auto", "original"].contains(&said(part, "detail", what)?) {
        return Err(format!("{what}: detail"));
    }
    let url = said(part, "image_url", what)?;
    match url.starts_with("https://") {
        true => Ok(()),
        false => data_url(url, &PICTURES, what),
    }
}

/// An `input_file` part of the Responses API.
pub(crate) fn input_file(part: &Map<String, Value>, what: &str) -> Checked<()> {
    only(part, &["type", "filename", "file_data"], what)?;
    said(part, "filename", what)?;
    data_url(said(part, "file_data", what)?, &DOCUMENTS, what)
}

fn data_url(url: &str, kinds: &[&str], what: &str) -> Checked<()> {
    let found = url
        .strip_prefix("data:")
        .and_then(|url| url.split_once(";base64,"));
    match found {
        Some((kind, data)) => bytes(kind, data, kinds, what),
        None => Err(format!("{what}: not a data URL")),
    }
}

fn bytes(kind: &str, data: &str, kinds: &[&str], what: &str) -> Checked<()> {
    if !kinds.contains(&kind) {
        return Err(format!("{what}: media type '{kind}'"));
    }
    let digits = data.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    if data.is_empty()
        || !data.len().is_multiple_of(4)
        || data.len() - digits.len() > 2
        || !digits.bytes().all(is_digit)
    {
        return Err(format!("{what}: invalid base64 data"));
    }
    if kinds == PICTURES && data.len() > PICTURE_BYTES_MAX {
        return Err(format!("{what}: image exceeds 10 MB maximum"));
    }
    Ok(())
}
