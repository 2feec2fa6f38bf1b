//! `teammate mcp test`: starts a server as a team would, and says what it offers, how long that took and what it costs.

use std::{process::ExitCode, time::Instant};

use clap::Args;
use serde_json::json;
use teammate::mcp::{Accepted as _, Listing, ServerSettings, TransportSettings};

use super::{known, server};
use crate::{
    commands::{CliContext, CliResult, note, print_error, print_json, print_line},
    screen::{Style, clean_line},
};

/// Bytes of a token of JSON, about.
const BYTES_PER_TOKEN: usize = 4;

/// Start an MCP server as a team would, and say what it offers
#[derive(Args)]
pub(super) struct Test {
    /// What it is called
    name: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Test {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let known = known(place).await?;
        let server = server(&known, &self.name)?;
        let begun = Instant::now();
        let listed = server.list().await;
        let took = begun.elapsed().as_millis();
        known.servers.close().await;
        let (listing, notices) = match listed {
            Ok(listed) => listed,
            Err(failure) => {
                let text = format!("the MCP server {} does not work: {failure}", self.name);
                let hint = match reaches_nothing(server.settings()) {
                    true => {
                        "\nhint: its entry lists no host, so it reaches none. One that it needs: --network-host of `teammate mcp add`"
                    }
                    false => "",
                };
                return Ok(print_error(&anyhow::anyhow!(text + hint)));
            }
        };
        for notice in &notices {
            note(notice);
        }
        let accepted = known.accepted.of(&server.settings().fingerprint());
        let changed = accepted.map(|accepted| accepted.changed_in(&listing).len());
        if self.json {
            print_json(&json!({
                "name": self.name,
                "milliseconds": u64::try_from(took).unwrap_or(u64::MAX),
                "tools": listing.tools.iter().map(|tool| &tool.called).collect::<Vec<_>>(),
                "tokens": tokens(&listing),
                "prompts": listing.prompts.iter().map(|prompt| &prompt.name).collect::<Vec<_>>(),
                "has_resources": listing.has_resources,
                "changed": changed,
            }));
            return Ok(ExitCode::SUCCESS);
        }
        print_line(format!(
            "{} works: {} tools (about {} tokens in each request), listed after {took} ms",
            self.name,
            listing.tools.len(),
            tokens(&listing)
        ));
        let style = Style::for_stdout();
        for tool in &listing.tools {
            let first = tool.description.lines().next().unwrap_or_default();
            let first: String = clean_line(first).chars().take(70).collect();
            print_line(format!(
                "  {}  {}",
                clean_line(&tool.called),
                style.dim(&first)
            ));
        }
        for prompt in &listing.prompts {
            print_line(format!(
                "  /mcp__{}__{}  (prompt)",
                self.name,
                clean_line(&prompt.name)
            ));
        }
        match changed {
            Some(0) => {}
            Some(changed) => print_line(format!(
                "{changed} of the tools differ from what you accepted, and are not called until you accept them: teammate mcp accept {}",
                self.name
            )),
            None => print_line(
                "They are accepted when a team is opened here, or by: teammate mcp accept "
                    .to_owned()
                    + &self.name,
            ),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether it is a program that may connect to no host: some need theirs before they greet.
fn reaches_nothing(settings: &ServerSettings) -> bool {
    match settings.transport {
        TransportSettings::Program { .. } => settings.network.allow.is_empty(),
        TransportSettings::Http { .. } => false,
    }
}

fn tokens(listing: &Listing) -> usize {
    let tools = listing.tools.iter();
    let bytes: usize = tools
        .map(|tool| tool.called.len() + tool.description.len() + tool.schema.to_string().len())
        .sum();
    bytes / BYTES_PER_TOKEN
}
