//! Servers of tools: whose entries count, what was accepted of them, and how they are started for a team.

mod accepted;
mod entries;
mod file;
mod outside;

use std::{path::Path, sync::Arc};

use teammate_core::{next_step::Wording, permission::Rule};
use teammate_tools::{FiledOutputs, HeldPrograms, Leftovers, TeamSandbox};

pub use accepted::{AcceptError, AcceptedServers};
pub use entries::{Entries, EntriesError, Found};
pub use file::{ServersFile, ServersFileError};
pub use outside::OutsideServers;
pub use teammate_mcp::{
    Accepted, Failure, ListedPrompt, ListedTool, Listing, Origin, Scope, Server, ServerName,
    ServerSettings, ServerState, ServerTable, Servers, SettingsError, Surroundings,
    TransportSettings, Variables,
};

/// Servers that are started within these walls.
pub fn servers(
    settings: Vec<ServerSettings>,
    (root, team_dir): (&Path, &Path),
    environment: Vec<(String, String)>,
    (deny, wording): (Vec<Rule>, Wording),
    (sandbox, leftovers): (TeamSandbox, Leftovers),
) -> Servers {
    let programs = HeldPrograms::new(sandbox, (root, team_dir), environment, leftovers);
    let surroundings = Surroundings::new(
        Arc::new(programs),
        Arc::new(FiledOutputs),
        root.to_owned(),
        deny,
        wording,
    );
    Servers::new(settings, surroundings)
}
