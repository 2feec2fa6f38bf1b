//! The list of other people's programs, as it is written in `rig/wild.toml`.

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::Deserialize;
use xtask::root;

use super::Kind;

/// The whole list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    pub(super) server: Vec<ServerRow>,
    pub(super) client: Vec<ClientRow>,
    pub(super) editor: Vec<ClientRow>,
    pub(super) agent: Vec<AgentRow>,
}

/// Where packages come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Registry {
    Npm,
    Pip,
    /// Built into the package in this directory of the repository, whose lock file pins it.
    Cargo(String),
}

/// One package of one version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    pub(super) from: Registry,
    pub(super) name: String,
    pub(super) version: String,
    /// As its registry gives it.
    pub(super) hash: String,
    /// What else is installed beside it, as the client names it.
    #[serde(default)]
    pub(super) with: Vec<String>,
}

/// A server of tools. In its words `{bin}` is where its programs are, `{dir}` where it is installed, `{work}` the workspace and
/// `{files}` the directory `rig/servers`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerRow {
    pub(super) name: String,
    /// On what it is written, where that is known.
    pub(super) on: String,
    pub(super) package: Package,
    pub(super) start: Vec<String>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// A program of this machine without which it cannot be tried.
    pub(super) needs: Option<PathBuf>,
    /// What its users run once, outside of any sandbox.
    #[serde(default)]
    pub(super) prepare: Vec<String>,
    pub(super) expected: Expected,
}

/// What must come of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expected {
    /// This call is answered.
    Call(Call),
    /// It does not come up here.
    Fails(Fails),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default)]
    pub(super) input: BTreeMap<String, toml::Value>,
    /// What the answer must hold.
    pub(super) answers: String,
    /// What there is to say of the answer, if it is not what its user wants.
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fails {
    /// What `teammate mcp test` must say.
    pub(super) says: String,
    pub(super) because: String,
}

/// A program that drives ours, by a script of `rig/clients`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientRow {
    pub(super) name: String,
    pub(super) package: Package,
    /// The script, or the first word of the program that was built.
    pub(super) script: String,
}

/// An agent that is a member of a team. How it is started and configured is known by its name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentRow {
    pub(crate) name: String,
    pub(crate) package: Package,
}

impl List {
    /// Reads it.
    ///
    /// Errors: what is wrong in the file.
    pub(crate) fn read() -> Result<Self, String> {
        let path = root().join("rig/wild.toml");
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The agent of this name.
    pub(crate) fn agent(&self, name: &str) -> Result<&AgentRow, String> {
        let found = self.agent.iter().find(|row| row.name == name);
        found.ok_or_else(|| format!("there is no agent '{name}' in rig/wild.toml"))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        Kind::ALL.into_iter().flat_map(|kind| self.names_of(kind))
    }

    pub(super) fn names_of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let names: Vec<&String> = match kind {
            Kind::Servers => self.server.iter().map(|row| &row.name).collect(),
            Kind::Clients => self.client.iter().map(|row| &row.name).collect(),
            Kind::Editors => self.editor.iter().map(|row| &row.name).collect(),
            Kind::Agents => self.agent.iter().map(|row| &row.name).collect(),
        };
        names.into_iter().map(String::as_str)
    }
}

impl Package {
    /// As its client names it.
    pub(crate) fn spec(&self) -> String {
        match &self.from {
            Registry::Npm => format!("{}@{}", self.name, self.version),
            Registry::Pip => format!("{}=={}", self.name, self.version),
            Registry::Cargo(_) => format!("{} {}", self.name, self.version),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_list_names_each_once_and_pins_all() {
        let list = List::read().unwrap();
        let names: Vec<&str> = list.names().collect();
        let unique: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), unique.len(), "{names:?}");
        assert!(list.server.len() >= 15);
        let servers = list.server.iter().map(|row| &row.package);
        let clients = list
            .client
            .iter()
            .chain(&list.editor)
            .map(|row| &row.package);
        let agents = list.agent.iter().map(|row| &row.package);
        for package in servers.chain(clients).chain(agents) {
            let (start, length) = match package.from {
                Registry::Npm => ("sha512-", 7 + 88),
                Registry::Pip | Registry::Cargo(_) => ("", 64),
            };
            assert!(package.hash.starts_with(start), "{}", package.spec());
            assert_eq!(package.hash.len(), length, "{}", package.spec());
        }
    }
}
