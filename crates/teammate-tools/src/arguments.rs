//! Arguments as models write them, read into what they mean. What does not fit is an error with the reason, before anything
//! is done.

use std::{borrow::Cow, collections::BTreeSet, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, IntoDeserializer as _},
};
use teammate_core::{board::TaskId, tool::Outcome};

mod known;

pub use known::{KnownArguments, names_read};

/// Up to here a number of milliseconds might be meant in seconds, as our own arguments are.
const UNCLEAR_MAX: u64 = 3_600;

/// A text that may be left out. Models write null or an empty text for that, too.
#[derive(Debug, Clone)]
pub(crate) struct Given<T>(pub(crate) Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let text = text.filter(|text| !text.trim().is_empty());
        let value = text.map(|text| T::deserialize(text.into_deserializer()));
        value.transpose().map(Self)
    }
}

/// A text that is parsed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parsed<T>(pub(crate) T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A task's number: `3`, `"3"` or `"#3"`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskNumber(pub(crate) TaskId);

impl<'de> Deserialize<'de> for TaskNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u32),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A time as other programs' tools take it, in milliseconds; ours take seconds. One that may be meant in seconds is refused, as
/// a limit must not be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Milliseconds(u64);

impl Milliseconds {
    /// Whole seconds, none of it lost.
    pub(crate) fn seconds(self) -> u64 {
        self.0.div_ceil(1_000)
    }
}

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // No schema names it, so that it comes as it was written.
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Whole(u64),
            Fraction(f64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Whole(number) => number.to_string(),
            Written::Fraction(number) => number.to_string(),
            Written::Text(text) => text,
        };
        let whole = text.trim().parse::<u64>();
        match whole.map_err(|_| {
            D::Error::custom(format!("timeout is {text} and must be a whole number"))
        })? {
            given @ ..=UNCLEAR_MAX => Err(D::Error::custom(format!(
                "timeout {given} may be milliseconds or seconds; give timeout_seconds instead"
            ))),
            given => Ok(Self(given)),
        }
    }
}

/// The shorter of two limits, each of which may be absent.
pub(crate) fn shorter(seconds: Option<u64>, timeout: Option<Milliseconds>) -> Option<u64> {
    let timeout = timeout.map(Milliseconds::seconds);
    seconds.into_iter().chain(timeout).min()
}

/// The tasks with these numbers.
pub(crate) fn ids(numbers: &[TaskNumber]) -> BTreeSet<TaskId> {
    numbers.iter().map(|number| number.0).collect()
}

/// Refuses an argument that says nothing; `why` is the sentence for the model.
pub(crate) fn require(text: &str, why: &str) -> Result<(), Outcome> {
    if text.trim().is_empty() {
        Err(Outcome::error(why))
    } else {
        Ok(())
    }
}

macro_rules! shown_as {
    ($word:literal, [$($param:ident)?], $type:ty) => {
        impl<$($param)?> JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": $word })
            }
        }
    };
}

shown_as!("string", [T], Given<T>);
shown_as!("string", [T], Parsed<T>);
shown_as!("integer", [], TaskNumber);

#[cfg(test)]
mod tests {
    use teammate_core::model::ModelRef;

    use super::*;

    #[test]
    fn what_is_left_out_may_be_empty_or_null() {
        let read = serde_json::from_str::<Given<ModelRef>>;
        for text in ["null", "\"\"", "\" \""] {
            assert!(read(text).unwrap().0.is_none(), "{text}");
        }
        assert!(read("\"openai:x\"").unwrap().0.is_some());
        let wrong = read("\"gpt\"").unwrap_err().to_string();
        assert!(wrong.contains("PROVIDER:NAME"), "{wrong}");
    }

    #[test]
    fn a_task_is_a_number_however_it_is_written() {
        for text in ["3", "\"3\"", "\"#3\""] {
            let number: TaskNumber = serde_json::from_str(text).unwrap();
            assert_eq!(number.0, TaskId::new(3), "{text}");
        }
        for text in ["0", "-1", "\"three\"", "null"] {
            assert!(serde_json::from_str::<TaskNumber>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_of_another_program_becomes_seconds_unless_it_may_be_some() {
        let read = serde_json::from_str::<Milliseconds>;
        for (text, seconds) in [("120000", 120), ("3601", 4), ("600001", 601)] {
            assert_eq!(read(text).unwrap().seconds(), seconds, "{text}");
        }
        for text in ["120000.0", "\"120000\""] {
            assert_eq!(read(text).unwrap().seconds(), 120, "{text}");
        }
        assert!(read("120000.5").is_err() && read("\"soon\"").is_err());
        for text in ["0", "30", "3600"] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains("give timeout_seconds"), "{refused}");
        }
        let timeout = Some(read("5000").unwrap());
        assert_eq!(shorter(Some(3), timeout), Some(3));
        assert_eq!(shorter(Some(9), timeout), Some(5));
        assert_eq!(
            (shorter(None, timeout), shorter(None, None)),
            (Some(5), None)
        );
    }
}
