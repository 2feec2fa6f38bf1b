//! `teammate agents tool-server`: the server of one tool that an agent is given while it is tried. No command for people.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use teammate::agents::serve_tool;

use crate::commands::CliResult;

/// What the command is called.
pub(super) const NAME: &str = "tool-server";

/// The program and its first words; the file comes behind.
pub(super) fn program() -> Option<(PathBuf, Vec<String>)> {
    let program = std::env::current_exe().ok()?;
    Some((program, ["agents", NAME].map(str::to_owned).to_vec()))
}

/// Serve one tool to an agent that is tested
#[derive(Args)]
#[command(hide = true)]
pub(super) struct ToolServer {
    /// The file that a call of the tool writes
    file: PathBuf,
}

impl ToolServer {
    pub(super) async fn run(&self) -> CliResult {
        serve_tool(tokio::io::stdin(), tokio::io::stdout(), &self.file).await?;
        Ok(ExitCode::SUCCESS)
    }
}
