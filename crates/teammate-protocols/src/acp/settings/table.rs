//! The entry `[agent.NAME]` as it is written in the user's configuration. A name of a known make needs no entry.

use std::{
    collections::BTreeMap,
    path::{Component, Path},
};

use serde::Deserialize;
use teammate_core::{
    permission::{NET, Rule, RuleOrigin},
    variables::Variables,
};

use super::{
    AgentSettings, Login,
    known::{MAKES, make},
};
use teammate_core::name::{AgentName, AgentNameError};

/// Memory that an agent may have unless its entry says otherwise, in MB.
const MEMORY_MB: u64 = 1_500;
/// The least with which any starts.
const MEMORY_MB_MIN: u64 = 64;

/// An entry as it is written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentTable {
    /// `acp`; understood without.
    pub protocol: Option<String>,
    /// The program and what it is given; a known make's own without.
    pub command: Vec<String>,
    /// Variables of its environment, besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// The mode that its sessions are put into.
    pub mode: Option<String>,
    /// The mode for work that may change nothing.
    pub gated_mode: Option<String>,
    /// Whether sessions of before are loaded.
    pub resume: Option<bool>,
    /// Memory of the whole of it.
    pub max_memory_mb: Option<u64>,
    /// The hosts to which it may connect, as in rules; a known make's own without.
    pub network: Option<Vec<String>>,
    /// Files of the user's home directory that it gets copies of: its login.
    pub copy: Vec<String>,
}

/// Why an entry cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentSettingsError {
    #[error(transparent)]
    Name(#[from] AgentNameError),
    /// It speaks in another way.
    #[error("has the protocol '{0}'; known is acp")]
    Protocol(String),
    /// It does not say how it is started, and its make is not known.
    #[error("has no command; known without one are {0}")]
    Nothing(String),
    /// It names a variable that is not set.
    #[error("names the variable {0}, which is not set")]
    Variable(String),
    /// A host that is none.
    #[error("has a host that is none: {0}")]
    Host(String),
    /// A file that is not below the home directory.
    #[error(
        "copies '{0}', which is not a path below your home directory, such as .codex/auth.json"
    )]
    Copied(String),
    /// Less memory than any agent starts with.
    #[error("has max_memory_mb = {0}; an agent needs {MEMORY_MB_MIN} at least")]
    Memory(u64),
}

