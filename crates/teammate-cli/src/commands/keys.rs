//! `teammate keys`: who may do what on NATS servers, for teams on several machines.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use teammate::nats::{
    WorkerName,
    keys::{Circle, CircleRole},
    layout::TeamId,
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_line};
use crate::settings::user_dirs;

/// Make keys and permissions for NATS servers, by which workers and people share teams
///
/// A circle is the people and workers that trust each other. Its directory has the owner's key, a file of creds for each of them
/// and accounts.conf for the servers. Keep it on the owner's machine, and give each worker its own file only.
#[derive(Args)]
pub(crate) struct Keys {
    /// The circle's directory
    #[arg(long = "circle", value_name = "DIR")]
    dir: Option<PathBuf>,

    #[command(subcommand)]
    action: CircleKeysCommand,
}

#[derive(Subcommand)]
enum CircleKeysCommand {
    /// Make a circle with nobody in it
    Init,
    /// Admit a worker: it writes to its teams and reads them, and takes nothing away
    Worker {
        /// Its name
        #[arg(value_parser = WorkerName::parse)]
        name: WorkerName,

        /// The id of a team that it serves, again for more (default: every team of the circle)
        #[arg(long = "for", value_name = "TEAM", value_parser = team)]
        teams: Vec<TeamId>,
    },
    /// Admit a person: makes teams, speaks as the user, looks after the servers
    Person {
        /// The name
        #[arg(value_parser = WorkerName::parse)]
        name: WorkerName,
    },
    /// Remove a worker or person: its keys open nothing once the servers have reloaded
    Remove {
        /// The name
        #[arg(value_parser = WorkerName::parse)]
        name: WorkerName,
    },
}

impl Verb for Keys {
    const SHARED: SharedOptions = SharedOptions::None;

    async fn run(self, place: &CliContext) -> CliResult {
        let dir = match self.dir {
            Some(dir) => dir,
            None => default_dir()?,
        };
        let (role, name, teams) = match self.action {
            CircleKeysCommand::Init => return init(&dir),
            CircleKeysCommand::Worker { name, teams } => (CircleRole::Worker, name, teams),
            CircleKeysCommand::Person { name } => (CircleRole::Person, name, Vec::new()),
            CircleKeysCommand::Remove { name } => return remove(&dir, &name),
        };
        let what = match role {
            CircleRole::Worker => "worker",
            CircleRole::Person => "person",
        };
        let secrets = place.options.secrets()?;
        secrets.require_none_in(what, name.as_str())?;
        let mut circle = Circle::open(&dir)?;
        let creds = circle.admit(role, name, teams)?;
        print_line(format!("creds: {}", creds.display()));
        print_line(format!(
            "reload the servers, so that they know of it: {} has changed",
            circle.accounts().display()
        ));
        Ok(ExitCode::SUCCESS)
    }
}

fn init(dir: &Path) -> CliResult {
    let circle = Circle::make(dir)?;
    print_line(format!("circle: {}", dir.display()));
    print_line(format!(
        "include {} in each server's configuration; then `teammate keys person NAME`",
        circle.accounts().display()
    ));
    Ok(ExitCode::SUCCESS)
}

fn remove(dir: &Path, name: &WorkerName) -> CliResult {
    let mut circle = Circle::open(dir)?;
    let renewed = circle.remove(name)?;
    print_line(format!(
        "reload the servers, which shuts {name} out: {} has changed",
        circle.accounts().display()
    ));
    print_line("what it has written stays proven; nobody else gets its name");
    for path in renewed {
        print_line(format!(
            "the system account has a new key: hand out {} again",
            path.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn default_dir() -> anyhow::Result<PathBuf> {
    let state = user_dirs().state;
    let state =
        state.ok_or_else(|| anyhow::anyhow!("name the circle's directory: --circle DIR"))?;
    Ok(state.join("circle"))
}

fn team(text: &str) -> Result<TeamId, &'static str> {
    TeamId::try_from(text.to_owned())
}
