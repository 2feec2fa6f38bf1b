//! Secrets that the program holds, and how they are kept out of whatever is written down or shown: each is known by its very
//! text and replaced by its name. What the program does not hold is not known here.

use std::{borrow::Cow, fmt};

use crate::tool::Outcome;

mod reply;
mod streamed;

pub use streamed::Streamed;

/// Shorter ones are too much like ordinary words.
const BYTES_MIN: usize = 8;

/// The secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(Vec<Secret>);

#[derive(Clone, PartialEq, Eq)]
struct Secret {
    text: String,
    shown: String,
}

impl Secrets {
    /// Secrets by name. Those with less than eight bytes are left out.
    pub fn new(named: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut secrets: Vec<Secret> = named
            .into_iter()
            .map(|(name, text)| Secret {
                text: text.trim().to_owned(),
                shown: format!("[secret {name}]"),
            })
            .filter(|secret| secret.text.len() >= BYTES_MIN)
            .collect();
        // One may be part of another. Of two names for the same the first stays.
        secrets.sort_by(|a, b| (b.text.len(), &a.text).cmp(&(a.text.len(), &b.text)));
        secrets.dedup_by(|a, b| a.text == b.text);
        Self(secrets)
    }

    /// Each with its placeholder, the longest first.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|secret| (&*secret.text, &*secret.shown))
    }

    /// The text with the name of each secret in its place.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            if text.contains(&secret.text) {
                text = Cow::Owned(text.replace(&secret.text, &secret.shown));
            }
        }
        text
    }

    /// The same for an outcome's texts.
    pub fn redact_outcome(&self, outcome: &mut Outcome) {
        outcome.each_text(|text| {
            if let Cow::Owned(hidden) = self.redact(text) {
                *text = hidden;
            }
        });
    }

    /// A placeholder of a secret in the text, if there is one: writing it to a file would destroy the secret.
    pub fn placeholder_in<'a>(&'a self, text: &str) -> Option<&'a str> {
        let mut shown = self.0.iter().map(|secret| &*secret.shown);
        shown.find(|shown| text.contains(shown))
    }
}

/// Names only.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|secret| &secret.shown))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        let named = [
            ("A", "sk-abcdefgh"),
            ("B", "sk-abcdefgh-longer"),
            ("SHORT", "1234567"),
            ("AGAIN", " sk-abcdefgh\n"),
        ];
        Secrets::new(named.map(|(name, text)| (name.to_owned(), text.to_owned())))
    }

    #[test]
    fn a_secret_is_replaced_by_its_name_and_a_part_of_one_does_not_show_the_rest() {
        assert_eq!(
            secrets().redact("a sk-abcdefgh b sk-abcdefgh-longer c 1234567"),
            "a [secret A] b [secret B] c 1234567"
        );
        assert!(matches!(secrets().redact("nothing"), Cow::Borrowed(_)));
        assert_eq!(
            format!("{:?}", secrets()),
            "[\"[secret B]\", \"[secret A]\"]"
        );
        assert_eq!(
            secrets().placeholder_in("KEY=[secret B]"),
            Some("[secret B]")
        );
        assert_eq!(secrets().placeholder_in("KEY=[secret C]"), None);
    }

    #[test]
    fn of_an_outcome_every_text_is_cleaned() {
        let mut outcome = Outcome::error("key sk-abcdefgh");
        secrets().redact_outcome(&mut outcome);
        assert_eq!(outcome, Outcome::error("key [secret A]"));
    }
}
