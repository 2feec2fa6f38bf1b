//! Seals: what proves that a line of mail was written by the program, for this user and this team.
//!
//! A seal is a keyed hash over the very bytes of the line, so there is no second form of a message that could be read in
//! another way. It says who wrote, not what is true. Where the key is kept is for others to say; here it is only used.

use std::{fmt, sync::OnceLock};

use ring::hmac::{HMAC_SHA256, Key, sign, verify};
use uuid::Uuid;

/// How long a key is, in bytes.
pub const KEY_BYTES: usize = 32;

/// What a seal is about, so that the key can seal other things one day.
const ABOUT: &[u8] = b"teammate mail 1\n";

/// How a sealed line goes on where the line without a seal ends.
const BEFORE: &str = ",\"seal\":\"";
const AFTER: &str = "\"}";

/// Seals lines of mail and knows its own seals again.
pub struct Seal {
    key: Key,
    team: OnceLock<Uuid>,
}

impl Seal {
    /// Seals with this key.
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self {
            key: Key::new(HMAC_SHA256, key),
            team: OnceLock::new(),
        }
    }

    /// From now on it seals for this team, and knows no other's seals. Before, it is that of no team. Only the first team
    /// counts.
    pub fn belongs_to(&self, team: Uuid) {
        self.team.get_or_init(|| team);
    }

    /// The object with its seal as the last key.
    pub(crate) fn sealed(&self, object: &str) -> String {
        let open = object.strip_suffix('}').unwrap_or(object);
        let mut line = format!("{open}{BEFORE}");
        for byte in sign(&self.key, &self.text(object)).as_ref() {
            line.push_str(&format!("{byte:02x}"));
        }
        line + AFTER
    }

    /// The object without its seal, if that is one of ours.
    pub(crate) fn opened(&self, line: &str) -> Option<String> {
        let (open, seal) = line.strip_suffix(AFTER)?.rsplit_once(BEFORE)?;
        let object = format!("{open}}}");
        verify(&self.key, &self.text(&object), &bytes(seal)?).ok()?;
        Some(object)
    }

    fn text(&self, object: &str) -> Vec<u8> {
        let team = self.team.get().copied().unwrap_or_default();
        [ABOUT, team.as_bytes(), object.as_bytes()].concat()
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").finish_non_exhaustive()
    }
}

/// The bytes of a hash in lower case hex; there is one way to write it.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_known_again_by_its_key_and_its_team_only() {
        let seal = || Seal::new(&[7; KEY_BYTES]);
        let line = seal().sealed(r#"{"from":"user"}"#);
        assert_eq!(seal().opened(&line).as_deref(), Some(r#"{"from":"user"}"#));
        assert_eq!(Seal::new(&[8; KEY_BYTES]).opened(&line), None);
        let other = seal();
        other.belongs_to(Uuid::from_u128(1));
        assert_eq!(other.opened(&line), None);
        assert_eq!(seal().opened(&line.replace("user", "lead")), None);
        assert_eq!(seal().opened(&line.to_uppercase()), None);
        assert_eq!(seal().opened(r#"{"from":"user"}"#), None);
        assert_eq!(seal().opened(r#"{"from":"user","seal":""}"#), None);
    }
}
