//! This program as external agents have it: it brings one to its team's tools, and is one itself in demonstrations.

use std::path::PathBuf;

use teammate::agents::AgentTable;

/// The command below `teammate agents`; the directory of the socket comes behind.
pub(crate) const TEAM_TOOLS: &str = "team-tools";

/// The program and its first words.
pub(super) fn program() -> Option<(PathBuf, Vec<String>)> {
    let program = std::env::current_exe().ok()?;
    let words = ["agents", TEAM_TOOLS].map(str::to_owned);
    Some((program, words.to_vec()))
}

/// The entry of an agent without a model, which does what its prompts say.
pub(super) fn guest() -> Option<(String, AgentTable)> {
    let program = std::env::current_exe().ok()?;
    let table = AgentTable {
        command: vec![
            program.display().to_string(),
            "agents".into(),
            "play".into(),
        ],
        ..AgentTable::default()
    };
    Some(("guest".to_owned(), table))
}
