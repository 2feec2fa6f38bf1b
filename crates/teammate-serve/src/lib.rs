//! Other programs drive a team, with the rights of the user who starts this: agents and programs by the Model Context Protocol
//! ([`mcp`]), editors by the Agent Client Protocol ([`acp`]), programs that were written for `claude -p` by its own lines
//! ([`claude`]). Lines and JSON-RPC are `teammate-protocols`'.
//!
//! The first looks at teams as any other process does, and starts nothing itself: what runs a team is started by the program around
//! it, so that a client which ends its server does not end the team. The others run their teams in this process.
//!
//! - **No client says who it is or which team it means**; nothing depends on a handshake.
//! - **No call blocks for minutes**, and none is left without an answer: what cannot be used is
//!   answered with an error.

// A text that is cut at an offset of another one would end what an editor looks at.
#![cfg_attr(not(test), warn(clippy::string_slice))]

#[cfg(feature = "acp")]
pub mod acp;
#[cfg(feature = "acp")]
pub mod claude;
#[cfg(feature = "acp")]
mod door;
#[cfg(feature = "mcp")]
pub mod mcp;
