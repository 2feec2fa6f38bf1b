//! The MCP server as clients have it: a team with a play in place of a model, run in this process, behind two ends of a pipe or a
//! socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod hostile;
mod http;
mod sdk;
mod stories;
mod transcripts;
mod wire;
mod world;
