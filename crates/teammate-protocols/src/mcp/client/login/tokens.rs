//! The tokens of one server, in a file that no other user reads.

use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    pin::Pin,
};

use rmcp::transport::auth::{AuthError, CredentialStore, StoredCredentials};

use crate::mcp::client::settings::ServerSettings;

type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, AuthError>> + Send + 'a>>;

/// The file.
#[derive(Debug, Clone)]
pub(super) struct TokenFile(PathBuf);

impl TokenFile {
    pub(super) fn of(dir: &Path, settings: &ServerSettings) -> Self {
        Self(dir.join(format!("{}.json", settings.fingerprint())))
    }

    pub(super) fn is_there(&self) -> bool {
        self.0.exists()
    }

    pub(super) fn forget(&self) -> io::Result<bool> {
        match fs::remove_file(&self.0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn read(&self) -> io::Result<Option<StoredCredentials>> {
        // A named pipe would keep its reader waiting.
        if fs::metadata(&self.0).is_ok_and(|found| !found.is_file()) {
            let what = format!("{} is no regular file; move it away", self.0.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        match fs::read(&self.0) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Wholly or not at all.
    fn write(&self, credentials: &StoredCredentials) -> io::Result<()> {
        if let Some(dir) = self.0.parent() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(dir)?;
        }
        let new = self.0.with_extension(format!("{}.tmp", std::process::id()));
        // One of a process that was killed may have been left.
        let _ = fs::remove_file(&new);
        let mut options = fs::OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(&serde_json::to_vec(credentials)?)?;
        file.sync_all()?;
        fs::rename(&new, &self.0)
    }
}

fn failed(error: &io::Error) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}

impl CredentialStore for TokenFile {
    fn load<'a: 'b, 'b>(&'a self) -> Stored<'b, Option<StoredCredentials>>
    where
        Self: 'b,
    {
        Box::pin(async { self.read().map_err(|error| failed(&error)) })
    }

    fn save<'a: 'b, 'b>(&'a self, credentials: StoredCredentials) -> Stored<'b, ()>
    where
        Self: 'b,
    {
        Box::pin(async move { self.write(&credentials).map_err(|error| failed(&error)) })
    }

    fn clear<'a: 'b, 'b>(&'a self) -> Stored<'b, ()>
    where
        Self: 'b,
    {
        Box::pin(async { self.forget().map(drop).map_err(|error| failed(&error)) })
    }
}
