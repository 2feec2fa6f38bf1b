//! `--nats`, `--creds` and the table `[nats]` of the configuration: on which servers the team is kept, and as whom this program is there.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde::Deserialize;
use teammate::{
    nats::{NatsServers, SandboxLevel, connect::ServerUrl, layout::TeamId},
    store::SharedStore,
};

use super::Options;

/// Addresses of servers, where no flag says any.
const SERVERS_VARIABLE: &str = "TEAMMATE_NATS";

/// The file of creds, where no flag says any.
const CREDS_VARIABLE: &str = "TEAMMATE_NATS_CREDS";

/// Flags of teams on NATS servers.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct NatsFlags {
    /// The team is kept on these NATS servers: nats://HOST:PORT on this machine, else tls://, separated by commas [env:
    /// TEAMMATE_NATS]
    #[arg(long, global = true, value_name = "URL", value_delimiter = ',')]
    nats: Vec<String>,

    /// The creds of a person or worker for those servers, as `teammate keys` made them [env: TEAMMATE_NATS_CREDS]
    #[arg(long, global = true, value_name = "FILE")]
    creds: Option<PathBuf>,
}

/// The table `[nats]` of the configuration.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NatsTable {
    /// Addresses, separated by commas.
    url: Option<String>,
    creds: Option<PathBuf>,
    /// How well workers have to hold commands to be given members.
    require_sandbox: Option<SandboxLevel>,
}

impl NatsFlags {
    /// The servers that a flag names; nothing if none does.
    ///
    /// Errors: an address is none.
    pub(crate) fn given(&self) -> anyhow::Result<Option<NatsServers>> {
        servers(&self.nats, self.creds.clone().or_else(creds_of_environment))
    }

    /// The servers of flags, or else of the environment and then of the configuration.
    pub(super) fn or_from(&self, file: &NatsTable) -> anyhow::Result<Option<NatsServers>> {
        let of_environment = variable(SERVERS_VARIABLE).map(|text| split(&text));
        let of_file = || file.url.as_deref().map(split);
        let urls = match self.nats.is_empty() {
            false => self.nats.clone(),
            true => of_environment.or_else(of_file).unwrap_or_default(),
        };
        let creds = self.creds.clone().or_else(creds_of_environment);
        servers(&urls, creds.or_else(|| file.creds.clone()))
    }

    /// With these servers, whatever was said before.
    pub(crate) fn at(self, urls: Vec<String>) -> Self {
        Self { nats: urls, ..self }
    }

    /// The flags by which another command finds the same servers.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let nats = (!self.nats.is_empty()).then(|| format!("--nats {}", self.nats.join(",")));
        let creds = self.creds.as_ref();
        let creds = creds.map(|path| format!("--creds '{}'", path.display()));
        nats.into_iter().chain(creds)
    }
}

impl Options {
    /// The servers that the team is kept on, if it is kept on any.
    pub(crate) fn servers(&self) -> anyhow::Result<Option<NatsServers>> {
        self.nats.or_from(&self.file()?.nats)
    }

    /// How well the configuration wants workers to hold commands.
    pub(crate) fn required_of_workers(&self) -> anyhow::Result<SandboxLevel> {
        Ok(self.file()?.nats.require_sandbox.unwrap_or_default())
    }

    /// Those that a flag names.
    pub(crate) fn servers_given(&self) -> anyhow::Result<Option<NatsServers>> {
        self.nats.given()
    }

    /// These options, for these servers.
    pub(crate) fn on_servers(self, urls: Vec<String>) -> Self {
        Self {
            nats: self.nats.at(urls),
            ..self
        }
    }

    /// These options, where no team is named.
    pub(crate) fn unnamed(self) -> Self {
        Self { team: None, ..self }
    }

    /// The team's name on servers.
    pub(crate) fn name_on_servers(&self) -> anyhow::Result<TeamId> {
        match self
            .team
            .as_ref()
            .and_then(|name| TeamId::parse(name.as_str()))
        {
            Some(name) => Ok(name),
            None => name_of(&self.dir()),
        }
    }

    /// These options, for a team that is kept in this store.
    pub(crate) fn kept_in(self, store: SharedStore) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }
}

fn servers(urls: &[String], creds: Option<PathBuf>) -> anyhow::Result<Option<NatsServers>> {
    if urls.is_empty() {
        return Ok(None);
    }
    let urls: Result<Vec<_>, _> = urls.iter().map(|url| ServerUrl::parse(url)).collect();
    Ok(Some(NatsServers { urls: urls?, creds }))
}

fn split(text: &str) -> Vec<String> {
    let urls = text.split(',').map(str::trim).filter(|url| !url.is_empty());
    urls.map(str::to_owned).collect()
}

fn creds_of_environment() -> Option<PathBuf> {
    std::env::var_os(CREDS_VARIABLE)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// The name on servers of a workspace's team that has none: that of the directory, as all workspaces meet there.
pub(super) fn name_of(workspace: &Path) -> anyhow::Result<TeamId> {
    let of = || anyhow!("name the team: --team NAME");
    let workspace = workspace
        .canonicalize()
        .with_context(|| format!("cannot use {} as a workspace", workspace.display()))?;
    let name = workspace.file_name().ok_or_else(of)?.to_string_lossy();
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if is_kept(c) { c } else { '-' })
        .collect();
    TeamId::parse(name.trim_matches(['-', '_'])).ok_or_else(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_count_more_than_the_configuration_and_a_team_is_called_as_its_directory() {
        let file = NatsTable {
            url: Some("nats://127.0.0.1:1, nats://127.0.0.1:2".to_owned()),
            creds: Some("w.creds".into()),
            require_sandbox: None,
        };
        let of_file = NatsFlags::default().or_from(&file).unwrap().unwrap();
        assert_eq!(of_file.urls.len(), 2);
        assert_eq!(of_file.creds, Some("w.creds".into()));
        let flags = NatsFlags::default().at(vec!["nats://127.0.0.1:3".to_owned()]);
        assert_eq!(flags.or_from(&file).unwrap().unwrap().urls.len(), 1);
        assert_eq!(
            flags.words().collect::<Vec<_>>(),
            ["--nats nats://127.0.0.1:3"]
        );
        let away = NatsFlags::default().at(vec!["nats://10.0.0.1".to_owned()]);
        assert!(
            away.given()
                .unwrap_err()
                .to_string()
                .contains("write tls://")
        );
        let none = NatsFlags::default().or_from(&NatsTable::default());
        assert_eq!(none.unwrap(), None);

        let home = tempfile::tempdir().unwrap();
        let workspace = home.path().join("My App.2");
        std::fs::create_dir(&workspace).unwrap();
        assert_eq!(name_of(&workspace).unwrap().to_string(), "my-app-2");
    }
}
