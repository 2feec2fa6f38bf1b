//! Builds a tool's [`ToolSpec`] from the two files beside its code.

use serde_json::value::RawValue;
use teammate_core::tool::{EffectClass, ToolSpec};

/// The spec of the tool `name`. White space is taken out of the schema, in the order it is written in, so that its
/// bytes never change while the file does not.
pub(crate) fn build(
    name: &'static str,
    description: &'static str,
    schema: &'static str,
    class: EffectClass,
) -> ToolSpec {
    let value: serde_json::Value =
        serde_json::from_str(schema).expect("schemas are files of this crate, all read by a test");
    let schema = RawValue::from_string(value.to_string()).expect("a value's text is JSON");
    ToolSpec {
        name: name.into(),
        description: description.trim_ascii().into(),
        schema,
        class,
    }
}

/// The spec of the tool whose `.md` and `.json` files have its name and lie beside the calling file.
macro_rules! spec {
    ($name:literal, $class:expr) => {
        $crate::spec::build(
            $name,
            include_str!(concat!($name, ".md")),
            include_str!(concat!($name, ".json")),
            $class,
        )
    };
}
pub(crate) use spec;

/// The first line of `text`, at most `max` characters, for a line on a screen.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let whole = line.len() == text.trim().len() && line.chars().count() <= max;
    let mut short: String = line.chars().take(max).collect();
    if !whole {
        short.push_str("...");
    }
    short
}
