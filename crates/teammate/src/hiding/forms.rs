//! The ways in which a secret may be written.

use std::{collections::BTreeSet, fmt::Write as _};

use base64::engine::general_purpose as engines;
use teammate_core::secrets::Secret;

/// How a secret is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    /// As it is.
    Plain,
    /// In a JSON string.
    Json,
    /// In HTML.
    Html,
    /// In an address, with `%2F` and its like.
    Percent,
    /// In Base64, as a whole or as part of something longer.
    Base64,
    /// As hexadecimal digits.
    Hex,
}

impl Encoding {
    /// In a word; nothing if it is as it is.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Json => "JSON",
            Self::Html => "HTML",
            Self::Percent => "percent-encoding",
            Self::Base64 => "Base64",
            Self::Hex => "hexadecimal",
        }
    }
}

/// A secret as it is written in one way.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) text: String,
    pub(super) without_blanks: String,
    /// The text that is put in its place.
    pub(super) shown: String,
    pub(super) encoding: Encoding,
}

/// Without the secret.
impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.shown, self.encoding.word())
    }
}

impl Form {
    /// Every way, each text once.
    pub(super) fn all(secret: &Secret) -> Vec<Self> {
        let (text, bytes) = (secret.text(), secret.text().as_bytes());
        let percent = percent(text);
        let mut all = vec![
            (Encoding::Plain, text.to_owned()),
            (Encoding::Json, json(text)),
            (Encoding::Html, html(text)),
            (Encoding::Percent, percent.to_ascii_lowercase_codes()),
            (Encoding::Percent, percent.0),
            (Encoding::Hex, hex(bytes)),
            (Encoding::Hex, hex(bytes).to_uppercase()),
        ];
        for engine in [&engines::STANDARD_NO_PAD, &engines::URL_SAFE_NO_PAD] {
            let begins = (0..3).map(|before| (Encoding::Base64, base64(engine, bytes, before)));
            all.extend(begins);
        }
        let mut known = BTreeSet::new();
        all.retain(|(_, text)| known.insert(text.clone()));
        all.into_iter()
            .map(|(encoding, text)| Self {
                without_blanks: super::without_blanks(&text),
                text,
                shown: secret.shown().to_owned(),
                encoding,
            })
            .collect()
    }
}

fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// With codes in capitals.
struct Percent(String);

impl Percent {
    /// With codes in small letters; everything else as it is.
    fn to_ascii_lowercase_codes(&self) -> String {
        let mut parts = self.0.split('%');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (code, rest) = part.split_at(2);
            let _ = write!(text, "%{}{rest}", code.to_ascii_lowercase());
        }
        text
    }
}

fn percent(text: &str) -> Percent {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    Percent(out)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The characters that nothing but the secret decides, when `before` bytes more than a multiple of three stand before it.
fn base64(engine: &impl base64::Engine, bytes: &[u8], before: usize) -> String {
    let padded = [&vec![0; before], bytes].concat();
    let whole = engine.encode(&padded);
    let (from, to) = ((before * 8).div_ceil(6), padded.len() * 8 / 6);
    whole[from..to].to_owned()
}
