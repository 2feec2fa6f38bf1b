//! `teammate agents test`: starts an agent within the walls, has it work, and says what it can do.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use teammate::agents::AgentSettings;

use super::{parts::tool_server, row::lines};
use crate::{
    commands::{
        CliContext, CliResult, note, print_error, print_json, print_line, signals::Signals,
    },
    screen::clean_line,
};

/// The exit code of a program that was interrupted, as shells give it.
const INTERRUPTED: u8 = 130;

/// Start an agent of another make within the walls, and measure what it can do
///
/// It works in an empty workspace of its own, with its own model, for some minutes; that costs what its model costs.
#[derive(Args)]
pub(super) struct Test {
    /// What it is called: an entry of your configuration or a known make
    #[arg(required_unless_present = "command", conflicts_with = "command")]
    name: Option<String>,

    /// A command in place of a name
    #[arg(last = true)]
    command: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Test {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let settings = self.settings(place)?;
        let name = settings.name.clone();
        let server = tool_server();
        let trial = place.options.agent_trial(settings, server).await?;
        for notice in &trial.notices {
            note(notice);
        }
        note(&format!(
            "{name} is tried in an empty workspace; that can take some minutes"
        ));
        let mut signals = Signals::new()?;
        let row = tokio::select! {
            row = trial.row() => row,
            // What is dropped is killed, and its workspace removed.
            _ = signals.interrupt.recv() => return Ok(ExitCode::from(INTERRUPTED)),
            _ = signals.terminate.recv() => return Ok(ExitCode::from(INTERRUPTED)),
        };
        let row = match row {
            Ok(row) => row,
            Err(failure) => {
                let text = format!("the agent {name} does not work: {failure}");
                return Ok(print_error(&anyhow::anyhow!(text)));
            }
        };
        if self.json {
            print_json(&serde_json::to_value(&row)?);
            return Ok(ExitCode::SUCCESS);
        }
        for line in lines(&row) {
            print_line(clean_line(&line));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn settings(&self, place: &CliContext) -> anyhow::Result<AgentSettings> {
        let Some(name) = &self.name else {
            return Ok(AgentSettings::of_command(&self.command)?);
        };
        let agents = place.options.agents()?;
        match agents.get(name) {
            Some(agent) => match agent.settings {
                Ok(settings) => Ok(settings),
                Err(why) => bail!("the agent '{name}' {why}"),
            },
            None => {
                let all = agents.all();
                let names: Vec<&str> = all.iter().map(|agent| agent.name.as_str()).collect();
                bail!(
                    "there is no agent '{name}'; known are {}. To try a command: teammate agents test -- COMMAND",
                    names.join(", ")
                )
            }
        }
    }
}
