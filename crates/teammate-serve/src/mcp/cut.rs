//! Long texts in answers: a client's model reads the beginning, and what there is more.

use serde_json::Value;

/// The beginning of a text, in characters, with how much is left out.
pub(super) fn cut(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (beginning, rest) = text.split_at(at);
            format!("{beginning}... ({} more characters)", rest.chars().count())
        }
    }
}

/// Cuts every text in a value.
pub(super) fn cut_all(value: &mut Value, chars_max: usize) {
    match value {
        Value::String(text) => *text = cut(text, chars_max),
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| cut_all(value, chars_max)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| cut_all(value, chars_max)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
