//! The servers' tools as the user accepted them, in the user's state directory. Members know a server by it before it is
//! started, and a tool that differs from it is not called.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde::{Deserialize, Serialize};
use teammate_core::lock::Hold;
use teammate_protocols::mcp::client::{Accepted, Listing, ServerSettings};

use crate::project::{UserDirs, UserState, UserStateError};

/// Why something accepted is not kept.
pub type AcceptError = UserStateError;

/// The servers of a workspace that the user accepted, with their lists of tools.
#[derive(Debug)]
pub struct AcceptedServers {
    kept: UserState,
    workspace: PathBuf,
    known: Mutex<Known>,
}

/// By the name of the server.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Known {
    servers: BTreeMap<String, AcceptedServer>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct AcceptedServer {
    /// Of what it is started as.
    fingerprint: String,
    listing: Listing,
}

impl AcceptedServers {
    /// The accepted servers of this workspace, which must be resolved. A record that cannot be read counts as none: then
    /// servers are asked anew.
    pub fn of(workspace: &Path, user: &UserDirs) -> Self {
        let kept = UserState::at(user.state.as_deref(), "mcp");
        let known = kept.read(workspace).ok().flatten();
        Self {
            kept,
            workspace: workspace.to_owned(),
            known: Mutex::new(known.unwrap_or_default()),
        }
    }

    /// Keeps what a server offers now in the place of what it offered.
    ///
    /// # Errors
    ///
    /// It counts until the program ends, but is not kept.
    pub fn accept(&self, settings: &ServerSettings, listing: &Listing) -> Result<(), AcceptError> {
        let server = AcceptedServer {
            fingerprint: settings.fingerprint(),
            listing: listing.clone(),
        };
        let name = settings.name.as_str().to_owned();
        self.known
            .hold()
            .servers
            .insert(name.clone(), server.clone());
        // Another process may have accepted others meanwhile.
        let _lock = self.kept.lock()?;
        let mut all: Known = self
            .kept
            .read(&self.workspace)
            .ok()
            .flatten()
            .unwrap_or_default();
        all.servers.insert(name, server);
        self.kept.write(&self.workspace, &all)
    }

    /// Forgets what was accepted of the server of this name; false if there is nothing.
    ///
    /// # Errors
    ///
    /// The record cannot be written.
    pub fn forget(&self, name: &str) -> Result<bool, AcceptError> {
        self.known.hold().servers.remove(name);
        let _lock = self.kept.lock()?;
        let mut all: Known = self
            .kept
            .read(&self.workspace)
            .ok()
            .flatten()
            .unwrap_or_default();
        let was_there = all.servers.remove(name).is_some();
        if was_there {
            self.kept.write(&self.workspace, &all)?;
        }
        Ok(was_there)
    }
}

impl Accepted for AcceptedServers {
    fn of(&self, fingerprint: &str) -> Option<Listing> {
        let find = |known: &Known| {
            let mut servers = known.servers.values();
            let found = servers.find(|server| server.fingerprint == fingerprint);
            found.map(|server| server.listing.clone())
        };
        find(&self.known.hold())
    }

    fn refreshed(&self, fingerprint: &str) -> Option<Listing> {
        if let Ok(Some(known)) = self.kept.read(&self.workspace) {
            *self.known.hold() = known;
        }
        Accepted::of(self, fingerprint)
    }

    fn accept(&self, settings: &ServerSettings, listing: &Listing) -> Result<(), String> {
        self.accept(settings, listing)
            .map_err(|error| error.to_string())
    }
}
