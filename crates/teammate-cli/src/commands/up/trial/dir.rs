//! The directory that a trial leaves nothing beside: the server's streams, a home of its own, a directory for each worker.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::PathBuf,
};

use anyhow::Context as _;
use teammate::project::UserDirs;

/// The play that the members speak.
const PLAY: &str = include_str!("../../../../plays/machines.json");

/// It is removed when it is dropped.
pub(super) struct TrialDir(PathBuf);

impl TrialDir {
    pub(super) fn make() -> anyhow::Result<Self> {
        let temp = std::env::temp_dir();
        let temp = temp
            .canonicalize()
            .with_context(|| format!("cannot use {}", temp.display()))?;
        let dir = Self(temp.join(format!("teammate-try-{}", std::process::id())));
        dir.filled()
            .with_context(|| format!("cannot make {}", dir.0.display()))?;
        Ok(dir)
    }

    fn filled(&self) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(&self.0)?;
        for below in ["home", "config", "state", "server", "look"] {
            fs::create_dir(self.0.join(below))?;
        }
        fs::write(self.play(), PLAY)
    }

    /// Removes all of it.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.0).with_context(|| format!("cannot remove {}", self.0.display()))
    }

    pub(super) fn play(&self) -> PathBuf {
        self.0.join("play.json")
    }

    pub(super) fn server(&self) -> PathBuf {
        self.0.join("server")
    }

    /// Where this process looks at the team from.
    pub(super) fn workspace(&self) -> PathBuf {
        self.0.join("look")
    }

    /// A worker's own directory, made.
    pub(super) fn of_worker(&self, name: &str) -> io::Result<PathBuf> {
        let dir = self.0.join(name);
        fs::create_dir(&dir)?;
        Ok(dir)
    }

    /// The variables by which programs find a home that is not the user's.
    pub(super) fn variables(&self) -> [(&'static str, PathBuf); 6] {
        let home = self.0.join("home");
        [
            ("HOME", home.clone()),
            ("XDG_CONFIG_HOME", self.0.join("config")),
            ("XDG_STATE_HOME", self.0.join("state")),
            ("XDG_DATA_HOME", home.join("data")),
            ("XDG_CACHE_HOME", home.join("cache")),
            ("TMPDIR", self.0.clone()),
        ]
    }

    /// The directories of the user for this process.
    pub(super) fn user(&self) -> UserDirs {
        UserDirs {
            config: Some(self.0.join("config/teammate")),
            state: Some(self.0.join("state/teammate")),
        }
    }
}

impl Drop for TrialDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
