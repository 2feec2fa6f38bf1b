//! Keys that some process of the user obtained from a `key_command`, kept so that the others find them in what is typed there, and
//! cannot be read: of each its length, a sum by which it is looked for, and a keyed digest that proves it. In the user's state
//! directory, readable by no other user and by no command.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use ring::{
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};
use serde::{Deserialize, Serialize};
use teammate_core::{
    lock::Hold,
    secrets::{OthersSecrets, Secrets},
};
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
    /// The marks that were read last, and the stamp of their file.
    read: Mutex<(Option<Stamp>, Arc<LookedFor>)>,
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

    /// The marks that are kept now.
    fn looked_for(&self) -> Arc<LookedFor> {
        let stamp = fs::symlink_metadata(&self.path)
            .and_then(|found| Ok((found.ino(), found.modified()?, found.len())));
        let Ok(stamp) = stamp else {
            return Arc::default();
        };
        let mut read = self.read.hold();
        if read.0 != Some(stamp) {
            *read = (Some(stamp), Arc::new(LookedFor::of(self.load())));
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
        // Pieces of answers are short, and there are many.
        if text.len() < BYTES_MIN {
            return Vec::new();
        }
        self.looked_for().find_all(text)
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

/// The keys, such that a text is passed once for all of one length.
#[derive(Default)]
struct LookedFor {
    marks: Marks,
    lengths: Vec<Length>,
}

/// The keys of one length.
struct Length {
    bytes: usize,
    /// The weight in the sum of the byte that leaves the window.
    leaving: u64,
    /// By sum, each with the place of its mark.
    sums: Vec<(u64, usize)>,
    /// Whether there may be a sum with these last bits: most places of a text are passed with no other look.
    may_be: [bool; MAY_BE],
}

/// Many times as many as there are keys, so that few places are looked at twice.
const MAY_BE: usize = 4096;

impl LookedFor {
    fn of(marks: Marks) -> Self {
        let base = marks.base();
        let mut by_length: BTreeMap<usize, Vec<(u64, usize)>> = BTreeMap::new();
        for (place, mark) in marks.marks.iter().enumerate() {
            if mark.bytes >= BYTES_MIN {
                let sums = by_length.entry(mark.bytes).or_default();
                sums.push((mark.sum, place));
            }
        }
        let lengths = by_length
            .into_iter()
            .map(|(bytes, sums)| Length::of(bytes, sums, base));
        Self {
            lengths: lengths.collect(),
            marks,
        }
    }

    /// The keys in the text, by name, each once.
    fn find_all(&self, text: &str) -> Vec<(String, String)> {
        let base = self.marks.base();
        let mut found = BTreeMap::new();
        for length in &self.lengths {
            length.each_place(text.as_bytes(), base, |begin, place| {
                let mark = &self.marks.marks[place];
                let here = text.get(begin..begin.saturating_add(mark.bytes));
                if let Some(here) = here.filter(|here| self.marks.digest(here) == mark.digest) {
                    found.entry(place).or_insert(here);
                }
            });
        }
        let named =
            |(place, key): (usize, &str)| (self.marks.marks[place].name.clone(), key.to_owned());
        found.into_iter().map(named).collect()
    }
}

impl Length {
    fn of(bytes: usize, mut sums: Vec<(u64, usize)>, base: u64) -> Self {
        sums.sort_unstable();
        let mut may_be = [false; MAY_BE];
        sums.iter()
            .for_each(|(sum, _)| may_be[last_bits(*sum)] = true);
        Self {
            bytes,
            leaving: (0..bytes).fold(1, |power, _| times(power, base)),
            sums,
            may_be,
        }
    }

    /// Calls this with each place of the text where the sum is that of a key, and which key that is.
    fn each_place(&self, text: &[u8], base: u64, mut see: impl FnMut(usize, usize)) {
        let Some((first, rest)) = text.split_at_checked(self.bytes) else {
            return;
        };
        let mut sum = first.iter().fold(0, |sum, byte| next(sum, base, *byte));
        self.see_sum(sum, |place| see(0, place));
        for (begin, (gone, come)) in text.iter().zip(rest).enumerate() {
            let gone = times(self.leaving, weight(*gone));
            sum = (next(sum, base, *come) + MODULUS - gone) % MODULUS;
            self.see_sum(sum, |place| see(begin + 1, place));
        }
    }

    fn see_sum(&self, sum: u64, see: impl FnMut(usize)) {
        if self.may_be[last_bits(sum)] {
            let begin = self.sums.partition_point(|(one, _)| *one < sum);
            let same = self.sums[begin..].iter().take_while(|(one, _)| *one == sum);
            same.map(|(_, place)| *place).for_each(see);
        }
    }
}

fn last_bits(sum: u64) -> usize {
    usize::try_from(sum % MAY_BE as u64).unwrap_or_default()
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
    fn of_many_keys_of_few_lengths_each_is_found_wherever_it_stands() {
        let dir = tempfile::tempdir().unwrap();
        let host = process(dir.path());
        let keys: Vec<String> = (0..40)
            .map(|number| format!("key-of-the-host-{number:04}{}", "ä".repeat(number % 3)))
            .collect();
        for (number, key) in keys.iter().enumerate() {
            host.obtained(format!("K{number}"), key.clone());
        }
        let hidden: Vec<String> = (0..40)
            .map(|number| format!("[secret K{number}]"))
            .collect();
        for between in ["", " ", "ü", "key-of-the-host-"] {
            let text = keys.join(between);
            assert_eq!(process(dir.path()).redact(&text), hidden.join(between));
        }
        for (key, hidden) in keys.iter().zip(&hidden) {
            assert_eq!(process(dir.path()).redact(key), *hidden);
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
        assert_eq!(marks.looked_for().marks.marks.len(), MARKS_MAX);
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
