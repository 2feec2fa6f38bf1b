//! Servers of tools: whose entries count, what was accepted of them, and how they are started for a team.

mod accepted;
mod entries;
mod file;
mod held;
mod outside;

pub use accepted::{AcceptError, AcceptedServers};
pub use entries::{Entries, EntriesError, FoundServers};
pub use file::{ServersFile, ServersFileError};
pub use held::servers;
pub use outside::OutsideServers;
pub use teammate_protocols::mcp::client::{
    Accepted, EntryOrigin, ListedPrompt, ListedTool, Listing, LoginError, Scope, ServerFailure,
    ServerName, ServerSettings, ServerState, ServerTable, Servers, SettingsError, Surroundings,
    ToolServer, TransportSettings, Variables,
};
