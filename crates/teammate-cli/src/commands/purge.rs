//! `teammate purge`: shows what is older than it is kept, and removes it.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use teammate::purge::{KeepFor, OldFiles};

use super::{CliContext, CliResult, SharedOptions, Verb, ask_user, note, print_json, print_line};
use crate::{screen::clean, settings::Age};

/// Show what is older than your configuration keeps it ([keep]), and remove it
///
/// That is long outputs of commands, archives of ended teams, the older part of the event log, and a team in which
/// nothing has happened for so long, whole. Nothing is removed of a team that runs, or before you said yes.
#[derive(Args)]
pub(crate) struct Purge {
    /// Everything that is older than this, whatever the configuration keeps: 30d, 12h or 45m
    #[arg(long, value_name = "AGE", value_parser = Age::parse)]
    older_than: Option<Age>,

    /// Remove without asking
    #[arg(long)]
    yes: bool,

    /// Print JSON; removes only with --yes
    #[arg(long)]
    json: bool,
}

impl Verb for Purge {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let keep = match self.older_than {
            Some(Age(age)) => KeepFor {
                transcripts: Some(age),
                outputs: Some(age),
                archives: Some(age),
                events: Some(age),
            },
            None => place.options.keep_for()?,
        };
        let mut client = place.look().await?;
        let old = client.old_files(&keep)?;
        if place.team().store().is_some() {
            note(
                "What is on the servers stays there: an operator removes it. What is looked for here is what this directory has of the team",
            );
        }
        if self.json {
            if self.yes {
                client.remove_old(&old).await?;
            }
            let old: Vec<Value> = old.iter().map(as_json).collect();
            print_json(&json!({ "old": old, "removed": self.yes }));
            return Ok(ExitCode::SUCCESS);
        }
        if old.is_empty() {
            print_line(nothing(&keep));
            return Ok(ExitCode::SUCCESS);
        }
        for old in &old {
            print_line(old);
            for path in &old.paths {
                print_line(format!("    {}", clean(&path.display().to_string())));
            }
        }
        if !self.yes && !ask_user("Remove them? [y/N] ", "teammate purge --yes")? {
            print_line("Nothing was removed");
            return Ok(ExitCode::SUCCESS);
        }
        client.remove_old(&old).await?;
        print_line("Removed");
        Ok(ExitCode::SUCCESS)
    }
}

fn nothing(keep: &KeepFor) -> &'static str {
    if *keep == KeepFor::default() {
        "Everything is kept: your configuration has no [keep], and --older-than was not given"
    } else {
        "Nothing is that old"
    }
}

fn as_json(old: &OldFiles) -> Value {
    let paths: Vec<String> = old
        .paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    json!({ "kind": old.kind.name(), "paths": paths, "bytes": old.bytes })
}
