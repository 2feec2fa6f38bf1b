//! Servers of tools: `[mcp.NAME]` of the configuration file, the user's `mcp.json`, and files named by a flag.

use std::{collections::BTreeMap, path::PathBuf};

use teammate::mcp::{Entries, ServerTable, ServersFile};

use super::user_dirs;

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
