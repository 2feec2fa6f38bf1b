//! The keys of a page: 256 random bits each, with what they are good for. A file that only the user can read has what tells each
//! from others, not the key itself; it is read anew for each request, so that a key that another process revokes is none at once.

use std::{
    fs,
    io::{self, ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom as _, SystemRandom},
};
use serde::{Deserialize, Serialize};
use teammate_core::{Timestamp, name::DeviceName};
use thiserror::Error;

use crate::KeyScope;

/// The most keys of one page.
const KEYS_MAX: usize = 32;

const FILE_BYTES_MAX: u64 = 64 << 10;

/// A key as it is given to somebody: the only place where all of it is.
pub struct NewKey(String);

impl NewKey {
    /// The key, in 64 hexadecimal digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// A key as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessLine {
    /// The name of the key for the user.
    pub id: String,
    pub scope: KeyScope,
    /// The device that it was made for, with which its answers are recorded; files of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
    pub made: Timestamp,
    /// When it ends; without that, with the page.
    pub until: Option<Timestamp>,
    /// SHA-256 of the key.
    digest: String,
}

/// The content of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeyRights {
    /// Where the page is.
    address: String,
    keys: Vec<AccessLine>,
}

/// The file with the keys of one page.
#[derive(Debug, Clone)]
pub struct KeyFile {
    path: PathBuf,
}

/// Why keys cannot be used.
#[derive(Debug, Error)]
pub enum KeyFileError {
    /// The file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: io::Error },
    /// Others can read it, or it is no file.
    #[error("{} is not a file that only you can read: remove it, and start the page again", .0.display())]
    NotPrivate(PathBuf),
    /// It is not what was written there.
    #[error("{} cannot be read as keys of a page: remove it, and start the page again", .0.display())]
    Unreadable(PathBuf),
    #[error("there are {KEYS_MAX} keys already: revoke some")]
    TooMany,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    NoRandomBytes,
}

impl KeyFile {
    /// The keys of a page that begins: those of an earlier page at this place are none any more.
    pub fn begin(path: &Path, address: &str) -> Result<Self, KeyFileError> {
        let file = Self {
            path: path.to_owned(),
        };
        if let Some(dir) = path.parent() {
            let made = fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(dir);
            made.map_err(|why| file.failed(why))?;
        }
        file.write(&KeyRights {
            address: address.to_owned(),
            keys: Vec::new(),
        })?;
        Ok(file)
    }

    /// The keys of a page that another process serves.
    pub fn of_page(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Where that page is.
    pub fn address(&self) -> Result<String, KeyFileError> {
        Ok(self.read()?.address)
    }

    /// Makes a key for a device.
    pub fn make(
        &self,
        (scope, device): (KeyScope, Option<DeviceName>),
        made: Timestamp,
        until: Option<Timestamp>,
    ) -> Result<NewKey, KeyFileError> {
        let mut bytes = [0; 32];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| KeyFileError::NoRandomBytes)?;
        let key = NewKey(hex(&bytes));
        let digest = digest_of(&key.0);
        let line = AccessLine {
            id: digest.chars().take(8).collect(),
            scope,
            device,
            made,
            until,
            digest,
        };
        self.change(|access| {
            access.keys.retain(|line| line.is_valid(made));
            if access.keys.len() >= KEYS_MAX {
                return Err(KeyFileError::TooMany);
            }
            access.keys.push(line);
            Ok(key)
        })
    }

    /// The keys that are valid.
    pub fn list(&self, now: Timestamp) -> Result<Vec<AccessLine>, KeyFileError> {
        let keys = self.read()?.keys.into_iter();
        Ok(keys.filter(|line| line.is_valid(now)).collect())
    }

    /// Ends the key with this id, or all of them. Returns how many were ended.
    pub fn revoke(&self, id: Option<&str>) -> Result<usize, KeyFileError> {
        self.change(|access| {
            let before = access.keys.len();
            access
                .keys
                .retain(|line| id.is_some_and(|id| line.id != id));
            Ok(before - access.keys.len())
        })
    }

    /// What a key is good for, and whose it is; nothing if it is none. How long it takes says nothing of the key: digests are
    /// compared.
    pub(crate) fn known(&self, key: &str, now: Timestamp) -> Option<AccessLine> {
        let digest = digest_of(key);
        let mut keys = self.read().ok()?.keys.into_iter();
        let known = keys.find(|line| line.digest == digest)?;
        known.is_valid(now).then_some(known)
    }

