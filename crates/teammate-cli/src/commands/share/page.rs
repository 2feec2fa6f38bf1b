//! The file: a page whose script and style are in it, with the recording as data. Its policy lets nothing else run and asks no
//! machine for anything, whatever a text in it says.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value};
use teammate_view::language::{page_texts, translated_page};

use super::recording::Recording;

const SHELL: &str = include_str!("page/shell.html");
const SCRIPT: &str = include_str!("page/replay.js");
const STYLE: &str = include_str!("page/replay.css");

/// The whole file.
pub(super) struct SharePage(String);

impl SharePage {
    pub(super) fn of(recording: &Recording) -> Self {
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            hash(SCRIPT),
            hash(STYLE)
        );
        // Nothing in it ends its element, nor begins a comment.
        let data = with_texts(recording.json())
            .to_string()
            .replace('<', "\\u003c");
        let parts = [
            ("POLICY", policy.as_str()),
            ("STYLE", STYLE),
            ("DATA", &data),
            ("SCRIPT", SCRIPT),
        ];
        Self(filled(&translated_page(SHELL), &parts))
    }

    pub(super) fn html(&self) -> &str {
        &self.0
    }
}

/// The data with the texts that the script says, where they are not the English ones.
fn with_texts(mut data: Value) -> Value {
    let texts: Map<String, Value> = page_texts()
        .into_iter()
        .map(|(english, text)| (english.to_owned(), text.into()))
        .collect();
    if let (Some(data), false) = (data.as_object_mut(), texts.is_empty()) {
        data.insert("texts".to_owned(), texts.into());
    }
    data
}

/// How a policy names a script or style: by its content.
fn hash(text: &str) -> String {
    let digest = digest(&SHA256, text.as_bytes());
    format!("sha256-{}", STANDARD.encode(digest))
}

/// The shell with each part once in its place, `{{NAME}}`, in the order of the shell; what is in a part is not looked at again.
fn filled(shell: &str, parts: &[(&str, &str)]) -> String {
    let (mut page, mut rest) = (String::new(), shell);
    for (name, part) in parts {
        if let Some((before, after)) = rest.split_once(&format!("{{{{{name}}}}}")) {
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_asks_nobody_and_its_script_makes_no_html() {
        for file in [SHELL, SCRIPT, STYLE] {
            assert!(!file.contains("://") && !file.contains("url("));
        }
        for word in [
            "innerHTML",
            "eval",
            "document.write",
            "fetch",
            "setAttribute",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }

    #[test]
    fn every_part_is_in_its_place_and_no_part_fills_another() {
        let page = filled("a{{ONE}}b{{TWO}}c", &[("ONE", "{{TWO}}"), ("TWO", "2")]);
        assert_eq!(page, "a{{TWO}}b2c");
        let names = ["{{POLICY}}", "{{STYLE}}", "{{DATA}}", "{{SCRIPT}}"];
        let places: Vec<_> = names.iter().map(|name| SHELL.find(name)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted());
    }
}
