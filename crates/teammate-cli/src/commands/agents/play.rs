//! `teammate agents play`: an agent without a model, which does what its prompts say. For demonstrations and tests; no command for people.

use std::{process::ExitCode, sync::Arc};

use clap::Args;
use teammate::agents::play_agent::{Conforming, Manners, serve};

use crate::commands::CliResult;

/// Be an agent without a model that does what its prompts say
#[derive(Args)]
#[command(hide = true)]
pub(super) struct Play {}

impl Play {
    pub(super) fn run(&self) -> CliResult {
        let manners: Arc<dyn Manners> = Arc::new(Conforming);
        serve(&manners);
        Ok(ExitCode::SUCCESS)
    }
}
