//! The terminal sink: what comes from models, files, tools, names and mail is text, whatever it contains.

use std::{borrow::Cow, fmt::Write as _};

/// Keeps line breaks and tabs; every other control character, and what hides or re-orders text, is shown by its code.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_harmful(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same for JSON, which stays the same JSON: what a terminal could obey stands in strings only, and there as an escape.
pub(crate) fn clean_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_harmful) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_harmful(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The same on one line.
pub(crate) fn clean_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

fn is_harmful(c: char) -> bool {
    teammate::is_hidden(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        let evil = "a\u{1b}[2J\u{9b}31m\u{7}\u{202e}b\u{200b}\u{e0041}\r\n\u{1b}]52;c;x\u{1b}\\";
        let shown = clean(evil);
        assert!(!shown.chars().any(is_harmful), "{shown:?}");
        assert!(shown.starts_with("a\\u{1b}[2J"));
        let json = serde_json::to_string(evil).unwrap();
        let shown = clean_json(&json);
        assert!(!shown.chars().any(is_harmful), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), evil);
        assert_eq!(clean("plain\ttext\nñ 中"), "plain\ttext\nñ 中");
    }
}
