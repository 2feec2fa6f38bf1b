//! Keys of files that other programs read, too: what each means here. One that could have limited something and does not, or is one
//! that is read, misspelt, is an error, so that nobody relies on it; what only adds is passed over with a remark. Each kind of file
//! has its own list; the rule is the same for all.

use crate::name::{edit_distance, slips_max};

/// The longest key that is repeated, in characters.
const KEY_CHARS_MAX: usize = 40;

/// How many slips a misspelt key has at most: keys of other programs are often near to each other.
const KEY_SLIPS_MAX: usize = 2;

/// The keys of a kind of file.
#[derive(Debug, Clone, Copy)]
pub struct KnownKeys {
    pub read: &'static [&'static str],
    /// Those that would limit what is done, and do not here, with what does it in their place; empty if nothing does.
    pub limits: &'static [(&'static str, &'static str)],
    /// Those that are for people and catalogues, and need no word.
    pub silent: &'static [&'static str],
}

/// The meaning of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyMeaning {
    /// It is read, or nobody need know of it.
    Fine,
    /// It would limit what is done, which this does here; empty if nothing does.
    Limits(&'static str),
    /// It is probably this one, misspelt.
    Misspelt(&'static str),
    /// It means nothing here.
    Nothing,
}

impl KnownKeys {
    /// Looks the meaning of a key up.
    pub fn meaning(&self, key: &str) -> KeyMeaning {
        if self.read.contains(&key) || self.silent.contains(&key) {
            return KeyMeaning::Fine;
        }
        if let Some((_, instead)) = self.limits.iter().find(|(limit, _)| *limit == key) {
            return KeyMeaning::Limits(instead);
        }
        let slips = |known: &&'static str| edit_distance(key, known);
        let limits = self.limits.iter().map(|(limit, _)| *limit);
        let near = self.read.iter().copied().chain(limits).min_by_key(slips);
        match near {
            Some(near)
                if slips(&near) <= slips_max(key.len().min(near.len())).min(KEY_SLIPS_MAX) =>
            {
                KeyMeaning::Misspelt(near)
            }
            Some(_) | None => KeyMeaning::Nothing,
        }
    }

    /// Looks at all keys of an object. Each comes with whether its value says anything: what is false or empty limits nothing.
    /// Returns remarks about those that mean nothing here.
    ///
    /// # Errors
    ///
    /// What the object says that it must not.
    pub fn check<'a>(
        &self,
        keys: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Result<Vec<String>, String> {
        let mut remarks = Vec::new();
        for (key, says_anything) in keys {
            let shown: String = key.chars().take(KEY_CHARS_MAX).collect();
            match self.meaning(key) {
                KeyMeaning::Fine => {}
                KeyMeaning::Limits(_) if !says_anything => {}
                KeyMeaning::Limits(instead) => {
                    let what = format!("says '{shown}', which would limit it and is not supported");
                    return Err(match instead.is_empty() {
                        true => format!("{what}; known are: {}", self.read.join(", ")),
                        false => format!("{what}: {instead}"),
                    });
                }
                KeyMeaning::Misspelt(near) => {
                    return Err(format!("says '{shown}'; did you mean '{near}'?"));
                }
                KeyMeaning::Nothing => {
                    remarks.push(format!("'{shown}' has no meaning here and is passed over"));
                }
            }
        }
        Ok(remarks)
    }

    /// Checks the keys of an object of JSON.
    ///
    /// # Errors
    ///
    /// As for [`check`](Self::check).
    pub fn check_json<'a>(
        &self,
        object: impl IntoIterator<Item = (&'a String, &'a serde_json::Value)>,
    ) -> Result<Vec<String>, String> {
        let keys = object.into_iter();
        self.check(keys.map(|(key, value)| (key.as_str(), says_anything(value))))
    }
}

/// Whether a value says anything: not if it is null, false or empty.
pub fn says_anything(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) | Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(all) => !all.is_empty(),
        Value::Object(all) => !all.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KEYS: KnownKeys = KnownKeys {
        read: &["command", "tools"],
        limits: &[("readonly", ""), ("timeout", "write `timeout_s`")],
        silent: &["author"],
    };

    #[test]
    fn what_limits_or_is_misspelt_is_an_error_and_what_adds_a_remark() {
        let checked = |object: serde_json::Value| KEYS.check_json(object.as_object().unwrap());
        for (object, said) in [
            (
                json!({"readonly": true}),
                "says 'readonly', which would limit it and is not supported; known are: command, tools",
            ),
            (
                json!({"timeout": 3}),
                "says 'timeout', which would limit it and is not supported: write `timeout_s`",
            ),
            (
                json!({"commnad": "x"}),
                "says 'commnad'; did you mean 'command'?",
            ),
            (
                json!({"read_only": false}),
                "says 'read_only'; did you mean 'readonly'?",
            ),
        ] {
            assert_eq!(checked(object), Err(said.to_owned()));
        }
        for object in [
            json!({"command": "x", "author": "y", "tools": []}),
            json!({"readonly": false, "timeout": null}),
        ] {
            assert_eq!(checked(object), Ok(Vec::new()));
        }
        let remarks = checked(json!({"extra": 1})).unwrap();
        assert_eq!(remarks, ["'extra' has no meaning here and is passed over"]);
    }
}
