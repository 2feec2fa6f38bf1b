//! `teammate mcp get`: an entry, and what was accepted of the server, without starting it.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use teammate::mcp::{Accepted as _, ListedTool, TransportSettings};

use super::{known, origin_word, server};
use crate::{
    commands::{CliContext, CliResult, print_json, print_line},
    screen::{Style, clean_block, clean_line},
};

/// Show an MCP server and the tools that you accepted of it, without starting it
#[derive(Args)]
pub(super) struct Get {
    /// What it is called
    name: String,

    /// Print JSON, with the schemas of the tools
    #[arg(long)]
    json: bool,
}

impl Get {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let known = known(place).await?;
        let server = server(&known, &self.name)?;
        let settings = server.settings();
        let accepted = known.accepted.of(&settings.fingerprint());
        if self.json {
            print_json(&json!({
                "name": settings.name.as_str(),
                "origin": origin_word(settings.origin),
                "reached_by": settings.describe(),
                "accepted": accepted,
            }));
            return Ok(ExitCode::SUCCESS);
        }
        print_line(format!("{} ({})", settings.name, settings.origin.as_str()));
        print_line(format!("  {}", clean_line(&settings.describe())));
        let (what, names) = match &settings.transport {
            TransportSettings::Program { environment, .. } => ("environment", environment),
            TransportSettings::Http { headers, .. } => ("headers", headers),
        };
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            print_line(format!("  {what}: {}", clean_line(&names.join(", "))));
        }
        match accepted {
            None => print_line(format!(
                "  It was not used yet: teammate mcp test {}",
                settings.name
            )),
            Some(listing) => {
                print_line(format!("  {} tools accepted:", listing.tools.len()));
                listing.tools.iter().for_each(print_tool);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A tool as it calls and describes itself.
pub(super) fn print_tool(tool: &ListedTool) {
    let style = Style::for_stdout();
    print_line(format!("  {}", style.bold(&clean_line(&tool.called))));
    if !tool.description.is_empty() {
        print_line(clean_block(&tool.description, "    "));
    }
}
