//! `--settings`: what of that program's settings means something here.

mod sandbox;

use serde_json::{Map, Value};

use super::words::values;

/// Flags of ours, or why there are none.
type Made = Result<Vec<String>, String>;

/// What is made of settings in a file or as JSON.
///
/// Errors: a setting that is not done here.
pub(super) fn flags(value: &str) -> Made {
    let text = match value.trim_start().starts_with('{') {
        true => value.to_owned(),
        false => std::fs::read_to_string(value)
            .map_err(|error| format!("{value} cannot be read: {error}"))?,
    };
    let written: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut flags = Vec::new();
    for (name, value) in &written {
        match (name.as_str(), value) {
            ("$schema", _) => {}
            ("model", Value::String(word)) => flags.extend(values::model_flag(word)?),
            ("permissions", Value::Object(permissions)) => {
                flags.extend(of_permissions(permissions)?);
            }
            ("sandbox", Value::Object(sandbox)) => flags.extend(sandbox::flags(sandbox)?),
            _ => {
                return Err(format!(
                    "the setting {name} is not used here; leave it out, and look for its like in docs/configuration.md"
                ));
            }
        }
    }
    Ok(flags)
}

fn of_permissions(permissions: &Map<String, Value>) -> Made {
    let mut flags = Vec::new();
    for (name, value) in permissions {
        match (name.as_str(), value) {
            ("allow", Value::Array(rules)) => {
                flags.extend(texts(rules).map(|rule| format!("--allow={rule}")));
            }
            ("deny", Value::Array(rules)) => {
                flags.extend(texts(rules).map(|rule| format!("--deny={rule}")));
            }
            ("ask", Value::Array(rules)) if rules.is_empty() => {}
            ("additionalDirectories", Value::Array(paths)) => {
                for path in texts(paths) {
                    flags.extend(values::add_dir(path)?);
                }
            }
            ("defaultMode", Value::String(word)) => flags.extend(values::mode(word)?),
            _ => {
                return Err(format!(
                    "permissions.{name} is not used here; there are allow, deny, additionalDirectories and defaultMode"
                ));
            }
        }
    }
    Ok(flags)
}

fn texts(all: &[Value]) -> impl Iterator<Item = &str> {
    all.iter().filter_map(Value::as_str)
}
