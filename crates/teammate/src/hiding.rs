//! Hides the secrets that the program holds in what is given to others, also where they are encoded, and tells what was hidden
//! where. A secret that the program does not hold is not known here.

mod forms;

use std::{borrow::Cow, collections::BTreeSet};

use teammate_core::secrets::Secrets;

pub use self::forms::Encoding;
use self::forms::Form;

/// Hides secrets in one text after the other.
#[derive(Debug)]
pub struct SecretHider {
    /// The longest first: one may be part of another.
    forms: Vec<Form>,
    hidden: BTreeSet<Hiding>,
}

/// One secret that was hidden in one place, however often.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hiding {
    /// In which place, as it was named.
    pub place: String,
    /// The text in its place: `[secret OPENAI_API_KEY]`.
    pub shown: String,
    /// How it was written.
    pub encoding: Encoding,
}

impl SecretHider {
    pub(crate) fn new(secrets: &Secrets) -> Self {
        let mut forms: Vec<Form> = secrets.all().iter().flat_map(Form::all).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.text.len()));
        Self {
            forms,
            hidden: BTreeSet::new(),
        }
    }

    /// The text with the name of each secret in its place; what was hidden is kept as hidden in `place`.
    pub fn hide<'a>(&mut self, place: &str, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for form in &self.forms {
            if !text.contains(&form.text) {
                continue;
            }
            self.hidden.insert(Hiding {
                place: place.to_owned(),
                shown: form.shown.clone(),
                encoding: form.encoding,
            });
            text = Cow::Owned(text.replace(&form.text, &form.shown));
        }
        text
    }

    /// All that was hidden, by place.
    pub fn hidden(&self) -> impl Iterator<Item = &Hiding> {
        self.hidden.iter()
    }

    /// A secret that is in the text, also where blanks and line breaks are between its letters: what stands in its place, and how
    /// it is written.
    pub fn stays_in(&self, text: &str) -> Option<(&str, Encoding)> {
        let squeezed = without_blanks(text);
        let is_in =
            |form: &&Form| text.contains(&form.text) || squeezed.contains(&form.without_blanks);
        let found = self.forms.iter().find(is_in)?;
        Some((&found.shown, found.encoding))
    }
}

/// Blanks and line breaks are no part of it.
fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hider() -> SecretHider {
        let named = [("KEY", "sk-abc/def+ghi"), ("ODD", "p\"w&d 1234")];
        let named = named.map(|(name, text)| (name.to_owned(), text.to_owned()));
        SecretHider::new(&Secrets::new(named))
    }

    #[test]
    fn a_secret_is_hidden_however_it_is_written() {
        for (text, hidden) in [
            ("a sk-abc/def+ghi b", "a [secret KEY] b"),
            ("?k=sk-abc%2Fdef%2Bghi&x", "?k=[secret KEY]&x"),
            ("?k=sk-abc%2fdef%2bghi&x", "?k=[secret KEY]&x"),
            ("736b2d6162632f6465662b676869", "[secret KEY]"),
            ("736B2D6162632F6465662B676869", "[secret KEY]"),
            (r#"{"a":"p\"w&d 1234"}"#, r#"{"a":"[secret ODD]"}"#),
            ("p&quot;w&amp;d 1234", "[secret ODD]"),
            ("sk-abc/def", "sk-abc/def"),
        ] {
            assert_eq!(hider().hide("here", text), hidden, "{text}");
        }
    }

    #[test]
    fn a_secret_in_base64_is_hidden_wherever_it_begins() {
        use base64::{Engine as _, engine::general_purpose as engines};
        for before in ["", "u", "me", "me:", "user:"] {
            let text = format!("{before}sk-abc/def+ghi:more");
            for engine in [&engines::STANDARD, &engines::URL_SAFE_NO_PAD] {
                let mut hider = hider();
                let hidden = hider.hide("here", &engine.encode(&text)).into_owned();
                assert!(hidden.contains("[secret KEY]"), "{text}: {hidden}");
                assert_eq!(hider.stays_in(&hidden), None);
                let told: Vec<&Hiding> = hider.hidden().collect();
                assert_eq!(told.len(), 1, "{told:?}");
                assert_eq!(told[0].encoding, Encoding::Base64);
            }
        }
    }

    #[test]
    fn a_secret_over_several_lines_stays_and_is_seen() {
        let mut hider = hider();
        let text = "sk-abc/\n  def+ghi";
        assert_eq!(hider.hide("here", text), text);
        let stays = hider.stays_in(text);
        assert_eq!(stays, Some(("[secret KEY]", Encoding::Plain)));
        assert_eq!(hider.stays_in("sk-abc/ def"), None);
    }
}
