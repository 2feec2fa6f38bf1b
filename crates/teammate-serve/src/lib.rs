//! Doors by which other programs drive a team, with the rights of the user who opened the door: an MCP server
//! ([`McpServer`]).
//!
//! It knows the library only, looks at teams as any other process does, and starts nothing itself: what runs a team is started by
//! the program around it ([`HostProgram`]), so that a client which ends its server does not end the team.
//!
//! `mcp` is the MCP server: a file for each tool in `mcp/tools`, the bounded lines of standard
//! input and output in `mcp/lines`, the guard before HTTP in `mcp/http`; protocol and schemas of
//! messages are the SDK's. `standing` says how a team stands.
//!
//! - **No client says who it is or which team it means**; nothing depends on a handshake.
//! - **No call blocks for minutes**, and none is left without an answer: what cannot be used is
//!   answered with an error.

mod host_program;
mod mcp;
mod served_team;
mod standing;

pub use host_program::{FirstJob, HostProgram};
pub use mcp::{
    McpServer,
    http::{AccessKey, serve_http},
    stdio::serve_lines,
};
pub use served_team::ServedTeam;
