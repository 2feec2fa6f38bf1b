//! The user's key, which proves who wrote a team's records and mail. It is in the user's state
//! directory, made at the first use, and private: with it, valid records can be forged.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

use ring::rand::{SecureRandom as _, SystemRandom};
use teammate_store::seal::KEY_BYTES;

use crate::project::UserDirs;

/// The key's file in the state directory. Its name is older than its use for more than mail.
const FILE: &str = "mail.key";

/// The user's key.
pub(super) struct UserKey {
    pub(super) bytes: [u8; KEY_BYTES],
    /// Whether the next process has the same.
    pub(super) is_kept: bool,
    /// What the user should know about it.
    pub(super) notice: Option<String>,
}

/// The key in the user's state directory; without a place for it, one for this process only.
pub(super) fn of_user(user: &UserDirs, workspace: &Path) -> UserKey {
    let Some(state) = &user.state else {
        return UserKey {
            bytes: random(),
            is_kept: false,
            notice: None,
        };
    };
    let path = state.join(FILE);
    match read_or_make(state, &path) {
        Ok(bytes) => {
            let is_within = path
                .canonicalize()
                .is_ok_and(|path| path.starts_with(workspace));
            let notice = is_within.then(|| {
                format!(
                    "the key that proves who wrote a team's records lies within the workspace ({}): members can read it",
                    path.display()
                )
            });
            UserKey {
                bytes,
                is_kept: true,
                notice,
            }
        }
        Err(error) => UserKey {
            bytes: random(),
            is_kept: false,
            notice: Some(format!(
                "the key that proves who wrote a team's records cannot be used ({}: {error}): what is written now counts for this \
                 process only",
                path.display()
            )),
        },
    }
}

/// 16 random bytes as hex digits.
pub(super) fn random_hex() -> String {
    let bytes: [u8; 16] = random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_or_make(state: &Path, path: &Path) -> io::Result<[u8; KEY_BYTES]> {
    match read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        read => return read,
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(state)?;
    let own = u32::from_le_bytes(random());
    let new = state.join(format!("{FILE}.{own:08x}.tmp"));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(&random::<KEY_BYTES>())?;
    file.sync_all()?;
    // Not a rename: of two that make it at the same time the first wins, and both use its key.
    let linked = fs::hard_link(&new, path);
    let _ = fs::remove_file(&new);
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    fs::File::open(state)?.sync_all()?;
    read(path)
}

fn read(path: &Path) -> io::Result<[u8; KEY_BYTES]> {
    let key = fs::read(path)?;
    let wrong = |_| io::Error::new(ErrorKind::InvalidData, "it is no key; remove it");
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
                .map(|maker| maker.join().unwrap().unwrap())
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
        assert!(key.notice.unwrap().contains("it is no key; remove it"));
        assert_eq!(fs::read(home.path().join(FILE)).unwrap(), b"short");
    }
}
