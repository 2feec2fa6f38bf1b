//! The seal of lines: a keyed hash over a line and the log it belongs to.
//!
//! It proves who wrote a line, not that the line is true. The caller keeps the key.

use std::fmt;

use ring::hmac::{HMAC_SHA256, Key, sign, verify};
use teammate_core::port::Seal;

use crate::hex;

/// The length of a key, in bytes.
pub const KEY_BYTES: usize = 32;

/// Domain separation, so that the key can seal other things one day.
const DOMAIN: &str = "teammate log 2";

/// HMAC-SHA256 with a key that belongs to one user and one team directory.
pub struct HmacSeal(Key);

impl HmacSeal {
    /// Seals with this key.
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        Self(Key::new(HMAC_SHA256, key))
    }
}

impl Seal for HmacSeal {
    fn sign(&self, log: &str, bytes: &[u8]) -> String {
        hex::text(sign(&self.0, &covered(log, bytes)).as_ref())
    }

    fn verifies(&self, log: &str, bytes: &[u8], seal: &str) -> bool {
        hex::bytes(seal).is_some_and(|seal| verify(&self.0, &covered(log, bytes), &seal).is_ok())
    }
}

/// A log's name has no line end, so different logs or bytes never give the same input.
fn covered(log: &str, bytes: &[u8]) -> Vec<u8> {
    [DOMAIN.as_bytes(), b"\n", log.as_bytes(), b"\n", bytes].concat()
}

impl fmt::Debug for HmacSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacSeal").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_recognised_with_its_key_its_log_and_its_bytes_only() {
        let seal = HmacSeal::new(&[7; KEY_BYTES]);
        let signed = seal.sign("journal", b"{}");
        let other = HmacSeal::new(&[8; KEY_BYTES]);
        for (what, verified, expected) in [
            ("itself", seal.verifies("journal", b"{}", &signed), true),
            (
                "another key",
                other.verifies("journal", b"{}", &signed),
                false,
            ),
            (
                "another log",
                seal.verifies("inbox/bob", b"{}", &signed),
                false,
            ),
            (
                "other bytes",
                seal.verifies("journal", b"[]", &signed),
                false,
            ),
            (
                "upper case",
                seal.verifies("journal", b"{}", &signed.to_uppercase()),
                false,
            ),
            (
                "the first half",
                seal.verifies("journal", b"{}", &signed[..32]),
                false,
            ),
            ("nothing", seal.verifies("journal", b"{}", ""), false),
        ] {
            assert_eq!(verified, expected, "{what}");
        }
    }
}
