//! This program, as the door needs it.

use serde_json::Value;
use teammate::{ModelRef, TeamBuilder, TeamPlace};
use teammate_serve::claude::ClaudeProgram;

use super::words;
use crate::{commands::CliContext, screen::print_warning};

/// This program.
pub(super) struct Program(pub(super) CliContext);

impl ClaudeProgram for Program {
    fn builder(
        &self,
        place: &TeamPlace,
        with_caller: bool,
        servers: Option<&Value>,
    ) -> Result<TeamBuilder, String> {
        let mut options = self.0.options.clone();
        if let Some(servers) = servers {
            options.add_servers(&servers.to_string())?;
        }
        let built = options.headless_builder(with_caller);
        let built = built.map_err(|error| format!("{error:#}"))?;
        Ok(built.at(place.clone()))
    }

    fn model(&self, word: Option<&str>) -> Result<ModelRef, String> {
        match word {
            None => self.0.options.model().map_err(|error| format!("{error:#}")),
            Some(word) => words::model(word)?
                .parse()
                .map_err(|error| format!("{error}")),
        }
    }

    fn note(&self, text: &str) {
        print_warning(text);
    }
}
