//! Parts of this program that agents of other makes, and trials of them, start: `teammate agents team-tools`, `tool-server` and
//! `play`. No commands for people.

use std::{io, path::PathBuf, process::ExitCode, sync::Arc};

use clap::Args;
use teammate::agents::{
    bridge,
    play_agent::{Conforming, Manners, serve},
    serve_tool,
};

use crate::commands::CliResult;

pub(super) const TOOL_SERVER: &str = "tool-server";

/// The program and its first words as the tool server; the file comes behind.
pub(super) fn tool_server() -> Option<(PathBuf, Vec<String>)> {
    let program = std::env::current_exe().ok()?;
    Some((program, ["agents", TOOL_SERVER].map(str::to_owned).to_vec()))
}

/// Bring an agent to its team's tools
#[derive(Args)]
#[command(hide = true)]
pub(super) struct TeamTools {
    /// The directory of the socket
    socket_dir: PathBuf,
}

/// Serve one tool to an agent that is tested
#[derive(Args)]
#[command(hide = true)]
pub(super) struct ToolServer {
    /// The file that a call of the tool writes
    file: PathBuf,
}

/// Be an agent without a model that does what its prompts say
#[derive(Args)]
#[command(hide = true)]
pub(super) struct Play {}

impl TeamTools {
    pub(super) fn run(&self) -> CliResult {
        bridge(&self.socket_dir, io::stdin(), io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ToolServer {
    pub(super) async fn run(&self) -> CliResult {
        serve_tool(tokio::io::stdin(), tokio::io::stdout(), &self.file).await?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Play {
    pub(super) fn run(&self) -> CliResult {
        let manners: Arc<dyn Manners> = Arc::new(Conforming);
        serve(&manners);
        Ok(ExitCode::SUCCESS)
    }
}
