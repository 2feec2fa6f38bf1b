//! The key of the server over HTTP: a file that only the user can read. It stays the same from one start to the next, since
//! people's configurations name it; without the file there is a new one.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

use ring::{
    digest::{Digest, SHA256, digest},
    rand::{SecureRandom as _, SystemRandom},
};

const KEY_BYTES: usize = 32;

/// A key that clients have to have. Not itself, only what tells it from others.
pub struct AccessKey(Digest);

impl AccessKey {
    /// The key in a file, which is made with a new one if it is not there, and so is its directory.
    ///
    /// Errors: it cannot be read or written, or others can read it.
    pub fn in_file(path: &Path) -> io::Result<Self> {
        match read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                make(path)?;
                read(path)
            }
            read => read,
        }
        .map(|key| Self::of(&key))
    }

    fn of(key: &str) -> Self {
        Self(digest(&SHA256, key.as_bytes()))
    }

    /// Whether this is the key. How long it takes says nothing of it: digests are compared.
    pub(super) fn is(&self, given: &str) -> bool {
        digest(&SHA256, given.as_bytes()).as_ref() == self.0.as_ref()
    }
}

fn read(path: &Path) -> io::Result<String> {
    let data = fs::symlink_metadata(path)?;
    if !data.is_file() || data.mode() & 0o077 != 0 {
        let what = format!(
            "{} is not a file that only you can read: remove it, and a new key is made",
            path.display()
        );
        return Err(io::Error::new(ErrorKind::PermissionDenied, what));
    }
    let text = fs::read_to_string(path)?;
    match text.trim() {
        key if key.len() >= KEY_BYTES => Ok(key.to_owned()),
        _ => {
            let what = format!(
                "{} has no key in it: remove it, and one is made",
                path.display()
            );
            Err(io::Error::new(ErrorKind::InvalidData, what))
        }
    }
}

/// Of two that make it at the same time the first wins, and both use its key.
fn make(path: &Path) -> io::Result<()> {
    let mut random = [0; KEY_BYTES];
    SystemRandom::new()
        .fill(&mut random)
        .map_err(|_| io::Error::other("the system gives no random bytes"))?;
    let key: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(dir) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    let new = path.with_extension(format!("{}.tmp", std::process::id()));
    // One of a process that was killed may have been left.
    let _ = fs::remove_file(&new);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(format!("{key}\n").as_bytes())?;
    file.sync_all()?;
    let linked = fs::hard_link(&new, path);
    fs::remove_file(&new)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_user_can_read_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp/shop.key");
        let made = AccessKey::in_file(&path).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let key = text.trim();
        assert_eq!(key.len(), 64);
        assert!(made.is(key) && AccessKey::in_file(&path).unwrap().is(key));
        assert!(!made.is("") && !made.is(&key[1..]) && !made.is(&key.to_uppercase()));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(
            fs::metadata(dir.path().join("mcp")).unwrap().mode() & 0o777,
            0o700
        );
        assert_eq!(fs::read_dir(dir.path().join("mcp")).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_others_can_read_or_that_is_none_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.key");
        AccessKey::in_file(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = AccessKey::in_file(&path).err().unwrap();
        assert!(
            refused.to_string().contains("only you can read"),
            "{refused}"
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&path, "short\n").unwrap();
        assert_eq!(
            AccessKey::in_file(&path).err().unwrap().kind(),
            ErrorKind::InvalidData
        );
        let link = dir.path().join("link.key");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        AccessKey::in_file(&link).err().unwrap();
    }
}
