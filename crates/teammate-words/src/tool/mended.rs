//! Arguments of a call that are JSON but for something that changes nothing of what they say: a fence around them, rests of a
//! template behind them, a line end within a text, a comma before a bracket. Where two readings are possible there is none.

use serde_json::{Deserializer, Value, value::RawValue};

/// What stands before arguments in a fence.
const FENCES: [&str; 4] = ["```json\n", "```JSON\n", "```\n", "```json"];

/// The object that a text means, if it is one of them.
pub(super) fn object(text: &str) -> Option<Box<RawValue>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = FENCES
        .iter()
        .find_map(|fence| text.strip_prefix(fence))
        .unwrap_or(text);
    let text = plain(text);
    let (first, rest) = value(&text)?;
    let (found, rest) = match first.get().as_bytes().first()? {
        b'{' => match value(rest) {
            // Relays that begin each call with an empty object, and those that repeat it.
            Some((second, rest)) if second.get().starts_with('{') => {
                let is_same = read(&first)? == read(&second)?;
                let is_empty = read(&first)?.as_object()?.is_empty();
                (is_same || is_empty).then_some((second, rest))?
            }
            Some(_) | None => (first, rest),
        },
        b'[' => {
            let mut items: Vec<Box<RawValue>> = serde_json::from_str(first.get()).ok()?;
            let only = items.pop().filter(|it| it.get().starts_with('{'))?;
            (items.is_empty().then_some(only)?, rest)
        }
        _ => return None,
    };
    is_rest(rest).then_some(found)
}

/// The value at the start of a text, as it is written, and what is behind it.
fn value(text: &str) -> Option<(Box<RawValue>, &str)> {
    let mut values = Deserializer::from_str(text).into_iter::<Box<RawValue>>();
    let first = values.next()?.ok()?;
    Some((first, &text[values.byte_offset()..]))
}

fn read(value: &RawValue) -> Option<Value> {
    serde_json::from_str(value.get()).ok()
}

/// Whether what stands behind arguments is nothing of them: brackets too many, the end of a fence, marks of a template.
fn is_rest(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '}' | ']' | '`'));
    text.is_empty() || (text.starts_with('<') && text.ends_with('>') && !text.contains('{'))
}

/// The text with control characters within strings as JSON writes them, and outside of them without commas before a closing
/// bracket, and with the words of Python for its constants.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        outside(&mut plain, &rest[..at]);
        plain.push('"');
        rest = within(&mut plain, &rest[at + 1..]);
    }
    outside(&mut plain, rest);
    plain
}

/// Adds what stands between two strings.
fn outside(plain: &mut String, text: &str) {
    let mut word = String::new();
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            word.push(c);
            continue;
        }
        constant(plain, &mut word);
        if matches!(c, '}' | ']') {
            let kept = plain.trim_end();
            if let Some(kept) = kept.strip_suffix(',') {
                plain.truncate(kept.len());
            }
        }
        plain.push(c);
    }
    constant(plain, &mut word);
}

fn constant(plain: &mut String, word: &mut String) {
    plain.push_str(match word.as_str() {
        "True" => "true",
        "False" => "false",
        "None" => "null",
        other => other,
    });
    word.clear();
}

/// Adds a string to its end, and returns what is behind it.
fn within<'a>(plain: &mut String, text: &'a str) -> &'a str {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            // A mark of escape before one says something else.
            c if is_escaped => plain.push(c),
            '\n' => plain.push_str("\\n"),
            '\r' => plain.push_str("\\r"),
            '\t' => plain.push_str("\\t"),
            c => plain.push(c),
        }
        if c == '"' && !is_escaped {
            return &text[at + 1..];
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_nothing_is_passed_over() {
        for text in [
            "```json\n{\"c\":\"a\"}\n```",
            "```\n{\"c\":\"a\"}```",
            "\u{feff}{\"c\":\"a\"}",
            "{\"c\":\"a\",}",
            "{\"c\":\"a\"}}",
            "{\"c\":\"a\"}</tool_call>",
            "{\"c\":\"a\"}<|im_end|>",
            "{}{\"c\":\"a\"}",
            "{\"c\":\"a\"}\n{\"c\":\"a\"}",
            "[{\"c\":\"a\"}]",
        ] {
            let found = object(text).map(|found| found.get().to_owned());
            assert_eq!(found.as_deref(), Some(r#"{"c":"a"}"#), "{text}");
        }
        for (text, found) in [
            ("{\"c\":\"a\n\tb\"}", r#"{"c":"a\n\tb"}"#),
            (
                "{\"c\":\"True, }\",\"d\":True,\"e\":[None,False,],\"n\":1e400,}",
                r#"{"c":"True, }","d":true,"e":[null,false],"n":1e400}"#,
            ),
            (r#"{"c":"a \" ,}",}"#, r#"{"c":"a \" ,}"}"#),
        ] {
            let read = object(text).map(|found| found.get().to_owned());
            assert_eq!(read.as_deref(), Some(found), "{text}");
        }
    }

    #[test]
    fn what_may_mean_something_else_is_not_read() {
        for text in [
            "echo a",
            "\"a\"",
            "{\"c\":\"a\"",
            "{\"c\":\"a\\.b\"}",
            "{'c':'a'}",
            "{\"c\":\"a\"}{\"c\":\"b\"}",
            "[{\"c\":\"a\"},{\"c\":\"b\"}]",
            "{\"c\":\"a\"} and then {\"d\":1}",
            "Here: {\"c\":\"a\"}",
            "{\"c\":\"a\"}<x>{\"c\":\"b\"}</x>",
            "{\"c\":\"a\\\n\"}",
            "",
        ] {
            assert!(object(text).is_none(), "{text}");
        }
    }
}
