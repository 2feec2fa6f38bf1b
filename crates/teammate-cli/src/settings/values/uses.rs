//! The values that the program takes out of its settings, each in the words of its user.

use anyhow::Context as _;
use teammate::{
    Budgets, Prices, Providers, Rules, hooks::HookSources, project::UserDirs, purge::KeepFor,
    sandbox, web::WebSettings,
};
use teammate_view::Motion;

#[cfg(feature = "mcp")]
use super::super::servers::entries;
use super::{
    super::{
        face::FaceSettings, models::with_entries, providers::with_servers, sandbox::Containment,
        spending::prices, web::web,
    },
    Values,
};

impl Values {
    /// The servers with what is known of their models; takes both tables out.
    pub(in super::super) fn take_providers(&mut self) -> anyhow::Result<Providers> {
        let servers = with_servers(std::mem::take(&mut self.providers))?;
        let servers = with_entries(servers, std::mem::take(&mut self.models))?;
        Ok(match self.usual_effort {
            Some(effort) => servers.with_effort(effort),
            None => servers,
        })
    }

    /// The prices of models at these servers.
    pub(in super::super) fn prices(&self, providers: &Providers) -> anyhow::Result<Prices> {
        prices(self.currency.clone(), &self.prices, &self.models, providers)
    }

    /// The user's files of hooks.
    pub(in super::super) fn hooks(&self, user: &UserDirs) -> HookSources {
        HookSources {
            named: self.hooks.clone(),
            ..HookSources::of_user(user)
        }
    }

    /// All entries of servers.
    #[cfg(feature = "mcp")]
    pub(in super::super) fn servers(&self) -> anyhow::Result<teammate::mcp::Entries> {
        let mut entries = entries(self.mcp.clone(), &self.mcp_config)?;
        entries.only_named = self.strict_mcp_config;
        Ok(entries)
    }

    /// Adds servers as the flag does.
    #[cfg(all(feature = "acp", feature = "mcp"))]
    pub(in super::super) fn add_servers(&mut self, text: &str) -> Result<(), String> {
        self.mcp_config.push(text.into());
        Ok(())
    }

    /// There are none.
    #[cfg(all(feature = "acp", not(feature = "mcp")))]
    #[expect(clippy::unused_self, reason = "the other build needs it")]
    pub(in super::super) fn add_servers(&mut self, _: &str) -> Result<(), String> {
        Err("this build has no servers of tools (the feature mcp)".to_owned())
    }

    /// All external agents.
    #[cfg(feature = "acp")]
    pub(in super::super) fn agents(&self) -> teammate::agents::AgentEntries {
        teammate::agents::AgentEntries(self.agent.clone())
    }

    /// The variables that commands get besides the harmless ones.
    pub(in super::super) fn passed(&self) -> &[String] {
        &self.pass_environment
    }

    /// How commands are held.
    pub(in super::super) fn sandbox(&self) -> anyhow::Result<sandbox::SandboxRules> {
        let network = self.network.as_ref().map(|network| network.rule);
        let mut rules = self.sandbox.rules(
            self.sandbox_flag,
            self.containment,
            network.unwrap_or_default(),
        )?;
        for dir in &self.add_dir {
            let dir = std::path::absolute(dir);
            rules.write.push(dir.context("--add-dir")?);
        }
        Ok(rules)
    }

    /// A notice about settings that have another name by now.
    pub(in super::super) fn deprecated(&self) -> Option<&'static str> {
        self.containment.map(|_| Containment::NOTICE)
    }

    /// For how long outputs, archives and the like are kept.
    pub(in super::super) fn keep_for(&self) -> KeepFor {
        self.keep.keep_for()
    }

    /// The pages of the web that members may look at.
    pub(in super::super) fn web(&self) -> anyhow::Result<WebSettings> {
        web(&self.web, self.web_search.as_ref())
    }

    /// Where traces and metrics go, if they are sent.
    #[cfg(feature = "otel")]
    pub(in super::super) fn telemetry(
        &self,
    ) -> anyhow::Result<Option<teammate::telemetry::Settings>> {
        Ok(self.otel.settings(self.otel_flag.as_ref())?)
    }

    /// The user's settings of the full screen.
    pub(in super::super) fn face(self) -> FaceSettings {
        FaceSettings {
            keys: self.keys.0,
            theme: self.theme,
            ui: self.ui,
        }
    }

    /// How much moves on the user's screens.
    pub(in super::super) fn motion(&self) -> Motion {
        self.ui.motion
    }

    /// The user's own command for what needs them.
    pub(in super::super) fn notify_command(self) -> Option<String> {
        self.notify.command()
    }

    /// Whether clients of the MCP server answer what members ask of the user.
    pub(in super::super) fn clients_answer(&self) -> bool {
        self.mcp_server.answers
    }

    /// The budgets of a team.
    pub(in super::super) fn budgets(&self) -> Budgets {
        self.budget.budgets()
    }

    pub(in super::super) fn rules(&self) -> Rules {
        let hosts = self.network.iter().flat_map(|network| &network.allow);
        Rules {
            deny: self.deny.clone(),
            allow: self.allow.iter().chain(hosts).cloned().collect(),
            lead_may: self.lead_may_allow.clone(),
            ..Rules::default()
        }
    }
}
