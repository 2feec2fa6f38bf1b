//! The user's key, which proves who wrote a team's records and mail. It is in the user's state
//! directory, made at the first use, and private: with it, valid records can be forged.

mod copy;

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use ring::rand::{SecureRandom as _, SystemRandom};
use teammate_store::{disk::read_regular, seal::KEY_BYTES};

use crate::project::{UserDirs, unread};

/// The key's file in the state directory. Its name is older than its use for more than mail.
const FILE: &str = "mail.key";

/// The user's key.
pub(super) struct UserKey {
    pub(super) bytes: [u8; KEY_BYTES],
    /// Whether the next process has the same.
    pub(super) is_kept: bool,
    /// A remark about the key for the user.
    pub(super) notice: Option<String>,
    /// Why the one that is there cannot be used.
    pub(super) damage: Option<String>,
}

/// A key that was read, and what is wrong with its file if it came from the copy.
struct Read {
    bytes: [u8; KEY_BYTES],
    damage: Option<String>,
}

/// The key in the user's state directory; without a place for it, one for this process only.
pub(super) fn of_user(user: &UserDirs, workspace: &Path) -> UserKey {
    let unkept = |notice, damage| UserKey {
        bytes: random(),
        is_kept: false,
        notice,
        damage,
    };
    let Some(state) = &user.state else {
        return unkept(None, None);
    };
    let path = state.join(FILE);
    match read_or_make(state, &path) {
        Ok(Read { bytes, damage }) => {
            let is_within = path
                .canonicalize()
                .is_ok_and(|path| path.starts_with(workspace));
            let within = is_within.then(|| {
                format!(
                    "the key that proves who wrote a team's records lies within the workspace ({}): members can read it",
                    path.display()
                )
            });
            let damaged = damage.map(|why| {
                format!("{why}; its copy is used. Move it away, and it is written anew")
            });
            UserKey {
                bytes,
                is_kept: true,
                notice: damaged.or(within),
                damage: None,
            }
        }
        Err(error) => {
            let why = unread(&path, &error);
            let notice = format!(
                "the key that proves who wrote a team's records cannot be used ({why}): what is written now counts for this process \
                 only. Move it away, and a new one is made"
            );
            unkept(Some(notice), Some(why))
        }
    }
}

/// 16 random bytes as hex digits.
pub(super) fn random_hex() -> String {
    let bytes: [u8; 16] = random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The key of the file or of its copy, whichever is whole. Each is made of the other if it is missing.
fn read_or_make(state: &Path, path: &Path) -> io::Result<Read> {
    let copied = copy::read(state);
    match (read(path), copied) {
        (Ok(key), Some(copied)) if copied != key && copy::is_damage(&copied, &key) => Ok(Read {
            bytes: copied,
            damage: Some(format!(
                "{} is damaged: its content was changed",
                path.display()
            )),
        }),
        (Ok(bytes), copied) => {
            if copied != Some(bytes) {
                // Without the copy the key counts.
                let _ = copy::write(state, &bytes);
            }
            let damage = None;
            Ok(Read { bytes, damage })
        }
        (Err(error), copied) if error.kind() == ErrorKind::NotFound => {
            make(state, path, &copied.unwrap_or_else(random))?;
            let bytes = read(path)?;
            let _ = copy::write(state, &bytes);
            let damage = None;
            Ok(Read { bytes, damage })
        }
        (Err(error), Some(bytes)) => Ok(Read {
            bytes,
            damage: Some(unread(path, &error)),
        }),
        (Err(error), None) => Err(error),
    }
}

/// Of two that make it at the same time the first wins, and both use its key.
fn make(state: &Path, path: &Path, key: &[u8; KEY_BYTES]) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(state)?;
    let new = written(state, key)?;
    // Not a rename: the file of another process stays.
    let linked = fs::hard_link(&new, path);
    let _ = fs::remove_file(&new);
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::File::open(state)?.sync_all()
}

/// A file of this process with these bytes, to be linked or renamed.
fn written(state: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let own = u32::from_le_bytes(random());
    let new = state.join(format!("{FILE}.{own:08x}.tmp"));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(new)
}

fn read(path: &Path) -> io::Result<[u8; KEY_BYTES]> {
    let key = read_regular(path)?;
    let count = key.len();
    let wrong = |_| {
        let why = format!("it is no key ({count} bytes instead of {KEY_BYTES})");
        io::Error::new(ErrorKind::InvalidData, why)
    };
    key.try_into().map_err(wrong)
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .expect("the system's random numbers are there once it has started");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn all_processes_of_a_user_get_the_same_key_and_nobody_else_can_read_it() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("state/teammate");
        let path = state.join(FILE);
        let keys: Vec<_> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| read_or_make(&state, &path)))
                .collect();
            makers
                .into_iter()
                .map(|maker| maker.join().unwrap().unwrap().bytes)
                .collect()
        });
        let key = read(&path).unwrap();
        assert_eq!(keys, [key; 8]);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_ne!(key, [0; KEY_BYTES]);
    }

    #[test]
    fn a_file_that_is_no_key_is_said_and_not_replaced() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FILE), "short").unwrap();
        let user = UserDirs {
            config: None,
            state: Some(home.path().to_owned()),
        };
        let key = of_user(&user, Path::new("/work"));
        assert!(!key.is_kept);
        let notice = key.notice.unwrap();
        assert!(notice.contains("it is no key (5 bytes"), "{notice}");
        assert!(notice.contains("mail.key"), "{notice}");
        assert_eq!(fs::read(home.path().join(FILE)).unwrap(), b"short");
    }

    #[test]
    fn a_key_that_is_damaged_is_read_from_its_copy_and_one_that_was_replaced_counts() {
        let home = tempfile::tempdir().unwrap();
        let user = UserDirs {
            config: None,
            state: Some(home.path().to_owned()),
        };
        let path = home.path().join(FILE);
        let of_user = || of_user(&user, Path::new("/work"));
        let first = of_user().bytes;
        let mut flipped = first;
        flipped[7] ^= 1;
        for harm in [&b""[..], b"garbage", &first[..31], &flipped] {
            fs::write(&path, harm).unwrap();
            let key = of_user();
            assert_eq!((key.bytes, key.is_kept), (first, true), "{harm:?}");
            let notice = key.notice.unwrap();
            assert!(
                notice.contains("mail.key") && notice.contains("its copy is used"),
                "{notice}"
            );
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(of_user().bytes, first);
        fs::remove_dir(&path).unwrap();
        assert_eq!(of_user().bytes, first);
        assert_eq!(fs::read(&path).unwrap(), first);
        // The user's key of another machine.
        let other: [u8; KEY_BYTES] = random();
        fs::write(&path, other).unwrap();
        for _ in 0..2 {
            let key = of_user();
            assert_eq!((key.bytes, key.notice), (other, None));
        }
    }
}
