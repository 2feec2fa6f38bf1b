//! Settings: flags, then the environment, then the user's configuration file, then defaults. Nothing is read from the
//! workspace: a repository must not choose endpoints, rules or models.

#[cfg(feature = "acp")]
mod agents;
#[cfg(feature = "acp")]
mod bridge;
mod building;
mod face;
mod file;
mod keep;
mod limits;
mod models;
#[cfg(feature = "nats")]
mod nats;
mod network;
#[cfg(feature = "otel")]
mod otel;
mod place;
mod plan_approver;
mod providers;
mod sandbox;
mod screen;
#[cfg(feature = "mcp")]
mod servers;
mod spending;
mod switch;
mod values;
mod web;
mod words;

use std::{path::PathBuf, sync::Arc};

use anyhow::{Context as _, anyhow};
use clap::Args;
use teammate::{
    Effort, GroupName, ModelRef, Prices, Providers, Rules, Secrets, TeamConfig, store::SharedStore,
};

use teammate::hooks::{HookSources, OutsideHooks};
use teammate_view::{Language, Motion};

#[cfg(feature = "acp")]
pub(crate) use self::bridge::TEAM_TOOLS;
#[cfg(feature = "nats")]
use self::nats::NatsFlags;
#[cfg(feature = "mcp")]
pub(crate) use self::servers::own_servers_file;
use self::values::Values;
pub(crate) use self::{
    face::{FaceSettings, UiTable},
    keep::Age,
    limits::{allowance, member_allowance},
    network::connects,
    screen::ScreenSetting,
    words::parse_mode,
};
pub(crate) use crate::user_dirs::user_dirs;

/// Options of every command.
#[derive(Args, Clone, Default)]
pub(crate) struct Options {
    /// The workspace: members work here, and the team is kept in DIR/.team [default: the current directory]
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Use the named team in DIR/.teams/NAME [default: the team in DIR/.team]
    #[arg(long, global = true, value_name = "NAME", value_parser = team_name, num_args = 0..=1, default_missing_value = "default")]
    team: Option<GroupName>,

    /// Plain lines at the prompt instead of the full screen [env: TEAMMATE_SCREEN=plain]
    #[arg(long, global = true)]
    plain: bool,

    /// The language of what you read: en or zh-CN [default: as LANG says]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    lang: Option<Language>,

    #[cfg(feature = "nats")]
    #[command(flatten)]
    nats: NatsFlags,

    /// The store that the team is kept in, once it was found on servers.
    #[arg(skip)]
    store: Option<SharedStore>,

    #[command(flatten)]
    flags: Values,

    /// The configuration file [default: teammate/config.toml in your configuration directory] [env:
    /// TEAMMATE_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Whether `ACCESSIBLE` is set: programs then write what screen readers can follow.
pub(crate) fn is_accessible() -> bool {
    std::env::var("ACCESSIBLE").is_ok_and(|set| !matches!(set.as_str(), "" | "0"))
}

fn team_name(text: &str) -> Result<GroupName, String> {
    GroupName::parse(text).map_err(|error| error.to_string())
}

impl Options {
    /// Takes from the environment what no flag says. Not the argument parser does so: it would name these options in the usage
    /// of every command.
    pub(crate) fn or_from_environment(mut self) -> anyhow::Result<Self> {
        let model = || {
            let named = std::env::var("TEAMMATE_MODEL").ok();
            named.filter(|name| !name.trim().is_empty())
        };
        self.flags.model = self.flags.model.or_else(model);
        let effort = std::env::var("TEAMMATE_EFFORT").ok();
        if let (None, Some(word)) = (self.flags.effort, effort.filter(|word| !word.is_empty())) {
            self.flags.effort = Some(word.parse().context("TEAMMATE_EFFORT")?);
        }
        let config = || std::env::var_os("TEAMMATE_CONFIG").map(PathBuf::from);
        self.config = self.config.or_else(config);
        Ok(self)
    }

