//! Keys that some process of the user obtained from a `key_command`, kept so that the others find them in what is typed there, and
//! cannot be read: of each its length, a sum by which it is looked for, and a keyed digest that proves it. In the user's state
//! directory, readable by no other user and by no command.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use ring::{
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};
use serde::{Deserialize, Serialize};
use teammate_core::secrets::{OthersSecrets, Secrets};
use teammate_store::disk::read_regular;

use crate::project::{UserDirs, UserState, UserStateError, hex};

/// The directory below the state directory, and the file in it.
const KIND: &str = "obtained-keys";
const FILE: &str = "marks.json";

/// How many are kept: keys are obtained anew each hour or so, and old ones expire.
const MARKS_MAX: usize = 64;

/// Shorter keys are too easily guessed from what is kept of them.
const BYTES_MIN: usize = 16;

/// A prime: sums are counted modulo it. All its bits are ones, so that a remainder takes no division: each byte of each text that
/// is shown or kept is counted for each key.
const MODULUS: u64 = (1 << MODULUS_BITS) - 1;
const MODULUS_BITS: u32 = 61;

/// The keys of a user.
pub(crate) struct SecretMarks {
    state: UserState,
    path: PathBuf,
    /// What was read last, and of which file.
    read: Mutex<(Option<Stamp>, Arc<Marks>)>,
}

/// Tells a file from those that it replaced.
type Stamp = (u64, SystemTime, u64);

/// The file.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Marks {
    /// Random, in hexadecimal digits.
    salt: String,
    marks: Vec<Mark>,
}

/// One key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    name: String,
    bytes: usize,
    sum: u64,
    digest: String,
}

impl SecretMarks {
    /// Has secrets of other processes of this user found, where there is a directory for it.
    pub(crate) fn find_in(secrets: &Secrets, user: &UserDirs) {
        let Some(state) = user.state.as_deref() else {
            return;
        };
        secrets.ask(Arc::new(Self::at(state)));
    }

    fn at(state: &Path) -> Self {
        Self {
            state: UserState::at(Some(state), KIND),
            path: state.join(KIND).join(FILE),
            read: Mutex::default(),
        }
    }

    /// What is kept now.
    fn marks(&self) -> Arc<Marks> {
        let stamp = fs::symlink_metadata(&self.path)
            .and_then(|found| Ok((found.ino(), found.modified()?, found.len())));
        let Ok(stamp) = stamp else {
            return Arc::default();
        };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.0 != Some(stamp) {
            *read = (Some(stamp), Arc::new(self.load()));
        }
        read.1.clone()
    }

    fn load(&self) -> Marks {
        let bytes = read_regular(&self.path).ok();
        let marks = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        marks.unwrap_or_default()
    }

    fn add(&self, name: &str, text: &str) -> Result<(), UserStateError> {
        let _lock = self.state.lock()?;
        let mut marks = self.load();
        if marks.salt.is_empty() {
            let mut salt = [0; 32];
            let filled = SystemRandom::new().fill(&mut salt);
            filled.map_err(|_| std::io::Error::other("there is no randomness"))?;
            marks = Marks {
                salt: hex(&salt),
                marks: Vec::new(),
            };
        }
        let mark = marks.mark(name, text);
        if marks.marks.contains(&mark) {
            return Ok(());
        }
        marks.marks.push(mark);
        let old = marks.marks.len().saturating_sub(MARKS_MAX);
        marks.marks.drain(..old);
        let bytes = serde_json::to_vec(&marks).map_err(std::io::Error::from)?;
        self.state.replace(&self.path, &bytes)
    }
}

impl OthersSecrets for SecretMarks {
    fn found_in(&self, text: &str) -> Vec<(String, String)> {
        let marks = self.marks();
        let found = marks.marks.iter();
        found
            .filter_map(|mark| Some((mark.name.clone(), marks.find(mark, text)?)))
            .collect()
    }

    fn obtained(&self, name: &str, text: &str) {
        if text.len() >= BYTES_MIN {
            // Without it the process that has the key hides it all the same.
            let _ = self.add(name, text);
        }
    }
}

impl Marks {
    fn mark(&self, name: &str, text: &str) -> Mark {
        let base = self.base();
        let sum = text.bytes().fold(0, |sum, byte| next(sum, base, byte));
        Mark {
            name: name.to_owned(),
            bytes: text.len(),
            sum,
            digest: self.digest(text),
        }
    }

