//! `teammate agents team-tools`: brings an agent of another make to the team's tools. Agents start it; no command for people.

use std::{io, path::PathBuf, process::ExitCode};

use clap::Args;
use teammate::agents::bridge;

use crate::commands::CliResult;

/// Bring an agent to its team's tools
#[derive(Args)]
#[command(hide = true)]
pub(super) struct TeamTools {
    /// The directory of the socket
    socket_dir: PathBuf,
}

impl TeamTools {
    pub(super) fn run(&self) -> CliResult {
        bridge(&self.socket_dir, io::stdin(), io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}
