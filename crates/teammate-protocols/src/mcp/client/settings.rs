//! Settings of a server before it is started: the entry of a configuration, read and checked.

mod keys;
mod table;

use std::{path::PathBuf, time::Duration};

use ring::digest::{Context, SHA256};
use teammate_core::permission::Rules;

pub use keys::OF_FILES as KEYS_OF_FILES;
pub use table::{ServerTable, SettingsError};
pub use teammate_core::variables::Variables;

use crate::mcp::client::name::ServerName;

/// How a server is reached, and how far it is trusted.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    pub name: ServerName,
    pub origin: EntryOrigin,
    /// How it is reached.
    pub transport: TransportSettings,
    /// Whether members share one.
    pub scope: Scope,
    /// Where a program may connect: nowhere, unless rules allow it. Hosts of a project's entry have the project's weight only.
    pub network: Rules,
    /// How long a call may be silent. Progress of the server begins it anew.
    pub timeout: Duration,
    /// How long its first answers may take, if the entry says so.
    pub start_limit: Option<Duration>,
    /// How much of a result a model is shown, in bytes; the whole is filed.
    pub output_max: usize,
    /// Tools that are shown in any case, where others are only found by searching.
    pub always_load: Vec<String>,
    /// Tools that only look, as the user says: names, or beginnings of names with a `*` behind.
    pub reads: Vec<String>,
    /// The only tools that are used, if the entry lists some.
    pub only: Option<Vec<String>>,
    /// As what the user logs in there.
    pub login: LoginSettings,
}

/// As what a user logs in at a server by OAuth. Without an id the program registers itself with who lets people in there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoginSettings {
    /// The id under which the user has registered the program there.
    pub client_id: Option<String>,
    /// The secret that belongs to it, if it has one.
    pub client_secret: Option<String>,
    /// The port to which the browser is sent back; without, one that is free.
    pub callback_port: Option<u16>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransportSettings {
    /// It is a program that talks over its standard streams.
    Program {
        /// A path, or a name that is looked for in `PATH`.
        command: String,
        arguments: Vec<String>,
        /// Variables of its environment, besides the usual ones.
        environment: Vec<(String, String)>,
        /// Where it begins; the workspace without.
        directory: Option<PathBuf>,
    },
    /// It answers streamable HTTP there.
    Http {
        /// Its address.
        url: String,
        /// Sent with each request.
        headers: Vec<(String, String)>,
    },
}

/// Whose entry a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOrigin {
    /// The user's configuration.
    User,
    /// A file named on the command line.
    CommandLine,
    /// The workspace's `.mcp.json`, which the user trusts.
    Project,
    /// A plug-in, which the user trusts.
    Plugin,
}

impl EntryOrigin {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "your configuration",
            Self::CommandLine => "--mcp-config",
            Self::Project => ".mcp.json",
            Self::Plugin => "a plug-in",
        }
    }
}

/// The members that share a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The whole team.
    #[default]
    Team,
    /// Nobody: it keeps state for each member.
    Member,
}

impl ServerSettings {
    /// Identifies what is started or spoken to. What was accepted of a server holds as long as this is the same; values of
    /// its environment and headers, which are often secrets, are no part of it.
    pub fn fingerprint(&self) -> String {
        let mut context = Context::new(&SHA256);
        let mut part = |text: &str| {
            context.update(&(text.len() as u64).to_le_bytes());
            context.update(text.as_bytes());
        };
        part(self.name.as_str());
        match &self.transport {
            TransportSettings::Program {
                command,
                arguments,
                environment,
                directory,
            } => {
                part("program");
                part(command);
                arguments.iter().for_each(|text| part(text));
                part("environment");
                environment.iter().for_each(|(name, _)| part(name));
                let directory = directory.as_ref().map(|path| path.to_string_lossy());
                part(&directory.unwrap_or_default());
            }
            TransportSettings::Http { url, headers } => {
                part("http");
                part(url);
                headers.iter().for_each(|(name, _)| part(name));
            }
        }
        let digest = context.finish();
        digest
            .as_ref()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// How it is reached, in a line, without secrets.
    pub fn describe(&self) -> String {
        match &self.transport {
            TransportSettings::Program {
                command, arguments, ..
            } => {
                let words = [std::slice::from_ref(command), arguments].concat();
                words.join(" ")
            }
            TransportSettings::Http { url, .. } => url.clone(),
        }
    }

    /// Whether the entry has this tool used.
    pub(crate) fn uses(&self, tool: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.iter().any(|name| matches(name, tool)))
    }

    /// Whether the user says that this tool only looks. A project and a plug-in cannot say it.
    pub(crate) fn says_it_reads(&self, tool: &str) -> bool {
        match self.origin {
            EntryOrigin::User | EntryOrigin::CommandLine => {
                self.reads.iter().any(|name| matches(name, tool))
            }
            EntryOrigin::Project | EntryOrigin::Plugin => false,
        }
    }
}

/// A name, or the beginning of one before a `*`.
fn matches(pattern: &str, tool: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => tool.starts_with(beginning),
        None => pattern == tool,
    }
}
