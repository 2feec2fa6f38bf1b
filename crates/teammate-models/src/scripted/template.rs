//! `{{...}}` in a play's texts: a few words for what was just heard. Not a language.

use serde_json::Value;

use super::{heard::Heard, play::When};

/// What stands for something that was not heard.
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

    fn fill(&self, heard: &Heard, when: Option<&When>) -> String {
        let mail = heard.mail(when);
        let found = match self {
            Self::Mail => mail.map(|mail| mail.text.clone()),
            Self::MailFrom => mail.map(|mail| mail.from.clone()),
            Self::RequestId => mail.and_then(|mail| mail.request_id.clone()),
            Self::LastResult => heard.result(when).map(|result| result.text.clone()),
            Self::After(text) => heard.texts().find_map(|heard| word_after(heard, text)),
        };
        found.unwrap_or_else(|| NOTHING.to_owned())
    }
}

fn word_after(heard: &str, text: &str) -> Option<String> {
    let (_, rest) = heard.split_once(text)?;
    let is_end = |c: char| c.is_whitespace() || "\"'`,;()<>[]{}".contains(c);
    let word = rest
        .split(is_end)
        .next()?
        .trim_end_matches(['.', ':', '!', '?']);
    (!word.is_empty()).then(|| word.to_owned())
}

/// Replaces each placeholder. What is put in is not looked into again.
pub(super) fn fill(text: &str, heard: &Heard, when: Option<&When>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = next(rest) {
        out.push_str(before);
        // The play was checked when it was read.
        if let Ok(hole) = Hole::read(name) {
            out.push_str(&hole.fill(heard, when));
        }
        rest = after;
    }
    out + rest
}

/// The same for every string in a value.
pub(super) fn fill_value(value: &mut Value, heard: &Heard, when: Option<&When>) {
    match value {
        Value::String(text) => *text = fill(text, heard, when),
        Value::Array(items) => {
            for item in items {
                fill_value(item, heard, when);
            }
        }
        Value::Object(fields) => {
            for field in fields.values_mut() {
                fill_value(field, heard, when);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether all placeholders are known.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut rest = text;
    while let Some((_, name, after)) = next(rest) {
        Hole::read(name)?;
        rest = after;
    }
    Ok(())
}

/// The same for every string in a value.
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
