//! Rosters that other programs wrote: `config.json` as the teaching versions of agent teams keep it.
//!
//! Read once, to take their members over. Our own `config.json` (see [`views`](crate::views)) reads the same way.

use std::{io, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;
use teammate_core::port::Disk;

use crate::files::TeamDir;

/// A roster, as far as it could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    /// The team's name, if it has one.
    pub team_name: Option<String>,
    /// Its members, in order. Names are as they were found, not yet checked.
    pub members: Vec<RosterMember>,
    /// What was left out, for a person.
    pub damaged: Vec<String>,
}

/// A member of such a roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RosterMember {
    /// The name, unchecked.
    pub name: String,
    /// What it is for; empty if it does not say.
    pub role: String,
    /// Whether it had been shut down. Any other status means that it can go on.
    pub stopped: bool,
}

/// What `config.json` holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigFile {
    /// There is none.
    Missing,
    /// A roster.
    Roster(Roster),
    /// Nothing that can be read. It was moved aside, so that it is not overwritten.
    Damaged {
        /// What is wrong with it.
        why: String,
        /// Where it is now.
        kept_in: PathBuf,
    },
}

#[derive(Deserialize)]
struct Config {
    team_name: Option<Value>,
    #[serde(default)]
    members: Vec<Value>,
}

/// Reads the team's `config.json`; one that cannot be read is moved to `config.json.bad` (or `.bad.2`, …).
pub fn read_config(disk: &dyn Disk, dir: &TeamDir) -> io::Result<ConfigFile> {
    let bytes = match disk.read(&dir.config()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ConfigFile::Missing),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return set_aside(disk, dir, error.to_string());
        }
        Err(error) => return Err(error),
    };
    match serde_json::from_slice::<Config>(&bytes) {
        Ok(config) => Ok(ConfigFile::Roster(roster(config))),
        Err(error) => set_aside(disk, dir, error.to_string()),
    }
}

fn roster(config: Config) -> Roster {
    let mut roster = Roster {
        team_name: config
            .team_name
            .and_then(|name| name.as_str().map(str::to_owned)),
        ..Roster::default()
    };
    for value in config.members {
        match member(&value) {
            Some(member) => roster.members.push(member),
            None => roster
                .damaged
                .push(format!("a member without a name: {value}")),
        }
    }
    roster
}

fn member(value: &Value) -> Option<RosterMember> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    // A bare name will do.
    let name = value.as_str().or_else(|| text("name"))?;
    Some(RosterMember {
        name: name.to_owned(),
        role: text("role").unwrap_or_default().to_owned(),
        stopped: text("status") == Some("shutdown"),
    })
}

/// Keeps a copy of the team's `config.json` as it was found: the view of the roster takes its place. Returns where the copy is.
pub fn keep_config(disk: &dyn Disk, dir: &TeamDir) -> io::Result<PathBuf> {
    let kept_in = free_name(disk, dir, "found")?;
    disk.write(&kept_in, &disk.read(&dir.config())?)?;
    disk.sync_file(&kept_in)?;
    Ok(kept_in)
}

fn set_aside(disk: &dyn Disk, dir: &TeamDir, why: String) -> io::Result<ConfigFile> {
    let kept_in = free_name(disk, dir, "bad")?;
    disk.rename(&dir.config(), &kept_in)?;
    Ok(ConfigFile::Damaged { why, kept_in })
}

/// `config.json.ENDING`, or the first of `config.json.ENDING.2`, ... that is free.
fn free_name(disk: &dyn Disk, dir: &TeamDir, ending: &str) -> io::Result<PathBuf> {
    let config = dir.config();
    let named = |number: u32| match number {
        1 => config.with_extension(format!("json.{ending}")),
        number => config.with_extension(format!("json.{ending}.{number}")),
    };
    (1..)
        .map(named)
        .find(|path| !disk.exists(path))
        .ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}
