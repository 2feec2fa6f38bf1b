//! Names of members, parsed once at the edge. A name that exists is safe to join to a path.

use std::{borrow::Borrow, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    fence::{QUOTED_MAX, quoted},
    parsed_text,
};

mod member_shape;
mod other_names;

use member_shape::has_member_shape;
pub use other_names::{
    AGENT_PROVIDER, AgentName, AgentNameError, DeviceName, DeviceNameError, GroupName,
    GroupNameError, WorkerName, WorkerNameError,
};

/// The most bytes of a name that is ASCII alone.
const NAME_BYTES_MAX: usize = 32;

/// Words that address something other than one teammate, so no teammate may carry them.
pub const RESERVED: [&str; 4] = ["lead", "user", "all", "system"];

/// The word in the place of a sender's name on mail that nobody proved to have written.
pub const UNVERIFIED: &str = "unverified";

/// Words that the harness writes where a member's name could stand: a teammate of that name would be taken for one of these. None
/// is spawned; one that a team already has is still read.
pub const MARKS: [&str; 3] = [UNVERIFIED, "memory", "nobody"];

/// The name of a member of the team: `lead`, or a teammate's: at most 32 small letters and digits of any script, `-` and `_`,
/// with a letter or digit first. Letters that look like Latin ones do not stand beside Latin ones.
///
/// Cheap to clone. Because it can only be made by parsing, it is always a single harmless path component of at most 128 bytes, and
/// one token of a subject.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemberName(Arc<str>);

impl MemberName {
    /// The one member that is always there.
    pub fn lead() -> Self {
        Self("lead".into())
    }

    /// Parses the name of any member that there may be, the lead included.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        if text == "lead" {
            return Ok(Self::lead());
        }
        if RESERVED.contains(&text) {
            return Err(NameError::Reserved(text.to_owned()));
        }
        if has_member_shape(text) {
            Ok(Self(text.into()))
        } else {
            Err(NameError::Shape(quoted_start(text)))
        }
    }

    /// Parses a name a teammate may be given; reserved words and marks are refused.
    pub fn teammate(text: &str) -> Result<Self, NameError> {
        if text == "lead" || MARKS.contains(&text) {
            return Err(NameError::Reserved(text.to_owned()));
        }
        Self::parse(text)
    }

    /// Whether this is the lead.
    pub fn is_lead(&self) -> bool {
        &*self.0 == "lead"
    }
}

parsed_text!(MemberName, NameError);

/// Why a text is not a member's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("'{0}' is reserved ({list}); choose another name", list = [&RESERVED[..], &MARKS].concat().join(", "))]
    Reserved(String),
    #[error(
        "'{0}' is not a member's name: use 1-32 small letters and digits, '-' and '_', starting with a letter or digit"
    )]
    Shape(String),
}

/// Whether a text is `[a-z0-9][a-z0-9_-]{0,31}`.
fn has_name_shape(text: &str) -> bool {
    let is_first = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.len() <= NAME_BYTES_MAX
        && text.bytes().next().is_some_and(is_first)
        && text.bytes().all(|b| is_first(b) || b == b'_' || b == b'-')
}

/// A refused name, short and without anything a terminal would obey.
fn quoted_start(text: &str) -> String {
    let mut short = quoted(text);
    if text.chars().count() > QUOTED_MAX {
        short.push_str("...");
    }
    short
}

impl Borrow<str> for MemberName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// How often a member has been spawned. Mail, claims and requests carry it, so that what was meant for an
/// earlier incarnation never touches a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Incarnation(pub u32);

impl Incarnation {
    /// The first incarnation.
    pub const FIRST: Self = Self(1);

    /// The next incarnation.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name in `known` that was probably meant by `text`, for "did you mean".
pub fn nearest<'a>(
    text: &str,
    known: impl Iterator<Item = &'a MemberName>,
) -> Option<&'a MemberName> {
    known
        .map(|name| (edit_distance(text, name.as_str()), name))
        .filter(|(distance, name)| {
            let name = name.as_str();
            *distance <= slips_max(text.len().min(name.len())) || has_same_letters(text, name)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Whether two words are the same but for the order of their letters, letter case aside: fingers that came too early.
fn has_same_letters(a: &str, b: &str) -> bool {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text
            .to_lowercase()
            .chars()
            .take(COMPARED_CHARS_MAX)
            .collect();
        letters.sort_unstable();
        letters
    };
    letters(a) == letters(b)
}

/// How many slips of the hand a word of so many characters may have.
pub fn slips_max(length: usize) -> usize {
    ((length + 1) / 3).max(1)
}

/// The most characters that [`edit_distance`] looks at.
const COMPARED_CHARS_MAX: usize = 256;

/// Levenshtein distance in characters, letter case aside: how far a slip of the hand is from what was meant. Texts are
/// short, so the simple table will do; what is beyond 256 characters is not looked at.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(COMPARED_CHARS_MAX).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(COMPARED_CHARS_MAX).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = usize::from(x.to_lowercase().ne(y.to_lowercase()));
            let next = (corner + cost).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_is_near_is_meant() {
        let known = ["lead", "alice", "bob"].map(|name| MemberName::parse(name).unwrap());
        for (typed, meant) in [
            ("alcie", Some("alice")),
            ("led", Some("lead")),
            ("Lead", Some("lead")),
            ("bo", Some("bob")),
            ("zed", None),
            ("carol", None),
            ("", None),
        ] {
            let found = nearest(typed, known.iter()).map(MemberName::as_str);
            assert_eq!(found, meant, "{typed}");
        }
    }

    #[test]
    fn names_that_are_refused() {
        let long = "a".repeat(300);
        for bad in [
            "", "../x", "a/b", "Alice", "аlice", "-a", "_a", "a b", "a\n", ".", "a.b", &long,
        ] {
            assert!(
                matches!(MemberName::parse(bad), Err(NameError::Shape(_))),
                "{bad:?}"
            );
        }
        for word in RESERVED.iter().chain(&MARKS) {
            assert!(
                matches!(MemberName::teammate(word), Err(NameError::Reserved(_))),
                "{word}"
            );
        }
        for word in MARKS {
            assert!(
                MemberName::parse(word).is_ok(),
                "an older team may have {word}"
            );
        }
        assert!(MemberName::parse("user").is_err());
    }

    #[test]
    fn names_that_are_taken() {
        for good in ["a", "alice", "back-end_2", "0", &"a".repeat(32)] {
            assert_eq!(MemberName::teammate(good).unwrap().as_str(), good);
        }
        assert!(MemberName::parse("lead").unwrap().is_lead());
    }

    #[test]
    fn a_refused_name_is_shown_harmlessly() {
        let error = MemberName::parse("\u{1b}[2Jevil").unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let known: Vec<_> = ["alice", "bob"]
            .iter()
            .map(|n| MemberName::teammate(n).unwrap())
            .collect();
        assert_eq!(nearest("bbo", known.iter()).unwrap().as_str(), "bob");
        assert_eq!(nearest("Alise", known.iter()).unwrap().as_str(), "alice");
        assert_eq!(nearest("zebra", known.iter()), None);
    }
}
