//! The form that the lead's final text must have: not empty, or a value that fits a schema.

use std::{fs, str::FromStr, sync::Arc};

use serde_json::Value;
use teammate_core::fence::is_invisible;

use crate::{
    RunOutcome, RunReport,
    schema::{Misfit, Schema},
};

/// A schema for results, as a user wrote it.
#[derive(Debug, Clone)]
pub struct ResultSchema {
    schema: Schema,
    /// As it is written, for the lead.
    text: String,
}

impl FromStr for ResultSchema {
    type Err = String;

    /// Reads the file of that name.
    fn from_str(path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read it: {error}"))?;
        Self::of_text(text)
    }
}

/// The expected form of a result.
pub enum ExpectedResult {
    /// Some text.
    Text,
    /// JSON that fits.
    Value(ResultSchema),
}

/// The fault of an answer.
pub struct ResultFlaw {
    /// For the user.
    pub why: String,
    /// For the lead.
    pub asks: String,
}

impl ExpectedResult {
    /// Of a schema, if there is one.
    pub fn of(schema: Option<ResultSchema>) -> Self {
        schema.map_or(Self::Text, Self::Value)
    }

    /// Whether the result is a value, not words.
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Value(_))
    }

    /// The job with what is expected of its result.
    pub fn prompt_with(&self, prompt: &str) -> String {
        match self {
            Self::Text => prompt.to_owned(),
            Self::Value(file) => format!(
                "{prompt}\n\nWhen the work is done, your last answer is read by a program: it must be a JSON value that fits this \
                 JSON Schema, and nothing else, no other words and no code fence.\n\n{}",
                file.text.trim()
            ),
        }
    }

    /// The fault of the lead's final text. `None` if it has not answered at all.
    pub fn flaw(&self, ending: &RunReport) -> Option<ResultFlaw> {
        if !ending.has_answered {
            return None;
        }
        match self {
            Self::Text if is_blank(&ending.text) => Some(ResultFlaw {
                why: "the lead's last answer has no text, even after it was asked again for its result".to_owned(),
                asks: "Your last answer has no text, but it is the result of this job. Answer with your result as text.".to_owned(),
            }),
            Self::Text => None,
            Self::Value(file) => file.read(&ending.text).err().map(|wrong| ResultFlaw {
                why: format!("the result does not fit the schema, even after the lead was asked again: {wrong}"),
                asks: format!(
                    "Your last answer does not fit the JSON Schema of the result:\n\n{wrong}\n\nAnswer with the JSON value that \
                     fits, and nothing else: no other words and no code fence."
                ),
            }),
        }
    }

    /// The value that the job was for, if it was for one and has it.
    pub fn output(&self, ending: &RunReport) -> Option<Value> {
        match self {
            Self::Value(file) if ending.outcome == RunOutcome::Done => file.read(&ending.text).ok(),
            Self::Value(_) | Self::Text => None,
        }
    }
}

impl ResultSchema {
    /// Reads a schema that was not in a file.
    ///
    /// # Errors
    ///
    /// It cannot be used, in words.
    pub fn of_text(text: String) -> Result<Self, String> {
        let schema = Schema::read(&text).map_err(|error| error.to_string())?;
        Ok(Self { schema, text })
    }

    /// The schema as JSON in a line, for servers that can hold a model to it.
    pub fn text(&self) -> Arc<str> {
        let value: Value = serde_json::from_str(&self.text).unwrap_or_default();
        value.to_string().into()
    }

    /// Reads an answer; an error lists all that does not fit.
    fn read(&self, text: &str) -> Result<Value, String> {
        let value: Value = serde_json::from_str(unfenced(text))
            .map_err(|error| format!("- it is not a JSON value: {error}"))?;
        let misfits = self.schema.check(&value);
        if misfits.is_empty() {
            return Ok(value);
        }
        let lines: Vec<String> = misfits
            .iter()
            .map(|misfit: &Misfit| format!("- {misfit}"))
            .collect();
        Err(lines.join("\n"))
    }
}

/// Whether it has no visible character.
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// The content of the code fence, if the answer is one; else the answer.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix("```json")
        .or_else(|| text.strip_prefix("```"))
        .and_then(|rest| rest.strip_suffix("```"));
    inner.unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_no_words() {
        for text in ["", " \n\t", "\u{200b}\u{feff}"] {
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank(" . "));
    }

    #[test]
    fn an_answer_that_is_one_code_fence_is_what_stands_in_it() {
        for text in ["{}", " {}\n", "```json\n{}\n```", "```\n{}\n```\n"] {
            assert_eq!(unfenced(text), "{}", "{text}");
        }
        assert_eq!(unfenced("Here: ```{}```"), "Here: ```{}```");
    }
}
