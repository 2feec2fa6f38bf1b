//! One word of a command: what the program will get, if that is certain.

use teammate_core::permission::Word;
use tree_sitter::Node;

use super::children;

pub(super) fn word(text: &str, node: Node<'_>) -> Word {
    let unknown = || Word::Unknown(text[node.byte_range()].to_owned());
    if node.kind() != "concatenation" {
        return piece(text, node).map_or_else(unknown, Word::Known);
    }
    let mut whole = String::new();
    let mut end = node.start_byte();
    for part in children(node) {
        match piece(text, part) {
            Some(piece) if part.start_byte() == end => whole.push_str(&piece),
            Some(_) | None => return unknown(),
        }
        end = part.end_byte();
    }
    Word::Known(whole)
}

fn piece(text: &str, node: Node<'_>) -> Option<String> {
    let slice = &text[node.byte_range()];
    match node.kind() {
        "word" | "number" => bare(slice),
        "raw_string" => {
            let inner = slice.strip_prefix('\'')?.strip_suffix('\'')?;
            (!inner.contains('\'')).then(|| inner.to_owned())
        }
        "string" => quoted(slice.strip_prefix('"')?.strip_suffix('"')?),
        _ => None,
    }
}

/// The text without quotes.
fn bare(slice: &str) -> Option<String> {
    let mut whole = String::new();
    let mut chars = slice.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => whole.push(chars.next().filter(char::is_ascii_graphic)?),
            c => whole.push(Some(c).filter(|c| is_plain(*c))?),
        }
    }
    Some(whole)
}

/// Whether no shell expands the character, wherever in a word it stands.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || "-_./:=,+@%^#".contains(c)
        || (!c.is_ascii() && c.is_alphanumeric())
}

/// The text between double quotes.
fn quoted(inner: &str) -> Option<String> {
    let mut whole = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '$' | '`' | '"' => return None,
            '\\' => match chars.next()? {
                escaped @ ('$' | '`' | '"' | '\\') => whole.push(escaped),
                other => whole.extend(['\\', other]),
            },
            c => whole.push(c),
        }
    }
    Some(whole)
}
