//! Other people's programs that are tried with ours, as they are listed in `rig/wild.toml`, and their packages, where they are
//! installed. It tries none of them.

mod fetch;
pub(crate) mod install;

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::Deserialize;
use xtask::root;

pub(crate) use fetch::Fetching;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Servers,
    Clients,
    Editors,
    Agents,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Servers, Self::Clients, Self::Editors, Self::Agents];

    /// Its name on the command line and in the page.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Servers => "servers",
            Self::Clients => "clients",
            Self::Editors => "editors",
            Self::Agents => "agents",
        }
    }
}

/// The whole list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    pub(crate) server: Vec<ServerRow>,
    pub(crate) client: Vec<ClientRow>,
    pub(crate) editor: Vec<ClientRow>,
    pub(crate) agent: Vec<AgentRow>,
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
    pub(crate) from: Registry,
    pub(crate) name: String,
    pub(crate) version: String,
    /// As its registry gives it.
    pub(crate) hash: String,
    /// What else is installed beside it, as the client names it.
    #[serde(default)]
    pub(crate) with: Vec<String>,
}

/// A server of tools. In its words `{bin}` is where its programs are, `{dir}` where it is installed, `{work}` the workspace and
/// `{files}` the directory `rig/servers`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServerRow {
    pub(crate) name: String,
    /// On what it is written, where that is known.
    pub(crate) on: String,
    pub(crate) package: Package,
    pub(crate) start: Vec<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// A program of this machine without which it cannot be tried.
    pub(crate) needs: Option<PathBuf>,
    /// What its users run once, outside of any sandbox.
    #[serde(default)]
    pub(crate) prepare: Vec<String>,
    pub(crate) expected: Expected,
}

/// What must come of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expected {
    /// This call is answered.
    Call(Call),
    /// It does not come up here.
    Fails(Fails),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    pub(crate) tool: String,
    #[serde(default)]
    pub(crate) input: BTreeMap<String, toml::Value>,
    /// What the answer must hold.
    pub(crate) answers: String,
    /// What there is to say of the answer, if it is not what its user wants.
    pub(crate) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fails {
    /// What `teammate mcp test` must say.
    pub(crate) says: String,
    pub(crate) because: String,
}

/// A program that drives ours, by a script of `rig/clients`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClientRow {
    pub(crate) name: String,
    pub(crate) package: Package,
    /// The script, or the first word of the program that was built.
    pub(crate) script: String,
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

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        Kind::ALL.into_iter().flat_map(|kind| self.names_of(kind))
    }

    pub(crate) fn names_of(&self, kind: Kind) -> impl Iterator<Item = &str> {
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