    /// Ends all keys with the page.
    pub fn end(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Changes the keys. Two processes do not undo each other's changes: the directory is locked meanwhile.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut KeyRights) -> Result<T, KeyFileError>,
    ) -> Result<T, KeyFileError> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let dir = fs::File::open(dir).map_err(|why| self.failed(why))?;
        dir.lock().map_err(|why| self.failed(why))?;
        let mut access = self.read()?;
        let changed = change(&mut access)?;
        self.write(&access)?;
        Ok(changed)
    }

    fn read(&self) -> Result<KeyRights, KeyFileError> {
        let data = fs::symlink_metadata(&self.path).map_err(|why| self.failed(why))?;
        if !data.is_file() || data.mode() & 0o077 != 0 || data.len() > FILE_BYTES_MAX {
            return Err(KeyFileError::NotPrivate(self.path.clone()));
        }
        let text = fs::read_to_string(&self.path).map_err(|why| self.failed(why))?;
        serde_json::from_str(&text).map_err(|_| KeyFileError::Unreadable(self.path.clone()))
    }

    /// As a whole: a reader sees the keys before or after.
    fn write(&self, access: &KeyRights) -> Result<(), KeyFileError> {
        let text = serde_json::to_string(access).map_err(|error| self.failed(error.into()))?;
        let new = self
            .path
            .with_extension(format!("{}.tmp", std::process::id()));
        let write = || {
            match fs::remove_file(&new) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
            let mut options = fs::OpenOptions::new();
            let mut file = options
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&new)?;
            file.write_all(text.as_bytes())?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|why| self.failed(why))
    }

    fn failed(&self, why: io::Error) -> KeyFileError {
        KeyFileError::File {
            path: self.path.clone(),
            why,
        }
    }
}

impl AccessLine {
    fn is_valid(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

fn digest_of(key: &str) -> String {
    hex(digest(&SHA256, key.as_bytes()).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000);

    #[test]
    fn a_key_is_good_until_it_ends_is_revoked_or_the_page_begins_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("web/7.json");
        let keys = KeyFile::begin(&path, "http://127.0.0.1:7").unwrap();
        let own = keys.make((KeyScope::Steer, None), NOW, None).unwrap();
        let phone = keys
            .make(
                (KeyScope::Answer, DeviceName::parse("phone").ok()),
                NOW,
                Some(Timestamp(2_000)),
            )
            .unwrap();
        let known = |key: &NewKey, at| keys.known(key.reveal(), Timestamp(at));
        let scope = |key: &NewKey, at| known(key, at).map(|line| line.scope);
        assert_eq!(own.reveal().len(), 64);
        assert_eq!(scope(&own, 9_000), Some(KeyScope::Steer));
        assert_eq!(scope(&phone, 1_999), Some(KeyScope::Answer));
        assert_eq!(scope(&phone, 2_000), None);
        let device = known(&phone, 1_000).unwrap().device.unwrap();
        assert_eq!(device.as_str(), "phone");
        for near in [
            &own.reveal()[1..],
            &own.reveal().to_uppercase(),
            "",
            &format!("{} ", own.reveal()),
        ] {
            assert_eq!(keys.known(near, NOW), None, "{near}");
        }
        // No key is on the disk, and nobody else reads what is.
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(own.reveal()) && !text.contains(phone.reveal()));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);

        let elsewhere = KeyFile::of_page(&path);
        let id = elsewhere.list(NOW).unwrap()[1].id.clone();
        assert_eq!(elsewhere.revoke(Some(&id)).unwrap(), 1);
        assert_eq!(scope(&phone, 1_000), None);
        assert_eq!(scope(&own, 1_000), Some(KeyScope::Steer));
        let again = KeyFile::begin(&path, "http://127.0.0.1:7").unwrap();
        assert_eq!(again.known(own.reveal(), NOW), None);
        again.end();
        assert!(again.address().is_err());
    }

    #[test]
    fn a_file_that_others_can_read_has_no_keys() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("7.json");
        let keys = KeyFile::begin(&path, "x").unwrap();
        let key = keys.make((KeyScope::See, None), NOW, None).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(keys.known(key.reveal(), NOW), None);
        let refused = keys.list(NOW).unwrap_err().to_string();
        assert!(refused.contains("only you can read"), "{refused}");
    }
}
