//! Servers of tools and agents, started for real: ones that conform, and the ways in which others misbehave. Each costs its own calls
//! and its own member only, and leaves nothing behind.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]

#[cfg(feature = "acp")]
mod agents;
#[cfg(feature = "mcp")]
mod servers;
