//! What the user has said yes to: for each workspace the hash of its agent definitions, in the user's state directory,
//! readable by nobody else. Another content is not trusted.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, OpenOptionsExt as _},
    },
    path::{Path, PathBuf},
};

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

/// The record of what is trusted.
#[derive(Debug, Clone)]
pub struct Trust {
    dir: Option<PathBuf>,
}

/// A workspace that is trusted as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// Which, as a path.
    pub workspace: String,
    /// The hash of its agent definitions.
    pub agents: String,
}

/// Why trust cannot be given or taken.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// There is no state directory.
    #[error("there is no directory to remember it in (HOME is not set)")]
    Nowhere,
    /// Whoever works in the workspace could write there.
    #[error(
        "{0} lies within the workspace, so what is remembered there could be changed by members"
    )]
    Within(PathBuf),
    /// It cannot be read or written.
    #[error("what is trusted cannot be remembered: {0}")]
    Files(#[from] io::Error),
}

impl Trust {
    /// The record in the user's state directory.
    pub fn at(state: Option<&Path>) -> Self {
        Self {
            dir: state.map(|state| state.join("trust")),
        }
    }

    /// Whether a workspace's definitions with this hash are trusted.
    pub fn has(&self, workspace: &Path, hash: &str) -> bool {
        let Ok(path) = self.path(workspace) else {
            return false;
        };
        read(&path).is_some_and(|known| known.agents == hash)
    }

    /// Remembers that they are.
    pub fn give(&self, workspace: &Path, hash: &str) -> Result<(), TrustError> {
        let path = self.path(workspace)?;
        let dir = self.dir.as_deref().ok_or(TrustError::Nowhere)?;
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let trusted = Trusted {
            workspace: shown(workspace),
            agents: hash.to_owned(),
        };
        let new = path.with_extension(format!("{}.tmp", std::process::id()));
        // One of a process that was killed may have been left.
        let _ = fs::remove_file(&new);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        file.write_all(&serde_json::to_vec(&trusted).map_err(io::Error::from)?)?;
        file.sync_all()?;
        Ok(fs::rename(&new, &path)?)
    }

    /// Forgets it; false if it was not trusted.
    pub fn revoke(&self, workspace: &Path) -> Result<bool, TrustError> {
        match fs::remove_file(self.path(workspace)?) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// All that is trusted.
    pub fn list(&self) -> Vec<Trusted> {
        let entries = self.dir.as_deref().and_then(|dir| fs::read_dir(dir).ok());
        let paths = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let is_record = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        };
        let mut all: Vec<Trusted> = paths
            .filter(is_record)
            .filter_map(|path| read(&path))
            .collect();
        all.sort_by(|a, b| a.workspace.cmp(&b.workspace));
        all
    }

    fn path(&self, workspace: &Path) -> Result<PathBuf, TrustError> {
        let dir = self.dir.as_deref().ok_or(TrustError::Nowhere)?;
        let above = dir.ancestors().find_map(|dir| dir.canonicalize().ok());
        if above.is_some_and(|above| above.starts_with(workspace)) {
            return Err(TrustError::Within(dir.to_owned()));
        }
        let name = hex(digest(&SHA256, workspace.as_os_str().as_bytes()).as_ref());
        Ok(dir.join(name).with_extension("json"))
    }
}

fn shown(workspace: &Path) -> String {
    workspace.to_string_lossy().into_owned()
}

fn read(path: &Path) -> Option<Trusted> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
