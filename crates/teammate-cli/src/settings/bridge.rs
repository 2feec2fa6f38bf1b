//! The program that brings an agent of another make to its team's tools: this one, by a command that agents start.

use std::path::PathBuf;

/// The command below `teammate agents`; the directory of the socket comes behind.
pub(crate) const TEAM_TOOLS: &str = "team-tools";

/// The program and its first words.
pub(super) fn program() -> Option<(PathBuf, Vec<String>)> {
    let program = std::env::current_exe().ok()?;
    let words = ["agents", TEAM_TOOLS].map(str::to_owned);
    Some((program, words.to_vec()))
}
