//! The Model Context Protocol: servers of tools that members use ([`client`]), and serving tools to a program ([`server`]).

#[cfg(feature = "mcp")]
pub mod client;
#[cfg(feature = "mcp-server")]
pub mod server;
