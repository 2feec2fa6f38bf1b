//! `teammate plugin`: plug-ins, which are directories of skills, agents, commands, hooks and servers. What each subcommand does is
//! in a file of its own.

mod add;
mod list;
mod remove;
mod show;
mod update;

use clap::{Args, Subcommand};
use teammate::{
    audit::AuditTrail,
    plugins::Candidate,
    project::{ManifestError, PluginError, PluginRecord},
};

use super::{CliContext, CliResult, SharedOptions, Verb, ask_user, note, print_line};
use crate::{screen::clean_line, settings::user_dirs};

/// Plug-ins: skills, agents, commands, hooks and MCP servers that come together
#[derive(Args)]
pub(crate) struct Plugin {
    #[command(subcommand)]
    verb: PluginCommand,
}

#[derive(Subcommand)]
enum PluginCommand {
    Add(add::Add),
    List(list::List),
    Remove(remove::Remove),
    Update(update::Update),
}

impl Verb for Plugin {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&["sandbox"]);

    async fn run(self, place: &CliContext) -> CliResult {
        match self.verb {
            PluginCommand::Add(command) => command.run(place).await,
            PluginCommand::List(command) => command.run(),
            PluginCommand::Remove(command) => command.run(),
            PluginCommand::Update(command) => command.run(place).await,
        }
    }
}

/// Shows all of it and installs it after a yes; `None` if the user says no.
fn install(
    place: &CliContext,
    candidate: Candidate,
    (yes, command): (bool, &str),
) -> anyhow::Result<Option<PluginRecord>> {
    show::show(&candidate.plugin);
    let question = "Install it? What it brings counts in every workspace, until it changes. [y/N] ";
    if !yes && !ask_user(question, command)? {
        print_line("Not installed.");
        return Ok(None);
    }
    let record = candidate.install()?;
    let what = format!(
        "the plug-in {} from {}, with the hash {}",
        record.name, record.source, record.hash
    );
    let trail = AuditTrail::of(place.team(), &user_dirs());
    if let Err(error) = trail.and_then(|trail| trail.trusted(&what)) {
        note(&format!("This is not in the audit log: {error}"));
    }
    Ok(Some(record))
}

/// Plugins of a marketplace that was given in place of one, as lines of the error; none otherwise.
fn listed(error: &PluginError) -> Vec<String> {
    let PluginError::Manifest(ManifestError::Marketplace(listed)) = error else {
        return Vec::new();
    };
    let line = |plugin: &teammate::project::Listed| {
        format!(
            "  {}  {}",
            clean_line(&plugin.name),
            clean_line(&plugin.source)
        )
    };
    listed.iter().map(line).collect()
}
