//! `{{...}}` in a play's texts: placeholders for parts of the newest message. Not a language.

use serde_json::Value;

use super::{newest::Newest, play::When};

/// Replaces a placeholder whose value is missing.
const NOTHING: &str = "(nothing)";

enum Hole<'a> {
    Mail,
    MailFrom,
    RequestId,
    LastResult,
    After(&'a str),
}

impl<'a> Hole<'a> {
    fn read(name: &'a str) -> Result<Self, String> {
        Ok(match name.trim_start() {
            "mail" => Self::Mail,
            "mail_from" => Self::MailFrom,
            "request_id" => Self::RequestId,
            "last_result" => Self::LastResult,
            name => match name.strip_prefix("after:") {
                Some(text) if !text.trim().is_empty() => Self::After(text),
                Some(_) | None => {
                    return Err(format!(
                        "unknown placeholder `{{{{{name}}}}}`, expected mail, mail_from, request_id, last_result or after:TEXT"
                    ));
                }
            },
        })
    }

    fn fill(&self, newest: &Newest, when: Option<&When>) -> String {
        let mail = newest.mail(when);
        let found = match self {
            Self::Mail => mail.map(|mail| mail.text.clone()),
            Self::MailFrom => mail.map(|mail| mail.from.clone()),
            Self::RequestId => mail.and_then(|mail| mail.request_id.clone()),
            Self::LastResult => newest.result(when).map(|result| result.text.clone()),
            Self::After(text) => newest.texts().find_map(|newest| word_after(newest, text)),
        };
        found.unwrap_or_else(|| NOTHING.to_owned())
    }
}

fn word_after(newest: &str, text: &str) -> Option<String> {
    let (_, rest) = newest.split_once(text)?;
    let is_end = |c: char| c.is_whitespace() || "\"'`,;()<>[]{}".contains(c);
    let word = rest
        .split(is_end)
        .next()?
        .trim_end_matches(['.', ':', '!', '?']);
    (!word.is_empty()).then(|| word.to_owned())
}

/// Replaces each placeholder. Placeholders in the inserted text stay as they are.
pub(super) fn fill(text: &str, newest: &Newest, when: Option<&When>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = next(rest) {
        out.push_str(before);
        // Parsing the play checked the placeholders.
        if let Ok(hole) = Hole::read(name) {
            out.push_str(&hole.fill(newest, when));
        }
        rest = after;
    }
    out + rest
}

/// Replaces the placeholders of every string in a JSON value.
pub(super) fn fill_value(value: &mut Value, newest: &Newest, when: Option<&When>) {
    match value {
        Value::String(text) => *text = fill(text, newest, when),
        Value::Array(items) => {
            for item in items {
                fill_value(item, newest, when);
            }
        }
        Value::Object(fields) => {
            for field in fields.values_mut() {
                fill_value(field, newest, when);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the first unknown placeholder as an error.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut rest = text;
    while let Some((_, name, after)) = next(rest) {
        Hole::read(name)?;
        rest = after;
    }
    Ok(())
}

/// Replaces the placeholders of every string in a JSON value.
pub(super) fn check_value(value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) => check(text),
        Value::Array(items) => items.iter().try_for_each(check_value),
        Value::Object(fields) => fields.values().try_for_each(check_value),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// The text before the next placeholder, its name, and the text after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}
