//! The entries of servers: the user's own, those of files named on the command line, and the workspace's, once they are trusted, and
//! those of plug-ins.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer};
use teammate_process::environment::allowed_environment;
use teammate_protocols::mcp::client::{
    EntryOrigin, KEYS_OF_FILES, ServerSettings, ServerTable, Variables,
};
use teammate_store::disk::open_regular;

use super::file::ServersFile;
use crate::project::{Plugin, Plugins, ProjectSettings, TrustStore, UserDirs};

/// The most that a file of entries may hold.
const BYTES_MAX: u64 = 1 << 20;

/// The servers that the user configured.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// Of the configuration, by name.
    pub own: BTreeMap<String, ServerTable>,
    /// Of files that were named on the command line.
    pub named: BTreeMap<String, ServerTable>,
    /// Whether those of the command line are all that count.
    pub only_named: bool,
}

/// The shape of `.mcp.json`.
#[derive(Deserialize)]
struct Written {
    #[serde(
        rename = "mcpServers",
        alias = "servers",
        default,
        deserialize_with = "one_by_one"
    )]
    servers: BTreeMap<String, ServerTable>,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

/// Why a file that was named on the command line cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EntriesError {
    /// It cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is no such file.
    #[error("{} cannot be used: {error} (it has the shape of .mcp.json: {{\"mcpServers\": {{...}}}})", path.display())]
    Shape {
        /// Which.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
}

/// The servers that count.
#[derive(Debug, Default)]
pub struct FoundServers {
    /// Those that can be used.
    pub settings: Vec<ServerSettings>,
    /// Names of the workspace's servers that are not trusted.
    pub untrusted: Vec<String>,
    /// Entries that cannot be used, in a sentence each.
    pub notices: Vec<String>,
}

impl Entries {
    /// Adds the entries of the user's `mcp.json`, which `add` writes; those of the configuration come first. A file that cannot be
    /// used is an error with the reason.
    ///
    /// # Errors
    ///
    /// It cannot be used.
    pub fn add_own(&mut self, file: &ServersFile) -> Result<(), EntriesError> {
        let path = file.path().to_owned();
        let text = match read_own(file.path()) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(EntriesError::Unreadable { path, error }),
        };
        let Written { servers, .. } =
            parse(&text).map_err(|error| EntriesError::Shape { path, error })?;
        for (name, table) in servers {
            self.own.entry(name).or_insert(table);
        }
        Ok(())
    }

    /// Adds the entries of a file in the shape of `.mcp.json`, or of such a text itself.
    ///
    /// # Errors
    ///
    /// It cannot be used.
    pub fn add_named(&mut self, file: &Path) -> Result<(), EntriesError> {
        let text = file.to_string_lossy();
        let text = match text.trim_start().starts_with('{') {
            true => text.into_owned(),
            false => read(file).map_err(|error| EntriesError::Unreadable {
                path: file.to_owned(),
                error,
            })?,
        };
        let Written { servers, .. } = parse(&text).map_err(|error| EntriesError::Shape {
            path: file.to_owned(),
            error,
        })?;
        self.named.extend(servers);
        Ok(())
    }

    /// The servers that count in this workspace, which must be resolved: of entries with the same name the one that is named on
    /// the command line, then the user's own; or those of the command line alone. `pass` names variables that entries of the workspace may use besides the harmless
    /// ones.
    pub fn found(&self, workspace: &Path, user: &UserDirs, pass: &[String]) -> FoundServers {
        let mut found = FoundServers::default();
        let all = || {
            let all = std::env::vars_os();
            all.filter_map(|(name, value)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            })
        };
        let (own, few) = (
            Variables::new(all()),
            Variables::new(allowed_environment(all(), pass)),
        );
        let mut taken = BTreeSet::new();
        found.add(&self.named, EntryOrigin::CommandLine, &own, &mut taken);
        if self.only_named {
            return found;
        }
        found.add(&self.own, EntryOrigin::User, &own, &mut taken);
        let project = ProjectSettings::read(workspace);
        match project.servers() {
            None => {}
            Some(Err(why)) => found.notices.push(format!("{why}; it is not used")),
            Some(Ok(text)) => match parse(&text) {
                Err(error) => {
                    let notice = format!(".mcp.json cannot be used: {error}");
                    found.notices.push(notice);
                }
                Ok(Written { servers, .. })
                    if TrustStore::at(user.state.as_deref()).is_trusted(workspace, &project) =>
                {
                    found.add(&servers, EntryOrigin::Project, &few, &mut taken);
                }
                Ok(Written { servers, .. }) => found.untrusted = servers.into_keys().collect(),
            },
        }
        for plugin in &Plugins::of_user(user).used {
            found.add_of(plugin, &few, &mut taken);
        }
        found
    }
}

impl FoundServers {
    /// Those of a plug-in: `PLUGIN-NAME`.
    fn add_of(&mut self, plugin: &Plugin, variables: &Variables, taken: &mut BTreeSet<String>) {
        for text in plugin.servers() {
            let servers = match parse(&text) {
                Ok(Written { servers, .. }) => servers,
                Err(error) => {
                    let name = plugin.name();
                    self.notices.push(format!(
                        "the MCP servers of the plug-in {name} cannot be used: {error}"
                    ));
                    continue;
                }
            };
            let named = servers
                .into_iter()
                .map(|(name, table)| (format!("{}-{name}", plugin.name()), table));
            self.add(&named.collect(), EntryOrigin::Plugin, variables, taken);
        }
    }

    fn add(
        &mut self,
        entries: &BTreeMap<String, ServerTable>,
        origin: EntryOrigin,
        variables: &Variables,
        taken: &mut BTreeSet<String>,
    ) {
        for (name, table) in entries {
            if !taken.insert(name.clone()) || !table.is_used() {
                continue;
            }
            let of = format!(
                "The MCP server '{}' of {}",
                teammate_core::fence::escaped_line(name),
                origin.as_str()
            );
            match table.settings(name, origin, variables) {
                Ok(settings) => {
                    let remarks = table.remarks().unwrap_or_default().into_iter();
                    let remarks = remarks.map(|remark| format!("{of}: {remark}"));
                    self.notices.extend(remarks);
                    self.settings.push(settings);
                }
                Err(why) => self.notices.push(format!("{of} {why}; it is not used")),
            }
        }
    }
}

/// The user's own file, which lies where nobody named it.
fn read_own(path: &Path) -> io::Result<String> {
    text_of(open_regular(OpenOptions::new().read(true), path)?)
}

/// A file that the user named, which may be a pipe of their shell.
fn read(path: &Path) -> io::Result<String> {
    text_of(File::open(path)?)
}

fn text_of(file: File) -> io::Result<String> {
    let mut text = String::new();
    file.take(BYTES_MAX).read_to_string(&mut text)?;
    Ok(text)
}

/// The entries, of which one that cannot be read costs no other.
fn one_by_one<'de, D: Deserializer<'de>>(
    entries: D,
) -> Result<BTreeMap<String, ServerTable>, D::Error> {
    let entries = BTreeMap::<String, serde_json::Value>::deserialize(entries)?;
    let entries = entries.into_iter();
    Ok(entries
        .map(|(name, entry)| (name, ServerTable::of_json(entry)))
        .collect())
}

fn parse(text: &str) -> Result<Written, serde_json::Error> {
    let written: Written = serde_json::from_str(text)?;
    // What else is in it is other programs'.
    let remarks = KEYS_OF_FILES.check_json(&written.rest);
    remarks.map_err(serde::de::Error::custom)?;
    Ok(written)
}
