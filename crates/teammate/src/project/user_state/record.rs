//! A record as a file of JSON, which may say itself whether it is whole: its last key is a digest of what stands before it.

use std::{io, path::Path};

use ring::digest::{SHA256, digest};
use serde::de::DeserializeOwned;
use teammate_store::disk::{UnfitFile, read_regular};

use super::{UserStateError, hex};

const CHECK: &str = ",\"check\":\"";
const END: &str = "\"}";

/// How many hex digits of the digest stand there.
const CHECK_CHARS: usize = 32;

/// A JSON object with a digest of itself as its last key.
pub(super) fn with_check(mut object: Vec<u8>) -> Vec<u8> {
    if object.last() == Some(&b'}') {
        object.pop();
    }
    let check = check(&object);
    object.extend_from_slice(format!("{CHECK}{check}{END}").as_bytes());
    object
}

/// The record in a file; `None` if there is no file.
///
/// Errors: [`UserStateError::Unusable`].
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, UserStateError> {
    let bytes = match read_regular(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(UserStateError::Unusable(unread(path, &error))),
    };
    let damaged = |why: &str| {
        let path = path.display();
        UserStateError::Unusable(format!("{path} is damaged: {why}"))
    };
    if bytes.is_empty() {
        return Err(damaged("it is empty"));
    }
    if !is_whole(&bytes) {
        return Err(damaged("its content was changed"));
    }
    let read = serde_json::from_slice(&bytes);
    read.map(Some)
        .map_err(|error| damaged(&format!("it cannot be read ({error})")))
}

/// Why a file cannot be read, with its name.
pub(crate) fn unread(path: &Path, error: &io::Error) -> String {
    match error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<UnfitFile>)
    {
        true => error.to_string(),
        false => format!("{} cannot be read: {error}", path.display()),
    }
}

/// Whether it says nothing else of itself. Records of earlier versions say nothing.
fn is_whole(bytes: &[u8]) -> bool {
    let tail = CHECK.len() + CHECK_CHARS + END.len();
    let Some((object, tail)) = bytes.split_at_checked(bytes.len().saturating_sub(tail)) else {
        return true;
    };
    let said = tail.strip_prefix(CHECK.as_bytes());
    let said = said.and_then(|said| said.strip_suffix(END.as_bytes()));
    said.is_none_or(|said| said == check(object).as_bytes())
}

fn check(object: &[u8]) -> String {
    let mut text = hex(digest(&SHA256, object).as_ref());
    text.truncate(CHECK_CHARS);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turned_bit_of_a_record_is_seen_or_harms_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record.json");
        let sound = with_check(br#"{"nonce":"00ff","heads":{}}"#.to_vec());
        for bit in 0..sound.len() * 8 {
            let mut bytes = sound.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &bytes).unwrap();
            // In the last key's own name: then the rest is as it was.
            if let Ok(Some(read)) = read::<serde_json::Value>(&path) {
                assert_eq!(read["nonce"], "00ff", "bit {bit}");
            }
        }
        std::fs::write(&path, r#"{"nonce":"00ff"}"#).unwrap();
        assert!(read::<serde_json::Value>(&path).unwrap().is_some());
        std::fs::write(&path, "").unwrap();
        let why = read::<serde_json::Value>(&path).unwrap_err().to_string();
        assert!(
            why.ends_with("record.json is damaged: it is empty"),
            "{why}"
        );
    }
}
