//! The line that ends a life in a transcript: what is before it belongs to a group that has ended.

use serde::Serialize;
use teammate_core::Message;
use teammate_wire::mail;

/// How the line begins. No entry of a transcript does.
const BEGINNING: &[u8] = br#"{"archived":"#;

/// The line, whose first key comes first.
#[derive(Serialize)]
struct LifeEnd<'a> {
    /// The label of the archive.
    archived: &'a str,
    /// Mail that was not settled, as lines.
    mail: Vec<String>,
}

/// The object that ends a life, with the mail that nobody has heard.
pub(crate) fn end(label: &str, unheard: &[Message]) -> String {
    let end = LifeEnd {
        archived: label,
        mail: unheard.iter().map(mail::to_json).collect(),
    };
    serde_json::to_string(&end).expect("strings are JSON")
}

/// Whether this line ends a life.
pub(crate) fn is_end(line: &[u8]) -> bool {
    line.starts_with(BEGINNING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_known_by_its_beginning() {
        assert!(is_end(end("g1", &[]).as_bytes()));
        assert!(!is_end(br#"{"role":"user"}"#));
    }
}
