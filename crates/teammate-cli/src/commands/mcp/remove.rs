//! `teammate mcp remove`: removes an entry that `add` wrote, and forgets what was accepted of the server.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use teammate::mcp::{AcceptedServers, ServersFile};

use crate::{
    commands::{CliContext, CliResult, print_line},
    settings::{own_servers_file, user_dirs},
};

/// Remove an MCP server from your own file, or from the workspace's
#[derive(Args)]
pub(super) struct Remove {
    /// What it is called
    name: String,

    /// Remove it from the workspace's .mcp.json
    #[arg(long)]
    project: bool,
}

impl Remove {
    pub(super) fn run(self, place: &CliContext) -> CliResult {
        let project = ServersFile::at(place.dir.join(".mcp.json"));
        let file = match self.project {
            true => Some(project),
            false => own_servers_file(),
        };
        let mut is_removed = false;
        if let Some(file) = &file {
            is_removed = file.remove(&self.name)?;
        }
        if let Ok(workspace) = place.dir.canonicalize() {
            AcceptedServers::of(&workspace, &user_dirs()).forget(&self.name)?;
        }
        match (is_removed, file) {
            (true, Some(file)) => {
                print_line(format!(
                    "Removed '{}' from {}",
                    self.name,
                    file.path().display()
                ));
                Ok(ExitCode::SUCCESS)
            }
            _ => bail!(
                "'{}' is not in that file. If `teammate mcp list` shows it, it is in your configuration file ([mcp.{}]) or in .mcp.json (--project)",
                self.name,
                self.name
            ),
        }
    }
}
