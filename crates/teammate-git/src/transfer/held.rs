//! The memory of this machine of a member's place: under which term its work is here, and how it was when it was last saved
//! or brought. It is kept in the team's directory, where members do not see it.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    MemberName,
    port::TransferError,
    team::{CommitId, Term},
};

use teammate_process::resolved;

use super::save::Snapshot;

/// The directory below the team's own.
const CARRIED: &str = "carried";

/// Where it is remembered for one member.
pub(super) struct Held {
    path: PathBuf,
}

/// Whose the files in a place are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Holder {
    /// The member works or worked here under that term.
    Here,
    /// It works elsewhere: they are a copy.
    Elsewhere,
}

/// The remembered commits of a member's work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HeldWork {
    pub(super) term: Term,
    pub(super) holder: Holder,
    /// How it was, if it was ever saved or brought.
    pub(super) last: Option<LastSeen>,
}

/// How a place was when it was last saved or brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastSeen {
    pub(super) head: CommitId,
    pub(super) tree: CommitId,
    pub(super) saved: CommitId,
}

impl LastSeen {
    /// Whether nothing has changed since.
    pub(super) fn is(&self, snapshot: &Snapshot) -> bool {
        (&self.head, &self.tree) == (&snapshot.head, &snapshot.tree)
    }
}

impl Held {
    pub(super) fn of(team_dir: &Path, member: &MemberName) -> Self {
        let path = team_dir.join(CARRIED).join(format!("{member}.json"));
        Self { path }
    }

    /// Nothing if the member never worked here, or if it cannot be read: then what is here is put aside before other work comes.
    pub(super) fn read(&self) -> Option<HeldWork> {
        let mut file = resolved::open_file(&self.path).ok()?;
        let mut text = String::new();
        std::io::Read::read_to_string(&mut file, &mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    pub(super) fn write(&self, known: &HeldWork) -> Result<(), TransferError> {
        let text = serde_json::to_string(known).expect("names and numbers are JSON");
        let beside = self.path.with_extension("new");
        let write = || {
            let mut file = resolved::new_file(&beside)?;
            file.write_all(text.as_bytes())?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|error| TransferError::Io {
            what: format!("{} cannot be written", self.path.display()),
            why: error.to_string(),
        })
    }
}
