//! The record of each installed plug-in: where it is from, and the hash of what the user said yes to.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use teammate_store::disk::read_regular;

use super::PluginName;
use crate::project::UserDirs;

/// Below the state directory.
const DIR: &str = "plugins";

/// An installed plug-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginRecord {
    /// The name of the plug-in.
    pub name: PluginName,
    /// The source that it was installed from, as it was given; a path is absolute.
    pub source: String,
    /// The directory in that, if it is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The hash of what the user said yes to.
    pub hash: String,
}

/// The records of a user. Without a state directory there are none.
#[derive(Debug, Clone)]
pub struct PluginRecords {
    dir: Option<PathBuf>,
}

impl PluginRecords {
    /// Those of this user.
    pub fn of_user(user: &UserDirs) -> Self {
        Self {
            dir: user.state.as_ref().map(|state| state.join(DIR)),
        }
    }

    /// All that can be read, by name.
    pub fn list(&self) -> Vec<PluginRecord> {
        let entries = self.dir.as_deref().and_then(|dir| fs::read_dir(dir).ok());
        let paths = entries.into_iter().flatten().flatten();
        let paths = paths.map(|entry| entry.path());
        let read = |path: PathBuf| {
            let name = path
                .file_name()?
                .to_str()?
                .strip_suffix(".json")?
                .to_owned();
            let record: PluginRecord = serde_json::from_slice(&read_regular(&path).ok()?).ok()?;
            (record.name.as_str() == name).then_some(record)
        };
        let mut records: Vec<PluginRecord> = paths.filter_map(read).collect();
        records.sort_by(|a, b| a.name.cmp(&b.name));
        records
    }

    /// The record of this name.
    pub fn get(&self, name: &PluginName) -> Option<PluginRecord> {
        let mut all = self.list().into_iter();
        all.find(|record| record.name == *name)
    }

    /// Where the plug-in of this name is.
    pub fn dir_of(&self, name: &PluginName) -> PathBuf {
        self.dir.clone().unwrap_or_default().join(name.as_str())
    }

    /// Where plug-ins and their records are, made if it is not there.
    pub(crate) fn made(&self) -> io::Result<PathBuf> {
        let dir = self.dir.clone().ok_or_else(|| {
            io::Error::other("there is no directory to store it in (HOME is not set)")
        })?;
        fs::create_dir_all(&dir)?;
        Ok(dir)
    }

    /// Remembers one, wholly or not at all.
    pub(crate) fn put(&self, record: &PluginRecord) -> io::Result<()> {
        let dir = self.made()?;
        let path = dir.join(format!("{}.json", record.name));
        let new = dir.join(format!(".{}.{}.tmp", record.name, std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(&new)?;
        file.write_all(&serde_json::to_vec(record)?)?;
        file.sync_all()?;
        fs::rename(&new, &path)
    }

    /// Forgets one, and removes it; false if there is none.
    pub(crate) fn remove(&self, name: &PluginName) -> io::Result<bool> {
        let dir = self.made()?;
        let was_there = match fs::remove_file(dir.join(format!("{name}.json"))) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        match fs::remove_dir_all(self.dir_of(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(was_there),
            Err(error) => Err(error),
        }
    }
}
