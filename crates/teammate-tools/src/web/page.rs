//! The form of a page for a model: HTML as readable text, other text as it is, a picture or a document; of everything else
//! why not.

use teammate_core::{
    attachment::MediaType,
    port::ToolContext,
    tool::{Outcome, OutcomePart},
};
use teammate_process::blocking;

use super::{charset, client::WebAnswer, kept, readable::readable, web_url::WebUrl};
use crate::{media, typed_tool::Reply};

/// Beginnings of content types that are text.
const TEXTS: [&str; 12] = [
    "text/",
    "application/json",
    "application/ld+json",
    "application/xml",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/x-ndjson",
    "application/x-sh",
];

/// How much of a page is shown that comes with a failure, in characters.
const FAILURE_CHARS_MAX: usize = 2_000;

/// The content of an answer.
#[derive(Debug, PartialEq, Eq)]
enum PageContent {
    Html,
    Text,
    Media(MediaType),
    Other(String),
}

/// The outcome of a page that was fetched from there.
pub(super) async fn outcome(answer: WebAnswer, url: &WebUrl, context: &ToolContext) -> Reply {
    let status = answer.status;
    if !status.is_success() {
        return Err(failure(&answer, url, context));
    }
    if answer.body.is_empty() {
        return Ok(Outcome::ok(format!("{url} is empty ({status}).")));
    }
    match content(&answer) {
        PageContent::Media(kind) => picture(answer.body, kind, url).await,
        PageContent::Html => {
            let html = charset::text(&answer.body, &answer.content_type());
            let base = url.url().clone();
            let page = blocking::run(move |_| readable(&html, &base)).await;
            let titled = match page.title.as_str() {
                "" => page.text,
                title => format!("{title}\n\n{}", page.text),
            };
            Ok(Outcome::ok(
                kept::shown(url.as_str(), &titled, context).await,
            ))
        }
        PageContent::Text => {
            let text = charset::text(&answer.body, &answer.content_type());
            Ok(Outcome::ok(kept::shown(url.as_str(), &text, context).await))
        }
        PageContent::Other(what) => Err(Outcome::error(format!(
            "{url} is {what} ({} bytes), which is not shown: only text, pictures and PDF documents are. A command can \
             download it.",
            answer.body.len()
        ))),
    }
}

fn content(answer: &WebAnswer) -> PageContent {
    let start = &answer.body[..answer.body.len().min(1_024)];
    if let Some(kind) = media::media_type(start) {
        return PageContent::Media(kind);
    }
    let content_type = answer.content_type();
    let named = content_type.split(';').next().unwrap_or_default().trim();
    let looks_like_html = || {
        let start = start.trim_ascii_start().to_ascii_lowercase();
        start.starts_with(b"<!doctype html") || start.starts_with(b"<html")
    };
    let is_text = |named: &str| {
        TEXTS.iter().any(|text| named.starts_with(text))
            || named.ends_with("+json")
            || named.ends_with("+xml")
    };
    match named {
        "text/html" | "application/xhtml+xml" => PageContent::Html,
        "" | "application/octet-stream" if start.contains(&0) => {
            PageContent::Other("no text".to_owned())
        }
        "" if looks_like_html() => PageContent::Html,
        "" | "application/octet-stream" => PageContent::Text,
        named if is_text(named) => PageContent::Text,
        named => PageContent::Other(named.chars().take(60).collect()),
    }
}

/// The failure, with the server's words besides the status, which may help.
fn failure(answer: &WebAnswer, url: &WebUrl, context: &ToolContext) -> Outcome {
    let said = match content(answer) {
        PageContent::Html => {
            let html = charset::text(&answer.body, &answer.content_type());
            readable(&html, url.url()).text
        }
        PageContent::Text => charset::text(&answer.body, &answer.content_type()),
        PageContent::Media(_) | PageContent::Other(_) => String::new(),
    };
    let said: String = said.chars().take(FAILURE_CHARS_MAX).collect();
    let first = format!("{url} answers {}.", answer.status);
    if said.trim().is_empty() {
        return Outcome::error(first);
    }
    let said = context.secrets.redact(&said);
    let fenced = teammate_core::fence::fenced("fetched", url.as_str(), &said);
    Outcome::error(format!("{first}\n{fenced}"))
}

async fn picture(bytes: Vec<u8>, kind: MediaType, url: &WebUrl) -> Reply {
    let length = bytes.len() as u64;
    let shown = blocking::run(move |_| media::show(&*bytes, length, kind)).await;
    let shown = shown.map_err(|why| Outcome::error(format!("{url} cannot be shown: {why}.")))?;
    let text = shown.describe(url.as_str(), kind);
    let name = url.url().path().rsplit('/').next().unwrap_or_default();
    Ok(Outcome {
        parts: vec![OutcomePart::Text(text), shown.part(name.to_owned())],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    })
}
