//! Which arguments a tool has, and the refusal of any other: what a model asks for and nobody reads could be a limit that does not
//! hold then. Arguments of other programs' tools are decided about one by one, in `aliases`.

use std::collections::BTreeMap;

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};
use serde_json::value::RawValue;
use teammate_core::{
    name::{edit_distance, slips_max},
    tool::{Outcome, ToolInput},
};

use crate::aliases::{ForeignArgument, foreign_argument};

/// The longest name of an argument that a refusal repeats, in characters.
const NAME_CHARS_MAX: usize = 40;
/// The most arguments that a refusal names.
const NAMES_MAX: usize = 8;

/// The names under which the fields of a struct are read, other names included. Empty for a type that is no struct, or has
/// another's fields within it: then nothing is known, and all is refused.
pub fn names_read<T: DeserializeOwned>() -> Vec<&'static str> {
    let mut names: &'static [&'static str] = &[];
    // It fails by intent, once the type has said what it looks for.
    let _ = T::deserialize(FieldNames(&mut names));
    names.to_vec()
}

/// Hands a type nothing, and notes the names of the fields that it asks for.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("the fields are known"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("not a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The arguments that a tool has, to compare a call's with.
pub struct KnownArguments<'a> {
    /// The tool's own name.
    pub tool: &'a str,
    /// Its name as the model knows it.
    pub shown_name: &'a str,
    /// Every name that is read.
    pub read: &'a [&'a str],
    /// The JSON schema that models are shown.
    pub schema: &'a RawValue,
}

impl<'a> KnownArguments<'a> {
    /// Looks at a call's arguments. One that the tool does not have passes if it says nothing or is known to limit nothing.
    ///
    /// # Errors
    ///
    /// The refusal of the call, which names the others.
    pub fn check(&self, given: &ToolInput) -> Result<(), Outcome> {
        let ToolInput::Json(given) = given else {
            return Ok(());
        };
        // What is no object is refused where it is read.
        let Ok(given) = serde_json::from_str::<BTreeMap<String, &RawValue>>(given.get()) else {
            return Ok(());
        };
        let unknown: Vec<&str> = given
            .iter()
            .filter(|(name, value)| {
                !self.read.contains(&name.as_str()) && !self.is_harmless(name, value)
            })
            .map(|(name, _)| name.as_str())
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let sentences: Vec<String> = unknown
            .iter()
            .take(NAMES_MAX)
            .map(|name| self.refusal(name))
            .collect();
        Err(Outcome::error(format!(
            "{} {} Nothing was done.",
            sentences.join(" "),
            self.list()
        )))
    }

    fn is_harmless(&self, name: &str, value: &RawValue) -> bool {
        let says_nothing = matches!(value.get(), "null" | "\"\"");
        says_nothing
            || match foreign_argument(self.tool, name) {
                Some(ForeignArgument::Harmless) => true,
                Some(ForeignArgument::HarmlessIfFalse(_)) => value.get() == "false",
                Some(ForeignArgument::Refused(_)) | None => false,
            }
    }

    fn refusal(&self, name: &str) -> String {
        let shown: String = name.chars().take(NAME_CHARS_MAX).collect();
        let what = format!("{} has no argument '{shown}'", self.shown_name);
        match foreign_argument(self.tool, name) {
            Some(ForeignArgument::Refused(why) | ForeignArgument::HarmlessIfFalse(why)) => {
                format!("{what}: {why}.")
            }
            Some(ForeignArgument::Harmless) | None => match self.nearest(name) {
                Some(near) => format!("{what}; did you mean '{near}'?"),
                None => format!("{what}."),
            },
        }
    }

    fn nearest(&self, name: &str) -> Option<&'a str> {
        let slips = |known: &&'a str| edit_distance(name, known);
        let near = self.read.iter().copied().min_by_key(slips)?;
        (slips(&near) <= slips_max(name.len().min(near.len()))).then_some(near)
    }

    /// The arguments that models are shown.
    fn list(&self) -> String {
        let schema: serde_json::Value = serde_json::from_str(self.schema.get()).unwrap_or_default();
        let properties = schema.get("properties").and_then(|all| all.as_object());
        let names: Vec<&str> = properties
            .into_iter()
            .flat_map(|all| all.keys().map(String::as_str))
            .collect();
        match names.is_empty() {
            true => "It has none.".to_owned(),
            false => format!("It has: {}.", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Input {
        #[serde(alias = "nom")]
        name: String,
        #[serde(default)]
        size: Option<u32>,
        #[serde(skip)]
        found: bool,
    }

    #[test]
    fn a_type_says_all_names_that_it_reads() {
        let mut names = names_read::<Input>();
        names.sort_unstable();
        assert_eq!(names, ["name", "nom", "size"]);
        assert!(names_read::<Vec<u32>>().is_empty());
    }

    #[test]
    fn an_argument_that_nobody_reads_is_refused_with_what_there_is() {
        let schema = r#"{"type":"object","properties":{"name":{},"size":{}}}"#;
        let schema = RawValue::from_string(schema.to_owned()).unwrap();
        let known = KnownArguments {
            tool: "bash",
            shown_name: "Bash",
            read: &names_read::<Input>(),
            schema: &schema,
        };
        let check = |json: &str| {
            let checked = known.check(&ToolInput::from_json(json.to_owned()));
            checked.map_err(|outcome| outcome.text())
        };
        for fine in [
            r#"{"name": "a", "size": 1}"#,
            r#"{"nom": "a"}"#,
            r#"{"name": "a", "isolation": null, "mode": ""}"#,
            r#"{"name": "a", "description": "why", "dangerouslyDisableSandbox": false}"#,
            "[1",
        ] {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
        let refused = check(r#"{"name": "a", "sise": 1, "zebra": {}}"#).unwrap_err();
        assert_eq!(
            refused,
            "Bash has no argument 'sise'; did you mean 'size'? Bash has no argument 'zebra'. It has: name, size. \
             Nothing was done."
        );
        let refused = check(r#"{"dangerouslyDisableSandbox": true}"#).unwrap_err();
        assert!(refused.contains("only the user"), "{refused}");
    }
}
