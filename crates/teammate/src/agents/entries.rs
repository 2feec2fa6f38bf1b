//! The agents that the user has: entries of the configuration, and makes that are known without one.

use std::{collections::BTreeMap, path::Path};

use teammate_core::variables::Variables;
use teammate_process::find_program;
use teammate_protocols::acp::{AgentSettings, AgentSettingsError, AgentTable};

/// The agents that the user configured, by name.
#[derive(Debug, Clone, Default)]
pub struct AgentEntries(pub BTreeMap<String, AgentTable>);

/// An agent that can be named.
#[derive(Debug)]
pub struct KnownAgent {
    /// Its name.
    pub name: String,
    /// The source of the knowledge about it.
    pub origin: AgentOrigin,
    /// How it is started, or why its entry cannot be used.
    pub settings: Result<AgentSettings, AgentSettingsError>,
    /// Whether its program is there.
    pub is_installed: bool,
}

/// The source of the knowledge about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentOrigin {
    /// The user's configuration.
    Configuration,
    /// This program, with its make's usual command.
    Make,
}

impl AgentOrigin {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "your configuration",
            Self::Make => "a known make",
        }
    }
}

impl AgentEntries {
    /// All agents, by name.
    pub fn all(&self) -> Vec<KnownAgent> {
        let makes = AgentTable::known().filter(|name| !self.0.contains_key(*name));
        let makes = makes.map(|name| known(name, &AgentTable::default(), AgentOrigin::Make));
        let own = self.0.iter();
        let own = own.map(|(name, table)| known(name, table, AgentOrigin::Configuration));
        let mut all: Vec<KnownAgent> = own.chain(makes).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// The agent of this name.
    pub fn get(&self, name: &str) -> Option<KnownAgent> {
        self.all().into_iter().find(|agent| agent.name == name)
    }
}

fn known(name: &str, table: &AgentTable, origin: AgentOrigin) -> KnownAgent {
    let environment: Vec<(String, String)> = environment().collect();
    let settings = table.settings(name, &Variables::new(environment.iter().cloned()));
    let is_installed = settings.as_ref().is_ok_and(|settings| {
        find_program(&settings.command, Path::new("/"), &environment).is_some()
    });
    KnownAgent {
        name: name.to_owned(),
        origin,
        settings,
        is_installed,
    }
}

pub(super) fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}
