//! JSON Schemas: those of our own JSON, and a check of values against any schema.
//!
//! Of JSON Schema (2020-12) the part that says what a value looks like is understood, with `$ref` within the document. A schema
//! with a keyword that is not understood is refused when it is read: nothing passes because it was not looked at.

mod check;
mod read;

use std::{collections::BTreeMap, fmt};

use serde_json::Value;

use self::read::Node;

/// A line of the event stream.
pub const EVENTS: &str = include_str!("schema/events.json");

/// The result of a job.
pub const RESULT: &str = include_str!("schema/result.json");

/// The team, as `teammate team --json` prints it.
pub const TEAM: &str = include_str!("schema/team.json");

/// The task board or one task, as `teammate tasks ... --json` prints them.
pub const TASKS: &str = include_str!("schema/tasks.json");

/// A schema, read.
#[derive(Debug, Clone)]
pub struct Schema {
    root: Node,
    /// The parts that are referred to, by reference: `#/$defs/name`.
    referred: BTreeMap<String, Node>,
}

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// It is not JSON.
    #[error("it is not JSON: {0}")]
    Json(String),
    /// Something in it is not what it must be.
    #[error("at {at}: {what}")]
    Wrong {
        /// Where, as a JSON pointer behind `#`.
        at: String,
        /// What.
        what: String,
    },
}

/// One thing in a value that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// Where in the value, as a JSON pointer; empty for the whole.
    pub at: String,
    /// The fault, in words.
    pub what: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => write!(f, "the value {}", self.what),
            at => write!(f, "{at} {}", self.what),
        }
    }
}

impl Schema {
    /// Reads a schema.
    ///
    /// Errors: it is not JSON, not a schema, or has an unknown keyword.
    pub fn read(text: &str) -> Result<Self, SchemaError> {
        let document: Value =
            serde_json::from_str(text).map_err(|error| SchemaError::Json(error.to_string()))?;
        Self::of(&document)
    }

    /// Reads a schema from a document that is JSON already.
    pub fn of(document: &Value) -> Result<Self, SchemaError> {
        let (root, referred) = read::document(document)?;
        Ok(Self { root, referred })
    }

    /// All that does not fit, in the order of the schema. Of several alternatives the one that fits best is named.
    pub fn check(&self, value: &Value) -> Vec<Misfit> {
        check::Check::new(&self.referred).of(&self.root, value)
    }
}

#[cfg(test)]
mod tests;
