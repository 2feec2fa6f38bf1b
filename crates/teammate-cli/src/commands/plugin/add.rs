//! `teammate plugin add`: fetches a plug-in, shows all that it brings, and installs it after a yes.

use std::process::ExitCode;

use clap::Args;
use teammate::plugins::{Candidate, FetchError, InstallError, PluginSource};

use super::{install, listed};
use crate::{
    commands::{CliContext, CliResult, print_line},
    screen::clean_line,
    settings::user_dirs,
};

/// Install a plug-in from a directory or a git repository, after showing what it brings
#[derive(Args)]
pub(super) struct Add {
    /// A directory, or the https address of a git repository
    source: String,

    /// The directory in it, if the plug-in is not all of it
    #[arg(long, value_name = "DIR")]
    path: Option<String>,

    /// Install without asking
    #[arg(long)]
    yes: bool,
}

impl Add {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let source = PluginSource::parse(&self.source, &std::env::current_dir()?)?;
        let held = place.options.sandbox()?;
        let path = self.path.as_deref();
        let candidate = match Candidate::fetch(&user_dirs(), &source, path, held).await {
            Ok(candidate) => candidate,
            Err(error) => return Err(self.explained(error)),
        };
        if let Some(record) = install(place, candidate, (self.yes, "teammate plugin add --yes"))? {
            print_line(format!(
                "Installed {}. Teams that are opened from now on have it.",
                record.name
            ));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A marketplace is listed, so that one of its plug-ins can be added.
    fn explained(&self, error: InstallError) -> anyhow::Error {
        let lines = match &error {
            InstallError::Fetch(FetchError::Plugin { error, .. }) => listed(error),
            InstallError::Fetch(_)
            | InstallError::Taken(..)
            | InstallError::Unknown(_)
            | InstallError::Source(_)
            | InstallError::Files(_) => Vec::new(),
        };
        if lines.is_empty() {
            return error.into();
        }
        print_line("This marketplace lists:");
        for line in lines {
            print_line(line);
        }
        print_line(format!(
            "Add one by its own source: teammate plugin add {} --path DIR",
            clean_line(&self.source)
        ));
        error.into()
    }
}
