//! `teammate plugin update`: fetches plug-ins anew, and installs what has changed after a yes.

use std::process::ExitCode;

use clap::Args;
use teammate::{
    plugins::Candidate,
    project::{PluginName, PluginRecords},
};

use super::install;
use crate::{
    commands::{CliContext, CliResult, note, print_line},
    settings::user_dirs,
};

/// Fetch plug-ins anew from where they are from; what has changed is shown, and counts after a yes
#[derive(Args)]
pub(super) struct Update {
    /// Which [default: all]
    name: Option<String>,

    /// Install what has changed without asking
    #[arg(long)]
    yes: bool,
}

impl Update {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let user = user_dirs();
        let names: Vec<PluginName> = match &self.name {
            Some(name) => vec![PluginName::parse(name)?],
            None => {
                let records = PluginRecords::of_user(&user).list().into_iter();
                records.map(|record| record.name).collect()
            }
        };
        let is_one = self.name.is_some();
        let mut code = ExitCode::SUCCESS;
        for name in names {
            let held = place.options.sandbox()?;
            let candidate = match Candidate::fetch_anew(&user, &name, held).await {
                Ok(candidate) => candidate,
                Err(error) if is_one => return Err(error.into()),
                Err(error) => {
                    note(&format!("{name} was not updated: {error}"));
                    code = ExitCode::FAILURE;
                    continue;
                }
            };
            if candidate.is_installed() {
                print_line(format!("{name} has not changed."));
                continue;
            }
            let command = format!("teammate plugin update {name} --yes");
            if install(place, candidate, (self.yes, &command))?.is_some() {
                print_line(format!("Updated {name}."));
            }
        }
        Ok(code)
    }
}
