//! Secrets that the program holds, and how they are kept out of whatever is written down or shown: each is known by its very
//! text and replaced by its name. What the program does not hold is not known here.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock, RwLock},
};

use serde::{Deserialize, Serialize};

use crate::{lock::HoldRw, tool::Outcome};

mod reply;
mod streamed;

pub use streamed::Streamed;

/// Shorter ones are too much like ordinary words.
const BYTES_MIN: usize = 8;

/// The secrets. More can be learned while they are in use, by all who hold them; none is forgotten.
#[derive(Default)]
pub struct Secrets {
    /// Has no bound: what the program holds, and each key that a provider's command printed since, which is one in minutes.
    known: RwLock<Arc<Vec<Secret>>>,
    others: OnceLock<Arc<dyn OthersSecrets>>,
}

/// Secrets that other processes of the user hold. They are found in a text without being known here.
pub trait OthersSecrets: Send + Sync {
    /// Those that this text has, by name.
    fn found_in(&self, text: &str) -> Vec<(String, String)>;

    /// This process has obtained a secret, which others have to find from now on.
    fn obtained(&self, name: &str, text: &str);
}

/// One of them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
    shown: String,
}

impl Secret {
    /// Its very text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The placeholder in its place.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

/// A name that the user chose has a secret in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("'{shown}' is no name of a {what}: a secret is in it")]
pub struct SecretInName {
    /// The kind of thing that was to be named.
    what: String,
    /// The name, without the secret.
    shown: String,
}

impl Secrets {
    /// Secrets by name. Those with less than eight bytes are left out.
    pub fn new(named: impl IntoIterator<Item = (String, String)>) -> Self {
        let secrets = Self::default();
        secrets.learn(named);
        secrets
    }

    /// Adds secrets by name. Of two names for the same the first stays.
    pub fn learn(&self, named: impl IntoIterator<Item = (String, String)>) {
        let learned = named
            .into_iter()
            .map(|(name, text)| Secret {
                text: text.trim().to_owned(),
                shown: format!("[secret {name}]"),
            })
            .filter(|secret| secret.text.len() >= BYTES_MIN);
        let mut known = self.known.hold_write();
        let mut all: Vec<Secret> = known.iter().cloned().chain(learned).collect();
        // One may be part of another.
        all.sort_by(|a, b| (b.text.len(), &a.text).cmp(&(a.text.len(), &b.text)));
        all.dedup_by(|a, b| a.text == b.text);
        *known = Arc::new(all);
    }

    /// Finds those of other processes, too, from now on. Only the first call counts.
    pub fn ask(&self, others: Arc<dyn OthersSecrets>) {
        let _ = self.others.set(others);
    }

    /// Adds one that was obtained just now, which nobody else can know.
    pub fn obtained(&self, name: String, text: String) {
        if let Some(others) = self.others.get() {
            others.obtained(&name, text.trim());
        }
        self.learn([(name, text)]);
    }

    /// Those that are known now, the longest first.
    pub fn all(&self) -> Arc<Vec<Secret>> {
        self.known.hold_read().clone()
    }

    /// The text with the name of each secret in its place.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if let Some(others) = self.others.get() {
            let found = others.found_in(text);
            if !found.is_empty() {
                self.learn(found);
            }
        }
        let mut text = Cow::Borrowed(text);
        for secret in self.all().iter() {
            if text.contains(&secret.text) {
                text = Cow::Owned(text.replace(&secret.text, &secret.shown));
            }
        }
        text
    }

    /// How many bytes at the end of `bytes` may be the beginning of a secret.
    pub fn beginning_at_end(&self, bytes: &[u8]) -> usize {
        let of_one = |secret: &Secret| {
            let secret = secret.text.as_bytes();
            let longest = bytes.len().min(secret.len() - 1);
            let mut lengths = (1..=longest).rev();
            lengths.find(|length| bytes.ends_with(&secret[..*length]))
        };
        self.all().iter().filter_map(of_one).max().unwrap_or(0)
    }

    /// Hides the secrets of a text in place.
    pub fn hide(&self, text: &mut String) {
        if let Cow::Owned(hidden) = self.redact(text) {
            *text = hidden;
        }
    }

    /// Hides the secrets in an outcome's texts and in the change that it shows.
    pub fn redact_outcome(&self, outcome: &mut Outcome) {
        outcome.each_text(|text| self.hide(text));
        if let Some(change) = &mut outcome.change {
            change.path = self.redact(&change.path).into_owned();
            change.diff = self.redact(&change.diff).into_owned();
        }
        if let Some(merge) = &mut outcome.merge {
            for file in &mut merge.conflicts {
                *file = self.redact(file).into_owned();
            }
        }
    }

    /// Refuses a name of something with a secret in it: names are written down and shown as they are.
    pub fn require_none_in(&self, what: &str, name: &str) -> Result<(), SecretInName> {
        match self.redact(name) {
            Cow::Borrowed(_) => Ok(()),
            Cow::Owned(shown) => Err(SecretInName {
                what: what.to_owned(),
                shown,
            }),
        }
    }

    /// A placeholder of a secret in the text, if there is one: writing it to a file would destroy the secret.
    pub fn placeholder_in(&self, text: &str) -> Option<String> {
        let known = self.all();
        let mut shown = known.iter().map(|secret| &secret.shown);
        shown.find(|shown| text.contains(*shown)).cloned()
    }
}

/// Names only.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.all().iter().map(|secret| &secret.shown))
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
            Some("[secret B]".to_owned())
        );
        assert_eq!(secrets().placeholder_in("KEY=[secret C]"), None);
    }

    #[test]
    fn what_is_learned_is_hidden_from_then_on_besides_what_was_known() {
        let secrets = secrets();
        let learned = [
            ("KEY", "token-old"),
            ("KEY", "token-new"),
            ("OTHER", "sk-abcdefgh"),
        ];
        for (name, text) in learned {
            secrets.learn([(name.to_owned(), text.to_owned())]);
        }
        assert_eq!(
            secrets.redact("token-new token-old sk-abcdefgh sk-abcdefgh-longer"),
            "[secret KEY] [secret KEY] [secret A] [secret B]"
        );
    }

    /// A place that all processes look at.
    #[derive(Default)]
    struct Others(std::sync::Mutex<Vec<(String, String)>>);

    impl OthersSecrets for Others {
        fn found_in(&self, text: &str) -> Vec<(String, String)> {
            let held = self.0.lock().unwrap();
            let found = held.iter().filter(|(_, secret)| text.contains(secret));
            found.cloned().collect()
        }

        fn obtained(&self, name: &str, text: &str) {
            let mut held = self.0.lock().unwrap();
            held.push((name.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn what_another_process_has_obtained_is_found_and_hidden() {
        let others = Arc::new(Others::default());
        let (host, guest) = (Secrets::default(), Secrets::default());
        host.ask(others.clone());
        guest.ask(others);
        host.obtained("KEY".to_owned(), "token-of-the-host\n".to_owned());
        for secrets in [host, guest] {
            let hidden = secrets.redact("use token-of-the-host").into_owned();
            assert_eq!(hidden, "use [secret KEY]");
        }
    }

    #[test]
    fn of_an_outcome_every_text_is_cleaned() {
        let mut outcome = Outcome::error("key sk-abcdefgh");
        secrets().redact_outcome(&mut outcome);
        assert_eq!(outcome, Outcome::error("key [secret A]"));
    }
}
