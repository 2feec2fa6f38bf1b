//! `teammate plugin remove`: removes an installed plug-in.

use std::process::ExitCode;

use clap::Args;
use teammate::{plugins::remove_plugin, project::PluginName};

use crate::{
    commands::{CliResult, print_line},
    settings::user_dirs,
};

/// Remove an installed plug-in
#[derive(Args)]
pub(super) struct Remove {
    /// Which
    name: String,
}

impl Remove {
    pub(super) fn run(self) -> CliResult {
        let name = PluginName::parse(&self.name)?;
        remove_plugin(&user_dirs(), &name)?;
        print_line(format!(
            "Removed {name}. A team that is open keeps what it has read of it."
        ));
        Ok(ExitCode::SUCCESS)
    }
}
