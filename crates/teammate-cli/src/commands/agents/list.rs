//! `teammate agents list`: the agents that can be named, without starting any.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use teammate::agents::{AgentOrigin, AgentSettings};

use crate::{
    commands::{CliContext, CliResult, print_json, print_line},
    screen::{Style, clean_line},
};

/// List the agents of other makes that can be named, without starting any
#[derive(Args)]
pub(super) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self, place: &CliContext) -> CliResult {
        let all = place.options.agents()?.all();
        if self.json {
            let agents: Vec<_> = all
                .iter()
                .map(|agent| {
                    json!({
                        "name": agent.name,
                        "origin": match agent.origin {
                            AgentOrigin::Configuration => "configuration",
                            AgentOrigin::Make => "make",
                        },
                        "command": agent.settings.as_ref().ok().map(AgentSettings::describe),
                        "is_installed": agent.is_installed,
                        "error": agent.settings.as_ref().err().map(ToString::to_string),
                    })
                })
                .collect();
            print_json(&json!({ "agents": agents }));
            return Ok(ExitCode::SUCCESS);
        }
        let style = Style::for_stdout();
        for agent in all {
            let (command, state) = match &agent.settings {
                Ok(settings) if agent.is_installed => (settings.describe(), "installed".to_owned()),
                Ok(settings) => (settings.describe(), "not installed".to_owned()),
                Err(why) => (String::new(), format!("not used: its entry {why}")),
            };
            let name = clean_line(&agent.name);
            print_line(format!("{}  {}", style.bold(&name), clean_line(&command)));
            let from = agent.origin.as_str();
            print_line(style.dim(&format!("  {}; from {from}", clean_line(&state))));
        }
        Ok(ExitCode::SUCCESS)
    }
}
