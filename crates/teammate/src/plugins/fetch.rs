//! Brings a plug-in here, to look at it: a directory as it is, a repository by the held git.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::ProgramStarter;
use teammate_git::clone;
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox, environment::allowed_environment};

use super::PluginSource;
use crate::{
    TeamError,
    policy::MachinePolicy,
    project::{Plugin, PluginError, UserDirs},
    sandbox::{SandboxRules, try_out},
};

/// Where a repository is cloned to, and what its git has besides, in a directory of their own.
const CLONE: &str = "clone";
const PLACE: &str = "place";

/// Why a plug-in was not brought here.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The fetched directory is no plug-in.
    #[error("{from} is no plug-in that can be used: {error}")]
    Plugin {
        /// Where.
        from: String,
        /// Why.
        error: PluginError,
    },
    /// The directory in it is none.
    #[error("there is no directory '{path}' in {from}")]
    NoPath {
        /// Where.
        from: String,
        /// Which.
        path: String,
    },
    /// Git could not clone it.
    #[error("git could not clone {from}: {why}")]
    Git {
        /// Where.
        from: String,
        /// Why.
        why: String,
    },
    /// The sandbox or the machine's policy refuses it.
    #[error(transparent)]
    Held(#[from] Box<TeamError>),
    /// Files could not be written.
    #[error("{0}")]
    Files(#[from] io::Error),
}

/// The plug-in at a source, or in a directory of it. `scratch` is an empty directory.
pub(super) async fn fetch(
    user: &UserDirs,
    source: &PluginSource,
    path: Option<&str>,
    (scratch, held): (&Path, SandboxRules),
) -> Result<Plugin, FetchError> {
    let whole = match source {
        PluginSource::Directory(dir) => dir.clone(),
        PluginSource::Git(address) => cloned(user, address, (scratch, held)).await?,
    };
    let dir = match path {
        Some(path) => below(&whole, path).ok_or_else(|| FetchError::NoPath {
            from: source.to_string(),
            path: path.to_owned(),
        })?,
        None => whole,
    };
    Plugin::read(&dir).map_err(|error| FetchError::Plugin {
        from: source.to_string(),
        error,
    })
}

/// A directory below another, through no link.
fn below(whole: &Path, path: &str) -> Option<PathBuf> {
    let dir = whole.join(path).canonicalize().ok()?;
    let whole = whole.canonicalize().ok()?;
    (dir.starts_with(whole) && dir.is_dir()).then_some(dir)
}

async fn cloned(
    user: &UserDirs,
    address: &str,
    (scratch, mut held): (&Path, SandboxRules),
) -> Result<PathBuf, FetchError> {
    let boxed = |error: TeamError| FetchError::Held(Box::new(error));
    let policy = MachinePolicy::of_machine().map_err(|error| boxed(error.into()))?;
    if let Some(policy) = &policy {
        held = policy.sandbox(held).map_err(|error| boxed(error.into()))?.0;
    }
    let (place, work) = (scratch.join(PLACE), scratch.join(CLONE));
    fs::create_dir(&place)?;
    fs::create_dir(&work)?;
    held.hidden.extend(user.config.clone());
    let sandbox = TeamSandbox::new(held, []);
    let tried = try_out(sandbox, (work.clone(), place.clone()), policy.as_ref()).await;
    let (sandbox, _) = tried.map_err(boxed)?;
    let all = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let environment = allowed_environment(all, &[]);
    let dirs = (&*work, &*place);
    let programs = HeldPrograms::new(sandbox, dirs, environment, Leftovers::default());
    let programs: Arc<dyn ProgramStarter> = Arc::new(programs);
    let into = work.join("it");
    let by = PluginSource::by(address);
    let done = clone(
        programs,
        (address, by),
        &into,
        PluginSource::network(address),
    );
    done.await.map_err(|why| FetchError::Git {
        from: address.to_owned(),
        why,
    })?;
    Ok(into)
}
