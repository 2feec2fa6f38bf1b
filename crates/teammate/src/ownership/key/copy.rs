//! The second copy of the user's key, with a digest that tells whether it is whole.

use std::{fs, io, path::Path};

use ring::digest::{SHA256, digest};
use teammate_store::{disk::read_regular, seal::KEY_BYTES};

/// Its file beside the key.
const FILE: &str = "mail.key.copy";

/// How much of the digest stands behind the key.
const DIGEST_BYTES: usize = 16;

/// The key, if it is whole.
pub(super) fn read(state: &Path) -> Option<[u8; KEY_BYTES]> {
    let bytes = read_regular(&state.join(FILE)).ok()?;
    let (key, check) = bytes.split_at_checked(KEY_BYTES)?;
    (check == digest_of(key)).then(|| key.try_into().ok())?
}

/// Replaces it at once.
pub(super) fn write(state: &Path, key: &[u8; KEY_BYTES]) -> io::Result<()> {
    let new = super::written(state, &[&key[..], &digest_of(key)].concat())?;
    let replaced = fs::rename(&new, state.join(FILE));
    if replaced.is_err() {
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Whether a key differs from its copy as by damage: two keys that were made share next to nothing.
pub(super) fn is_damage(copied: &[u8; KEY_BYTES], key: &[u8; KEY_BYTES]) -> bool {
    let same = copied.iter().zip(key).filter(|(a, b)| a == b).count();
    same > KEY_BYTES / 2
}

fn digest_of(key: &[u8]) -> Vec<u8> {
    digest(&SHA256, key).as_ref()[..DIGEST_BYTES].to_vec()
}
