//! `teammate hooks`: commands of yours at events of the team. What each subcommand does is in a file of its own.

mod list;
mod test;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use teammate::hooks::FoundHooks;

use super::{CliContext, CliResult, SharedOptions, Verb};
use crate::settings::user_dirs;

pub(super) use list::lines as hook_lines;

/// Hooks: commands of yours that run at events of the team, and may refuse them
#[derive(Args)]
pub(crate) struct Hooks {
    #[command(subcommand)]
    verb: HooksCommand,
}

#[derive(Subcommand)]
enum HooksCommand {
    List(list::List),
    Test(test::Test),
}

impl Verb for Hooks {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&["hooks", "sandbox"]);

    async fn run(self, place: &CliContext) -> CliResult {
        match self.verb {
            HooksCommand::List(command) => command.run(place),
            HooksCommand::Test(command) => command.run(place).await,
        }
    }
}

/// The hooks that count here.
pub(super) fn found(place: &CliContext) -> anyhow::Result<FoundHooks> {
    let workspace = place
        .dir
        .canonicalize()
        .with_context(|| format!("cannot use {} as a workspace", place.dir.display()))?;
    let sources = place.options.hook_sources()?;
    Ok(sources.found(&workspace, &user_dirs())?)
}
