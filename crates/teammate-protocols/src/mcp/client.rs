//! Servers of tools by the Model Context Protocol, for the members of a team.
//!
//! A server is described by [`ServerSettings`], started within the walls when it is first needed ([`Servers`]), and costs its own
//! calls only, whatever it does. Its tools become tools of the team: under the same rules, by names of their own. What it says of
//! itself is a stranger's text; what it offers is compared with what was accepted before ([`Listing`]).
//!
//! It is not for deciding whether a call may run, nor where entries come from.
//!
//! `settings` is an entry, `server` one server from its first need to its end, `connection` what is
//! asked of it, each within a deadline; `program` and `message` are the transport of a program,
//! `http` that of an address; `listing`, `schema` and `outcome` make of a stranger's words what a
//! model may read; `tools` is what members get (`docs/mcp.md`).
//!
//! - **What it says of itself is data**, and what changed is not called.

mod answer;
mod connection;
mod elicitation;
mod greeting;
mod handler;
mod http;
mod listing;
mod login;
mod name;
mod outcome;
mod program;
mod progress;
mod schema;
mod server;
mod servers;
mod settings;
mod surroundings;
mod timeouts;
mod tools;

pub use answer::ServerFailure;
pub use greeting::Greeting;
pub use listing::{Accepted, ListedPrompt, ListedTool, Listing, TOOLS_MAX};
pub use login::LoginError;
pub use name::{PREFIX, ServerName, ServerNameError};
pub use server::{ServerState, ToolServer};
pub use servers::{Offered, Servers};
pub use settings::{
    EntryOrigin, KEYS_OF_FILES, LoginSettings, Scope, ServerSettings, ServerTable, SettingsError,
    TransportSettings, Variables,
};
pub use surroundings::Surroundings;
pub use timeouts::ServerTimeouts;
