//! `${NAME}` and `${NAME:-DEFAULT}` in an entry, as people know them from other programs.

use std::collections::BTreeMap;

/// The variables that an entry may name.
#[derive(Debug, Clone, Default)]
pub struct Variables(BTreeMap<String, String>);

impl Variables {
    /// These, with their values.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// The text with each variable replaced. A `$` without a brace stays as it is.
    ///
    /// # Errors
    ///
    /// The name of a variable that is not set, and for which the text has no default.
    pub fn expand(&self, text: &str) -> Result<String, String> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            expanded.push_str(before);
            let Some((inner, after)) = behind.split_once('}') else {
                expanded.push_str("${");
                rest = behind;
                continue;
            };
            let (name, default) = match inner.split_once(":-") {
                Some((name, default)) => (name, Some(default)),
                None => (inner, None),
            };
            // A default also stands for a variable that is empty, as in a shell.
            let value = self.0.get(name).map(String::as_str);
            let value = value.filter(|value| default.is_none() || !value.is_empty());
            expanded.push_str(value.or(default).ok_or_else(|| name.to_owned())?);
            rest = after;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_as_people_know_it() {
        let pairs = [("TOKEN", "t0"), ("EMPTY", ""), ("A", "${TOKEN}")];
        let variables = Variables::new(pairs.map(|(name, value)| (name.into(), value.into())));
        for (text, expanded) in [
            ("Bearer ${TOKEN}", Ok("Bearer t0")),
            ("${TOKEN}${TOKEN}", Ok("t0t0")),
            ("${NONE:-x}/${EMPTY:-y}/${EMPTY}", Ok("x/y/")),
            ("${NONE:-}", Ok("")),
            // What a variable holds is not read again.
            ("${A}", Ok("${TOKEN}")),
            ("$TOKEN ${open", Ok("$TOKEN ${open")),
            ("${NONE}", Err("NONE")),
            ("${}", Err("")),
        ] {
            let found = variables.expand(text);
            let found = found.as_deref().map_err(String::as_str);
            assert_eq!(found, expanded, "{text}");
        }
    }
}
