//! Servers of tools: `[mcp.NAME]` of the configuration file, the user's `mcp.json`, and files named by a flag.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use teammate::mcp::{Entries, OutsideServers, ServerTable, ServersFile};

use super::{Options, user_dirs};
use crate::next_steps::wording;

/// The entries of the configuration file, by name.
pub(super) type ServerTables = BTreeMap<String, ServerTable>;

/// The file that `teammate mcp add` writes, where the user has a configuration directory.
pub(crate) fn own_servers_file() -> Option<ServersFile> {
    let config = user_dirs().config?;
    Some(ServersFile::at(config.join("mcp.json")))
}

/// All entries of the user.
pub(super) fn entries(own: ServerTables, named: &[PathBuf]) -> anyhow::Result<Entries> {
    let mut entries = Entries {
        own,
        ..Entries::default()
    };
    if let Some(file) = own_servers_file() {
        entries.add_own(&file)?;
    }
    for file in named {
        entries.add_named(file)?;
    }
    Ok(entries)
}

impl Options {
    /// The servers of tools of this place, for a process that runs no team.
    pub(crate) async fn outside_servers(&self) -> anyhow::Result<OutsideServers> {
        let values = self.values()?;
        let rules = (values.rules(), values.sandbox()?);
        let (place, user) = (self.place(), user_dirs());
        let (entries, about) = (values.servers()?, (values.passed(), wording()));
        Ok(OutsideServers::at(&place, &user, &entries, rules, about).await?)
    }

    /// Notices about such entries: errors, and words without meaning. Starts and tries out nothing.
    pub(crate) fn said_of_servers(&self, workspace: &Path) -> anyhow::Result<Vec<String>> {
        let values = self.values()?;
        let found = values
            .servers()?
            .found(workspace, &user_dirs(), values.passed());
        Ok(found.notices)
    }
}