    #[cfg_attr(
        not(feature = "tui"),
        expect(dead_code, reason = "there is one screen")
    )]
    /// Which screen the prompt has: the flag, then the environment, then the configuration.
    pub(crate) fn screen(&self) -> anyhow::Result<ScreenSetting> {
        if self.plain {
            return Ok(ScreenSetting::Plain);
        }
        let word = std::env::var("TEAMMATE_SCREEN").ok();
        match word.filter(|word| !word.is_empty()) {
            Some(word) => word
                .parse()
                .map_err(|why: String| anyhow!(why))
                .context("TEAMMATE_SCREEN"),
            None => Ok(self.values()?.screen.unwrap_or_default()),
        }
    }

    #[cfg_attr(
        not(feature = "tui"),
        expect(dead_code, reason = "there is one screen")
    )]
    /// Keys and colours of the full screen.
    pub(crate) fn face(&self) -> anyhow::Result<FaceSettings> {
        Ok(self.file()?.face())
    }

    /// How much moves: little where the environment says that a screen reader listens.
    pub(crate) fn motion(&self) -> anyhow::Result<Motion> {
        match is_accessible() {
            true => Ok(Motion::Reduced),
            false => Ok(self.file()?.motion()),
        }
    }

    /// The user's own command for what needs them.
    pub(crate) fn notify_command(&self) -> anyhow::Result<Option<String>> {
        Ok(self.file()?.notify_command())
    }

    #[cfg_attr(
        not(feature = "mcp"),
        expect(dead_code, reason = "there is no MCP server")
    )]
    /// Whether clients of the MCP server answer what members ask of the user.
    pub(crate) fn clients_answer(&self) -> anyhow::Result<bool> {
        Ok(self.file()?.clients_answer())
    }

    /// The settings: flags before the configuration file.
    fn values(&self) -> anyhow::Result<Values> {
        Ok(self.flags.clone().over(self.file()?))
    }

    /// Adds servers of tools, in the shape of `.mcp.json`, as `--mcp-config` does.
    ///
    /// Errors: this build has none.
    #[cfg(feature = "acp")]
    pub(crate) fn add_servers(&mut self, text: &str) -> Result<(), String> {
        self.flags.add_servers(text)
    }

    /// Vendors and the servers the user named.
    pub(crate) fn providers(&self) -> anyhow::Result<Providers> {
        let providers = self.values()?.take_providers()?;
        Ok(providers.sharing_keys(&user_dirs()))
    }

    /// The secrets that this program holds.
    pub(crate) fn secrets(&self) -> anyhow::Result<Arc<Secrets>> {
        Ok(self.providers()?.held_secrets())
    }

    /// The model that would be used, if any is configured.
    pub(crate) fn model(&self) -> anyhow::Result<ModelRef> {
        providers::default_model(self.values()?.model)
    }

    /// Whether nothing says which model to use: no setting, and no key of a vendor that has a usual one.
    pub(crate) fn lacks_model(&self) -> bool {
        self.values().is_ok_and(|values| {
            let named = values.model.filter(|name| !name.trim().is_empty());
            named.is_none() && providers::default_model(None).is_err()
        })
    }

    /// These options with another configuration file.
    pub(crate) fn configured_by(mut self, file: PathBuf) -> Self {
        self.config = Some(file);
        self
    }

    /// How much models think, where a flag or the environment says it.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.flags.effort
    }

    /// How commands are held.
    pub(crate) fn sandbox(&self) -> anyhow::Result<teammate::sandbox::SandboxRules> {
        self.values()?.sandbox()
    }

    /// The hooks that count here, without running any.
    pub(crate) fn hook_sources(&self) -> anyhow::Result<HookSources> {
        Ok(self.values()?.hooks(&user_dirs()))
    }

    /// The hooks of this place, for a process that runs no team.
    pub(crate) async fn outside_hooks(&self) -> anyhow::Result<OutsideHooks> {
        let (values, user) = (self.values()?, user_dirs());
        let (sources, held) = (values.hooks(&user), values.sandbox()?);
        Ok(OutsideHooks::at(&self.place(), &user, &sources, held, values.passed()).await?)
    }

    /// The agents of other makes that can be named.
    #[cfg(feature = "acp")]
    pub(crate) fn agents(&self) -> anyhow::Result<teammate::agents::AgentEntries> {
        Ok(self.file()?.agents())
    }

    /// A trial of such an agent, held as a team's programs are.
    #[cfg(feature = "acp")]
    pub(crate) async fn agent_trial(
        &self,
        settings: teammate::agents::AgentSettings,
        tool_server: Option<(PathBuf, Vec<String>)>,
    ) -> anyhow::Result<teammate::agents::AgentTrial> {
        let values = self.values()?;
        let rules = (values.rules(), values.sandbox()?);
        let (user, pass) = (user_dirs(), values.passed());
        let trial = teammate::agents::AgentTrial::of(settings, &user, rules, pass, tool_server);
        Ok(trial.await?)
    }

    /// For how long what is kept.
    pub(crate) fn keep_for(&self) -> anyhow::Result<teammate::purge::KeepFor> {
        Ok(self.values()?.keep_for())
    }

    /// The most bytes of one of a team's files that are read.
    pub(crate) fn read_max(&self) -> anyhow::Result<u64> {
        Ok(self
            .file()?
            .read_max_bytes
            .unwrap_or(TeamConfig::READ_MAX_BYTES))
    }

    /// Prices of models: the user's, then the catalogue's.
    pub(crate) fn prices(&self) -> anyhow::Result<Prices> {
        let mut values = self.values()?;
        let models = values.models.clone();
        let providers = values.take_providers()?;
        values.models = models;
        values.prices(&providers)
    }

    /// Spending limits of teams that this process opens.
    #[cfg(any(feature = "tui", feature = "nats", feature = "web"))]
    pub(crate) fn budgets(&self) -> anyhow::Result<teammate::Budgets> {
        Ok(self.values()?.budgets())
    }

    /// The user's rules and those of the command line.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        Ok(self.values()?.rules())
    }
}

/// Why a configuration file with this text is refused, if it is.
#[cfg(test)]
pub(crate) fn refusal_of(text: &str) -> Option<String> {
    toml::from_str::<Values>(text)
        .err()
        .map(|error| error.message().to_owned())
}
