//! `teammate mcp`: the Model Context Protocol. What each subcommand does is in a file of its own.

mod accept;
mod add;
mod get;
mod list;
mod login;
mod remove;
mod serve;
mod test;

use anyhow::bail;
use clap::{Args, Subcommand};
use teammate::mcp::{EntryOrigin, OutsideServers, ToolServer};

use super::{CliContext, CliResult, SharedOptions, Verb, note};

/// MCP, the Model Context Protocol: servers of tools for your team, and your team as a server
#[derive(Args)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    verb: McpCommand,
}

#[derive(Subcommand)]
enum McpCommand {
    List(list::List),
    Add(add::Add),
    Remove(remove::Remove),
    Get(get::Get),
    Test(test::Test),
    Accept(accept::Accept),
    Login(login::Login),
    Serve(serve::Serve),
}

impl Verb for Mcp {
    const SHARED: SharedOptions = SharedOptions::All;

    fn finds_team(&self) -> bool {
        matches!(self.verb, McpCommand::Serve(_))
    }

    async fn run(self, place: &CliContext) -> CliResult {
        match self.verb {
            McpCommand::List(command) => command.run(place).await,
            McpCommand::Add(command) => command.run(place),
            McpCommand::Remove(command) => command.run(place),
            McpCommand::Get(command) => command.run(place).await,
            McpCommand::Test(command) => command.run(place).await,
            McpCommand::Accept(command) => command.run(place).await,
            McpCommand::Login(command) => command.run(place).await,
            McpCommand::Serve(command) => command.run(place.clone()).await,
        }
    }
}

/// The servers that count here; what the user should know is said.
async fn known(place: &CliContext) -> anyhow::Result<OutsideServers> {
    let known = place.options.outside_servers().await?;
    for notice in &known.notices {
        note(notice);
    }
    Ok(known)
}

/// The server of this name.
fn server<'a>(known: &'a OutsideServers, name: &str) -> anyhow::Result<&'a ToolServer> {
    if let Some(server) = known.servers.get(name) {
        return Ok(server);
    }
    if known.untrusted.iter().any(|untrusted| untrusted == name) {
        bail!(
            "the MCP server '{name}' is in .mcp.json, which you have not trusted as it is; look at it with `teammate trust`"
        );
    }
    let all = known.servers.all().iter();
    let names: Vec<&str> = all.map(|server| server.settings().name.as_str()).collect();
    match names.is_empty() {
        true => bail!("there is no MCP server; add one with `teammate mcp add NAME -- COMMAND`"),
        false => bail!(
            "there is no MCP server '{name}'; known are {}",
            names.join(", ")
        ),
    }
}

/// Whose entry it is, for JSON.
fn origin_word(origin: EntryOrigin) -> &'static str {
    match origin {
        EntryOrigin::User => "user",
        EntryOrigin::CommandLine => "command-line",
        EntryOrigin::Project => "project",
        EntryOrigin::Plugin => "plugin",
    }
}
