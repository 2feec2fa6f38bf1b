//! `teammate mcp login`: lets the user in at a server by OAuth, in their browser.

use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;

use super::{known, server};
use crate::{
    commands::{CliContext, CliResult, print_line},
    screen::clean_line,
};

/// Log in at an MCP server that wants it, in your browser; tokens are kept in your state directory and renewed
#[derive(Args)]
pub(super) struct Login {
    /// What it is called
    name: String,

    /// Forget the tokens of this server
    #[arg(long)]
    forget: bool,
}

impl Login {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let known = known(place).await?;
        let server = server(&known, &self.name)?;
        if self.forget {
            let was_there = server.log_out()?;
            print_line(match was_there {
                true => "Forgotten.",
                false => "There were no tokens of it.",
            });
            return Ok(ExitCode::SUCCESS);
        }
        let opens = |address: &str| {
            print_line(format!(
                "Open this address in a browser of this machine, and come back:\n\n{}\n",
                clean_line(address)
            ));
        };
        let logged_in = server.log_in(opens).await;
        logged_in.map_err(|why| anyhow!("you are not logged in at {}: {why}", self.name))?;
        print_line(format!(
            "You are logged in at {}. Try it: teammate mcp test {}",
            self.name, self.name
        ));
        Ok(ExitCode::SUCCESS)
    }
}
