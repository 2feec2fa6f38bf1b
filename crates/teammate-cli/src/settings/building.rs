//! A team with these settings, to be opened.

use std::path::PathBuf;

use teammate::{ModelRef, Team, TeamBuilder};

#[cfg(feature = "acp")]
use super::bridge;
use super::{Options, user_dirs, values::Values};
use crate::screen::print_warning;

impl Options {
    /// A team with these settings. `with_person`: somebody sees the screen and can answer.
    pub(crate) fn builder(&self, with_person: bool) -> anyhow::Result<TeamBuilder> {
        self.builder_of(self.values()?, with_person)
    }

    /// A builder for a program that waits: it learns soon that a server is not there.
    pub(crate) fn headless_builder(&self, with_person: bool) -> anyhow::Result<TeamBuilder> {
        self.builder_of(self.values()?.headless(), with_person)
    }

    fn builder_of(&self, mut values: Values, with_person: bool) -> anyhow::Result<TeamBuilder> {
        let models = values.models.clone();
        let providers = values.take_providers()?;
        values.models = models;
        crate::bugs::hide_by(providers.hiders());
        let prices = values.prices(&providers)?;
        let (sandbox, keep, web) = (values.sandbox()?, values.keep_for(), values.web()?);
        let hooks = values.hooks(&user_dirs());
        #[cfg(feature = "acp")]
        let agents = teammate::agents::MemberAgents {
            entries: values.agents(),
            bridge: bridge::program(),
        };
        #[cfg(feature = "mcp")]
        let servers = values.servers()?;
        #[cfg(feature = "otel")]
        let telemetry = values.telemetry()?;
        if let Some(notice) = values.deprecated() {
            print_warning(notice);
        }
        let mut config = values.config(with_person)?;
        config.prices = prices;
        let builder = Team::configured(self.place(), config)
            .providers(providers)
            .sandbox(sandbox)
            .keep_for(keep)
            .web(web)
            .hooks(hooks)
            .user_dirs(user_dirs());
        #[cfg(feature = "acp")]
        let builder = builder.agents(agents);
        #[cfg(feature = "mcp")]
        let builder = builder.servers(servers);
        #[cfg(feature = "otel")]
        let builder = builder.telemetry(telemetry);
        Ok(builder)
    }

    /// These settings with another workspace, model and mode: for the demo.
    pub(crate) fn for_demo(&self, dir: PathBuf, model: &ModelRef, has_guest: bool) -> Self {
        let flags = self.flags.clone().for_demo(model);
        Self {
            dir: Some(dir),
            flags: match has_guest {
                true => flags.with_guest(),
                false => flags,
            },
            ..self.clone()
        }
    }
}
