//! `teammate web keys`: who can open the page.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use teammate::platform::now;

use super::pages;
use crate::commands::{CliResult, print_line};

/// List the keys of the page that is served
#[derive(Args)]
pub(super) struct Keys {
    /// The page on this port; without it the only one
    // Not by the name of the page's own port, whose default would come here.
    #[arg(long = "port", id = "served", value_name = "PORT", global = true)]
    served: Option<u16>,

    #[command(subcommand)]
    verb: Option<KeysCommand>,
}

#[derive(Subcommand)]
enum KeysCommand {
    /// End a key, or all of them: pages opened with it show nothing more
    Revoke {
        /// The key, by its id; all without it
        id: Option<String>,
    },
}

impl Keys {
    pub(super) fn run(self) -> CliResult {
        let keys = pages::find(self.served)?;
        match self.verb {
            None => {
                for line in keys.list(now())? {
                    let minutes = line.until.map(|until| until.millis_since(now()) / 60_000);
                    let end = minutes.map_or_else(
                        || "until the page ends".to_owned(),
                        |minutes| format!("for {} h {} min more", minutes / 60, minutes % 60),
                    );
                    let device = line
                        .device
                        .map_or_else(String::new, |device| format!("  {device}"));
                    print_line(format!("{}  {}{device}  {end}", line.id, line.scope));
                }
            }
            Some(KeysCommand::Revoke { id }) => {
                let ended = keys.revoke(id.as_deref())?;
                print_line(format!("Ended: {ended}"));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
