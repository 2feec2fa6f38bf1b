//! The key that mail is sealed with: the user's own, in the user's state directory, made when it is first needed. Whoever
//! can read it can write mail that is believed, so it is out of every workspace and readable by nobody else.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Write as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, OpenOptionsExt as _},
    },
    path::Path,
    sync::Arc,
};

use ring::{
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};
use teammate_core::port::Seal;
use teammate_store::seal::{HmacSeal, KEY_BYTES};

use crate::texts::UserDirs;

/// The key's file in the state directory.
const FILE: &str = "mail.key";

/// The seal of journals and transcripts: one key for everybody, so that they are chained. It proves nobody.
pub(crate) fn of_files() -> Arc<dyn Seal> {
    Arc::new(HmacSeal::new(&[0; KEY_BYTES]))
}

/// The user's seal, and what a person should know about it. Without a place for the key there is one for this process only.
pub(crate) fn of_user(user: &UserDirs, workspace: &Path) -> (HmacSeal, Option<String>) {
    let Some(state) = &user.state else {
        return (HmacSeal::new(&random()), None);
    };
    let path = state.join(FILE);
    match read_or_make(state, &path) {
        Ok(key) => {
            let is_within = path
                .canonicalize()
                .is_ok_and(|path| path.starts_with(workspace));
            let notice = is_within.then(|| {
                format!(
                    "the key that proves who wrote mail lies within the workspace ({}): members can read it",
                    path.display()
                )
            });
            (for_workspace(&key, workspace), notice)
        }
        Err(error) => {
            let notice = format!(
                "the key that proves who wrote mail cannot be used ({}: {error}): what is sent from other terminals, and \
                 what is still unread next time, will be told as unverified",
                path.display()
            );
            (HmacSeal::new(&random()), Some(notice))
        }
    }
}

/// The user's seal for the team in this workspace, and for no other.
fn for_workspace(key: &[u8; KEY_BYTES], workspace: &Path) -> HmacSeal {
    let about = [b"teammate workspace 1\n", workspace.as_os_str().as_bytes()].concat();
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), &about);
    let own = tag.as_ref().try_into();
    HmacSeal::new(own.expect("a SHA-256 has as many bytes as a key"))
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
        let (_, notice) = of_user(&user, Path::new("/work"));
        assert!(notice.unwrap().contains("it is no key; remove it"));
        assert_eq!(fs::read(home.path().join(FILE)).unwrap(), b"short");
    }
}
