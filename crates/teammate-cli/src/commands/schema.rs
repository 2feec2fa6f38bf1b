//! `teammate schema`: what the JSON looks like that other programs get.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use teammate::schema;

use super::{CliContext, CliResult, SharedOptions, Verb, print_line};

/// Print the JSON Schema of the program's JSON output
#[derive(Args)]
pub(crate) struct Schema {
    /// The output to describe
    of: Of,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Of {
    /// One line of `run --output-format stream-json`, `log --json` or .team/events.jsonl
    Events,
    /// The result of a run: the last line of stream-json, the only line of json
    Result,
    /// What `team --json` prints
    Team,
    /// What `tasks --json` prints, and `tasks VERB --json`
    Tasks,
}

impl Verb for Schema {
    const SHARED: SharedOptions = SharedOptions::None;

    async fn run(self, _: &CliContext) -> CliResult {
        let text = match self.of {
            Of::Events => schema::EVENTS,
            Of::Result => schema::RESULT,
            Of::Team => schema::TEAM,
            Of::Tasks => schema::TASKS,
        };
        print_line(text.trim_end());
        Ok(ExitCode::SUCCESS)
    }
}
