//! Installing plug-ins: fetched from a directory or a git repository, looked at as a whole, and kept once the user says yes to
//! exactly that. What an installed one holds is read elsewhere ([`Plugins`](crate::project::Plugins)).

mod fetch;
mod source;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use fetch::FetchError;
pub use source::{PluginSource, SourceError};

use crate::{
    project::{Plugin, PluginName, PluginRecord, PluginRecords, UserDirs},
    sandbox::SandboxRules,
};

/// Why a plug-in was not installed or removed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Another one of this name is there.
    #[error("there is a plug-in {0} already, from {1}; remove it first, or update it")]
    Taken(PluginName, String),
    /// There is none of this name.
    #[error("there is no plug-in {0}")]
    Unknown(PluginName),
    /// It could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The place that it was installed from is no source any more.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Files could not be written.
    #[error("the plug-in could not be stored: {0}")]
    Files(#[from] io::Error),
}

/// A plug-in that was fetched, and is not installed.
#[derive(Debug)]
pub struct Candidate {
    /// The plug-in that was found.
    pub plugin: Plugin,
    record: PluginRecord,
    records: PluginRecords,
    /// The directory that was made to look at it; removed with this.
    _scratch: Scratch,
}

impl Candidate {
    /// Fetches one that is not there yet.
    ///
    /// # Errors
    ///
    /// It is no plug-in, cannot be fetched, or its name is taken.
    pub async fn fetch(
        user: &UserDirs,
        source: &PluginSource,
        path: Option<&str>,
        held: SandboxRules,
    ) -> Result<Self, InstallError> {
        let candidate = Self::fetched(user, source, path, held).await?;
        let name = candidate.plugin.name();
        match candidate.records.get(name) {
            Some(other) => Err(InstallError::Taken(name.clone(), other.source)),
            None => Ok(candidate),
        }
    }

    /// Fetches an installed one anew, from where it is from.
    ///
    /// # Errors
    ///
    /// There is none of this name, or it cannot be fetched, or what is there now has another name.
    pub async fn fetch_anew(
        user: &UserDirs,
        name: &PluginName,
        held: SandboxRules,
    ) -> Result<Self, InstallError> {
        let record = PluginRecords::of_user(user).get(name);
        let record = record.ok_or_else(|| InstallError::Unknown(name.clone()))?;
        let source = PluginSource::parse(&record.source, Path::new("/"))?;
        let candidate = Self::fetched(user, &source, record.path.as_deref(), held).await?;
        match candidate.plugin.name() == name {
            true => Ok(candidate),
            false => Err(InstallError::Taken(
                candidate.plugin.name().clone(),
                record.source,
            )),
        }
    }

    async fn fetched(
        user: &UserDirs,
        source: &PluginSource,
        path: Option<&str>,
        held: SandboxRules,
    ) -> Result<Self, InstallError> {
        let records = PluginRecords::of_user(user);
        let scratch = Scratch::make(&records.made()?)?;
        let plugin = fetch::fetch(user, source, path, (scratch.path(), held)).await?;
        let record = PluginRecord {
            name: plugin.name().clone(),
            source: source.to_string(),
            path: path.map(str::to_owned),
            hash: plugin.hash(),
        };
        Ok(Self {
            plugin,
            record,
            records,
            _scratch: scratch,
        })
    }

    /// Whether exactly this is installed already.
    pub fn is_installed(&self) -> bool {
        let known = self.records.get(&self.record.name);
        let dir = self.records.dir_of(&self.record.name);
        known.is_some_and(|known| known.hash == self.record.hash)
            && Plugin::read(&dir).is_ok_and(|there| there.hash() == self.record.hash)
    }

    /// The user says yes: it takes the place of the one of its name, and counts from the next team on.
    ///
    /// # Errors
    ///
    /// Files could not be written. What is half done is not used: its hash is not the one that is remembered.
    pub fn install(self) -> Result<PluginRecord, InstallError> {
        let dir = self.records.dir_of(&self.record.name);
        let new = dir.with_file_name(format!(".{}.{}.new", self.record.name, std::process::id()));
        remove(&new)?;
        self.plugin.write_to(&new)?;
        remove(&dir)?;
        fs::rename(&new, &dir)?;
        self.records.put(&self.record)?;
        Ok(self.record)
    }
}

/// Removes an installed plug-in.
///
/// # Errors
///
/// There is none of this name, or it cannot be removed.
pub fn remove_plugin(user: &UserDirs, name: &PluginName) -> Result<(), InstallError> {
    match PluginRecords::of_user(user).remove(name)? {
        true => Ok(()),
        false => Err(InstallError::Unknown(name.clone())),
    }
}

fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A directory that is removed with this.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn make(below: &Path) -> io::Result<Self> {
        let dir = below.join(format!(".fetch.{}", std::process::id()));
        remove(&dir)?;
        fs::create_dir(&dir)?;
        Ok(Self(dir))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left decides nothing.
        let _ = remove(&self.0);
    }
}
