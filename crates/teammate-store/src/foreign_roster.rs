//! Rosters of other programs: `config.json` as the tutorials on agent teams write it.
//!
//! Read once, to adopt their members. Our own `config.json` ([`view_files`](crate::view_files)) has
//! the same form.

use std::{io, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;
use teammate_core::port::Disk;

use crate::files::TeamDir;

/// The readable part of a roster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForeignRoster {
    /// The team's name, if it has one.
    pub team_name: Option<String>,
    /// Its members, in order. Names are not checked yet.
    pub members: Vec<ForeignMember>,
    /// The parts that were left out, in sentences for the user.
    pub damaged: Vec<String>,
}

/// A member of such a roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignMember {
    /// The name, unchecked.
    pub name: String,
    /// Its role; empty if there is none.
    pub role: String,
    /// True if its status is `shutdown`; with any other status it can continue.
    pub stopped: bool,
}

/// The content of `config.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForeignConfig {
    Missing,
    Roster(ForeignRoster),
    /// An unreadable file. It was moved aside, so that it is not overwritten.
    Damaged {
        /// The fault of the file.
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
pub fn read_foreign_config(disk: &dyn Disk, dir: &TeamDir) -> io::Result<ForeignConfig> {
    let bytes = match disk.read(&dir.config()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ForeignConfig::Missing),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return quarantine_config(disk, dir, error.to_string());
        }
        Err(error) => return Err(error),
    };
    match serde_json::from_slice::<Config>(&bytes) {
        Ok(config) => Ok(ForeignConfig::Roster(roster(config))),
        Err(error) => quarantine_config(disk, dir, error.to_string()),
    }
}

/// Reads a roster of this form, ours or another program's.
pub fn read_roster(bytes: &[u8]) -> serde_json::Result<ForeignRoster> {
    serde_json::from_slice(bytes).map(roster)
}

fn roster(config: Config) -> ForeignRoster {
    let mut roster = ForeignRoster {
        team_name: config
            .team_name
            .and_then(|name| name.as_str().map(str::to_owned)),
        ..ForeignRoster::default()
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

fn member(value: &Value) -> Option<ForeignMember> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    // A bare name is a member without a role.
    let name = value.as_str().or_else(|| text("name"))?;
    Some(ForeignMember {
        name: name.to_owned(),
        role: text("role").unwrap_or_default().to_owned(),
        stopped: text("status") == Some("shutdown"),
    })
}

/// Copies the team's `config.json` as it was found, since the view file replaces it. Returns the
/// copy's path.
pub fn keep_foreign_config(disk: &dyn Disk, dir: &TeamDir) -> io::Result<PathBuf> {
    let kept_in = free_name(disk, dir, "found")?;
    disk.write(&kept_in, &disk.read(&dir.config())?)?;
    disk.sync_file(&kept_in)?;
    Ok(kept_in)
}

fn quarantine_config(disk: &dyn Disk, dir: &TeamDir, why: String) -> io::Result<ForeignConfig> {
    let kept_in = free_name(disk, dir, "bad")?;
    disk.rename(&dir.config(), &kept_in)?;
    Ok(ForeignConfig::Damaged { why, kept_in })
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