impl AgentTable {
    /// The names that are known without an entry.
    pub fn known() -> impl Iterator<Item = &'static str> {
        MAKES.iter().map(|make| make.name)
    }

    /// Reads the entry of this name.
    ///
    /// # Errors
    ///
    /// It cannot be used.
    pub fn settings(
        &self,
        name: &str,
        variables: &Variables,
    ) -> Result<AgentSettings, AgentSettingsError> {
        let name = AgentName::parse(name)?;
        if let Some(other) = self.protocol.as_deref().filter(|word| *word != "acp") {
            let word = other.chars().take(40).collect();
            return Err(AgentSettingsError::Protocol(word));
        }
        let make = make(name.as_str());
        let expand = |text: &String| variables.expand(text).map_err(AgentSettingsError::Variable);
        let mut words: Vec<String> = self.command.iter().map(expand).collect::<Result<_, _>>()?;
        if let (true, Some(make)) = (words.is_empty(), make) {
            words = make.command.iter().map(ToString::to_string).collect();
        }
        let Some((command, arguments)) = words.split_first() else {
            let known: Vec<&str> = Self::known().collect();
            return Err(AgentSettingsError::Nothing(known.join(", ")));
        };
        let of_make = |mode: Option<&'static str>| mode.map(str::to_owned);
        let environment = self.env.iter();
        let memory = self.max_memory_mb.unwrap_or(MEMORY_MB);
        if memory < MEMORY_MB_MIN {
            return Err(AgentSettingsError::Memory(memory));
        }
        Ok(AgentSettings {
            command: command.clone(),
            arguments: arguments.to_vec(),
            environment: environment
                .map(|(name, value)| Ok((name.clone(), expand(value)?)))
                .collect::<Result<_, AgentSettingsError>>()?,
            mode: self
                .mode
                .clone()
                .or_else(|| of_make(make.and_then(|it| it.mode))),
            gated_mode: self
                .gated_mode
                .clone()
                .or_else(|| of_make(make.and_then(|it| it.gated_mode))),
            resumes: self.resume.unwrap_or(true),
            memory_max: memory.saturating_mul(1_000_000),
            network: self.hosts(make.map(|it| it.network).unwrap_or_default())?,
            login: Login {
                copied: self.copied()?,
                ..make.map(super::known::Make::login).unwrap_or_default()
            },
            name,
        })
    }

    fn hosts(&self, of_make: &[&str]) -> Result<Vec<Rule>, AgentSettingsError> {
        let own = self.network.iter().flatten().map(String::as_str);
        let of_make = of_make.iter().copied();
        let hosts: Vec<&str> = match self.network {
            Some(_) => own.collect(),
            None => of_make.collect(),
        };
        let rule = |host: &&str| {
            Rule::parse(&format!("{NET}({host})"), RuleOrigin::User)
                .map_err(|error| AgentSettingsError::Host(error.to_string()))
        };
        hosts.iter().map(rule).collect()
    }

    fn copied(&self) -> Result<Vec<String>, AgentSettingsError> {
        let is_below = |path: &&String| {
            let mut parts = Path::new(path.as_str()).components();
            !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        match self.copy.iter().find(|path| !is_below(path)) {
            Some(path) => Err(AgentSettingsError::Copied(path.chars().take(80).collect())),
            None => Ok(self.copy.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, table: &AgentTable) -> Result<AgentSettings, AgentSettingsError> {
        let variables = Variables::new([("KEY".to_owned(), "k".to_owned())]);
        table.settings(name, &variables)
    }

    #[test]
    fn a_known_make_needs_no_entry_and_an_entry_says_more() {
        let codex = read("codex", &AgentTable::default()).unwrap();
        assert_eq!(codex.describe(), "codex-acp");
        assert_eq!(codex.gated_mode.as_deref(), Some("agent-full-access"));
        let table = AgentTable {
            command: vec!["node".into(), "codex-acp.js".into()],
            env: [("OPENAI_API_KEY".to_owned(), "${KEY}".to_owned())].into(),
            mode: Some("agent".into()),
            network: Some(vec!["localhost:8080".into()]),
            copy: vec![".codex/auth.json".into()],
            ..AgentTable::default()
        };
        let own = read("codex", &table).unwrap();
        assert_eq!(own.describe(), "node codex-acp.js");
        assert_eq!(own.environment, [("OPENAI_API_KEY".into(), "k".into())]);
        assert_eq!(own.mode.as_deref(), Some("agent"));
        assert_eq!(own.network.len(), 1);
        assert_eq!(own.login.variables, [("CODEX_HOME", ".codex")]);
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        let command = || vec!["x".to_owned()];
        let with = |change: fn(&mut AgentTable)| {
            let mut table = AgentTable {
                command: command(),
                ..AgentTable::default()
            };
            change(&mut table);
            read("own", &table).map(drop)
        };
        assert_eq!(with(|_| ()), Ok(()));
        assert!(matches!(
            with(|it| it.command.clear()),
            Err(AgentSettingsError::Nothing(_))
        ));
        assert_eq!(
            with(|it| it.protocol = Some("a2a".into())),
            Err(AgentSettingsError::Protocol("a2a".into()))
        );
        assert_eq!(
            with(|it| it.command.push("${NO}".into())),
            Err(AgentSettingsError::Variable("NO".into()))
        );
        assert!(matches!(
            with(|it| it.network = Some(vec!["https://x".into()])),
            Err(AgentSettingsError::Host(_))
        ));
        assert_eq!(
            with(|it| it.max_memory_mb = Some(1)),
            Err(AgentSettingsError::Memory(1))
        );
        for path in ["", "/etc/passwd", "../x", ".codex/../../x"] {
            let table = AgentTable {
                command: command(),
                copy: vec![path.to_owned()],
                ..AgentTable::default()
            };
            let refused = read("own", &table).map(drop);
            assert_eq!(refused, Err(AgentSettingsError::Copied(path.to_owned())));
        }
    }
}
