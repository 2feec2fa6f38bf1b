//! `teammate web`: the team as a page in the browser. What each subcommand does is in a file of its own.

mod keys;
mod opening;
mod pages;
mod pair;
mod serve;
mod teams;
mod words;

use clap::{Args, Subcommand};
use teammate_web::PageHost;

use super::{CliContext, CliResult, SharedOptions, Verb};

/// See the team in the browser, and steer it
///
/// Serves a page on the loopback address and opens it: the six screens of the full screen, all your teams, the past, and a
/// graph. Leaving it ends nothing. A phone or another machine comes by `ssh -L`, or by your own TLS proxy with --name.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Web {
    /// Serve on this port of 127.0.0.1; without it on any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    /// The host under which your own TLS proxy serves the page: team.example.org
    #[arg(long, value_name = "HOST")]
    name: Option<PageHost>,

    /// Run the team in this process if nobody does; it is paused when this ends
    #[arg(long)]
    host: bool,

    /// Do not open the browser: print the file that opens the page
    #[arg(long)]
    no_open: bool,

    #[command(subcommand)]
    verb: Option<WebCommand>,
}

#[derive(Subcommand)]
enum WebCommand {
    Keys(keys::Keys),
    Pair(pair::Pair),
}

impl Verb for Web {
    const SHARED: SharedOptions = SharedOptions::Opens;

    async fn run(self, place: &CliContext) -> CliResult {
        // A key is the user's: no command of a member makes one, or sees which there are.
        teammate::require_user()?;
        match self.verb {
            None => serve::run(place.clone(), self.port, self.name, self.host, self.no_open).await,
            Some(WebCommand::Keys(command)) => command.run(),
            Some(WebCommand::Pair(command)) => command.run(),
        }
    }
}