    /// The key in the text, if it is there.
    fn find(&self, mark: &Mark, text: &str) -> Option<String> {
        let (bytes, length) = (text.as_bytes(), mark.bytes);
        if length < BYTES_MIN || bytes.len() < length {
            return None;
        }
        let base = self.base();
        // What the byte that leaves has become by then.
        let leaving = (0..length).fold(1, |power, _| times(power, base));
        let mut sum = bytes[..length]
            .iter()
            .fold(0, |sum, byte| next(sum, base, *byte));
        for end in length..=bytes.len() {
            let begin = end - length;
            let found = (sum == mark.sum)
                .then(|| text.get(begin..end))
                .flatten()
                .filter(|found| self.digest(found) == mark.digest);
            if let Some(found) = found {
                return Some(found.to_owned());
            }
            if let Some(byte) = bytes.get(end) {
                let gone = times(leaving, weight(bytes[begin]));
                sum = (next(sum, base, *byte) + MODULUS - gone) % MODULUS;
            }
        }
        None
    }

    fn digest(&self, text: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.salt.as_bytes());
        hex(hmac::sign(&key, text.as_bytes()).as_ref())
    }

    /// Another for each user.
    fn base(&self) -> u64 {
        let digits = self.salt.get(..15).unwrap_or_default();
        u64::from_str_radix(digits, 16).unwrap_or_default() % (MODULUS - 512) + 257
    }
}

fn weight(byte: u8) -> u64 {
    u64::from(byte) + 1
}

fn next(sum: u64, base: u64, byte: u8) -> u64 {
    (times(sum, base) + weight(byte)) % MODULUS
}

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let high = u64::try_from(product >> MODULUS_BITS).unwrap_or_default();
    let low = u64::try_from(product & u128::from(MODULUS)).unwrap_or_default();
    // Both factors are less than the modulus, so that the halves are, too.
    (high + low) % MODULUS
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const KEY: &str = "key-of-the-host-äöü-77";

    fn user(dir: &Path) -> UserDirs {
        UserDirs {
            config: None,
            state: Some(dir.to_owned()),
        }
    }

    fn process(dir: &Path) -> Secrets {
        let secrets = Secrets::default();
        SecretMarks::find_in(&secrets, &user(dir));
        secrets
    }

    #[test]
    fn what_one_process_obtains_the_others_find_and_nobody_reads() {
        let dir = tempfile::tempdir().unwrap();
        let (host, guest) = (process(dir.path()), process(dir.path()));
        let typed = format!("ä use {KEY}, and {KEY}.");
        assert_eq!(guest.redact(&typed), typed);
        host.obtained("work/key_command".to_owned(), KEY.to_owned());
        let hidden = "ä use [secret work/key_command], and [secret work/key_command].";
        assert_eq!(guest.redact(&typed), hidden);
        let later = process(dir.path());
        assert_eq!(later.redact(KEY), "[secret work/key_command]");
        for other in [
            "key-of-the-host-äöü-7",
            "key-of-the-host-aou-77 and more",
            "",
            "ä",
        ] {
            assert_eq!(process(dir.path()).redact(other), other);
        }
        let path = dir.path().join(KIND).join(FILE);
        let kept = fs::read_to_string(&path).unwrap();
        assert!(!kept.contains("key-of-the-host"), "{kept}");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_product_is_the_remainder_of_the_whole_product() {
        let numbers = [
            0,
            1,
            257,
            1 << 31,
            (1 << 60) + 12_345,
            MODULUS - 2,
            MODULUS - 1,
        ];
        for a in numbers {
            for b in numbers {
                let whole = u128::from(a) * u128::from(b) % u128::from(MODULUS);
                assert_eq!(u128::from(times(a, b)), whole, "{a} {b}");
            }
        }
    }

    #[test]
    fn so_many_are_kept_and_no_short_ones() {
        let dir = tempfile::tempdir().unwrap();
        let host = process(dir.path());
        host.obtained("short".to_owned(), "fifteen-bytes-1".to_owned());
        for number in 0..MARKS_MAX + 2 {
            host.obtained("KEY".to_owned(), format!("key-of-the-host-{number:04}"));
        }
        host.obtained("KEY".to_owned(), "key-of-the-host-0009".to_owned());
        let marks = SecretMarks::at(dir.path());
        assert_eq!(marks.marks().marks.len(), MARKS_MAX);
        let guest = process(dir.path());
        assert_eq!(guest.redact("fifteen-bytes-1"), "fifteen-bytes-1");
        assert_eq!(guest.redact("key-of-the-host-0001"), "key-of-the-host-0001");
        assert_eq!(guest.redact("key-of-the-host-0002"), "[secret KEY]");
    }

    #[test]
    fn what_is_no_file_of_marks_finds_nothing() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join(KIND)).unwrap();
        fs::write(dir.path().join(KIND).join(FILE), "{}").unwrap();
        let host = process(dir.path());
        assert_eq!(host.redact(KEY), KEY);
        host.obtained("KEY".to_owned(), KEY.to_owned());
        assert_eq!(process(dir.path()).redact(KEY), "[secret KEY]");
    }
}
