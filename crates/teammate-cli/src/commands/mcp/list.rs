//! `teammate mcp list`: the servers that count here, without starting any.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use teammate::mcp::Accepted as _;

use super::{known, origin_word};
use crate::{
    commands::{CliContext, CliResult, print_json, print_line},
    screen::{Style, clean_line},
};

/// List the MCP servers that count here, without starting any
#[derive(Args)]
pub(super) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let known = known(place).await?;
        let servers = known.servers.all().iter().map(|server| {
            let settings = server.settings();
            let accepted = known.accepted.of(&settings.fingerprint());
            (settings, accepted)
        });
        if self.json {
            let servers: Vec<_> = servers
                .map(|(settings, accepted)| {
                    json!({
                        "name": settings.name.as_str(),
                        "origin": origin_word(settings.origin),
                        "reached_by": settings.describe(),
                        "tools": accepted.map(|listing| listing.tools.len()),
                    })
                })
                .collect();
            print_json(&json!({ "servers": servers, "untrusted": known.untrusted }));
            return Ok(ExitCode::SUCCESS);
        }
        let style = Style::for_stdout();
        let mut is_any = false;
        for (settings, accepted) in servers {
            is_any = true;
            let offers = match accepted {
                Some(listing) => format!("{} tools accepted", listing.tools.len()),
                None => "not used yet".to_owned(),
            };
            print_line(format!(
                "{}  {}",
                style.bold(settings.name.as_str()),
                clean_line(&settings.describe())
            ));
            print_line(style.dim(&format!("  {offers}; from {}", settings.origin.as_str())));
        }
        for name in &known.untrusted {
            print_line(format!(
                "{}  not trusted, so not used: in .mcp.json (`teammate trust` shows it)",
                style.bold(&clean_line(name))
            ));
        }
        if !is_any && known.untrusted.is_empty() {
            print_line("No MCP servers. Add one: teammate mcp add NAME -- COMMAND [ARGS]");
        }
        Ok(ExitCode::SUCCESS)
    }
}
