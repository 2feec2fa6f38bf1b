//! The table `[sandbox]` of the configuration, the flag `--sandbox`, and the older word for them.

use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use serde::Deserialize;
use teammate::sandbox::{Cache, Level, NetworkRule, SandboxRules};

use super::{limits::LimitsTable, network::NetworkSetting};

/// Values of `--sandbox`.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SandboxFlag {
    /// Nothing holds commands.
    Off,
}

/// How commands are held, as the configuration says it.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SandboxTable {
    /// The least that is enough.
    required: Option<RequiredLevel>,
    /// Besides the workspace, what commands may write in.
    write: Vec<String>,
    /// Build tools whose downloads they share with the user.
    caches: Vec<CacheName>,
    /// Files that commands do not see, besides the usual keys and tokens.
    hidden: Vec<String>,
    /// Of what is hidden otherwise, what they see.
    shown: Vec<String>,
    /// Where they connect.
    pub(super) network: Option<NetworkSetting>,
    /// How much they may use.
    limits: LimitsTable,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum RequiredLevel {
    Full,
    Landlock,
    None,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum CacheName {
    Cargo,
    Npm,
    Pip,
    Go,
}

/// Values of the setting `containment` until 0.1: how surely commands are ended. Each means the nearest that there is now.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Containment {
    Namespace,
    Descendants,
    Marks,
}

impl Containment {
    /// The notice where it is set.
    pub(super) const NOTICE: &'static str = "the setting containment is deprecated: \"namespace\" is the default and can go; instead of \
        \"descendants\" and \"marks\" say [sandbox] required = \"none\"";
}

impl SandboxTable {
    /// The rules; the flag comes first.
    pub(super) fn rules(
        &self,
        flag: Option<SandboxFlag>,
        containment: Option<Containment>,
        network: NetworkRule,
    ) -> anyhow::Result<SandboxRules> {
        let basis = match (flag, containment) {
            (Some(SandboxFlag::Off), _) => SandboxRules::off(),
            (None, Some(Containment::Descendants | Containment::Marks)) => SandboxRules {
                at_most: Level::None,
                required: Some(Level::None),
                ..SandboxRules::default()
            },
            (None, Some(Containment::Namespace) | None) => SandboxRules {
                required: self.required.map(RequiredLevel::level),
                ..SandboxRules::default()
            },
        };
        let home = basis.home.clone();
        let paths = |key: &str, paths: &[String]| -> anyhow::Result<Vec<PathBuf>> {
            let path = |text: &String| absolute(text, home.as_ref(), key);
            paths.iter().map(path).collect()
        };
        Ok(SandboxRules {
            write: paths("write", &self.write)?,
            caches: self.caches.iter().map(|cache| cache.cache()).collect(),
            hidden: paths("hidden", &self.hidden)?,
            shown: paths("shown", &self.shown)?,
            network,
            limits: self.limits.limits(),
            member_limits: self.limits.member_limits(),
            ..basis
        })
    }
}

impl RequiredLevel {
    fn level(self) -> Level {
        match self {
            Self::Full => Level::Full,
            Self::Landlock => Level::Landlock,
            Self::None => Level::None,
        }
    }
}

impl CacheName {
    fn cache(self) -> Cache {
        match self {
            Self::Cargo => Cache::Cargo,
            Self::Npm => Cache::Npm,
            Self::Pip => Cache::Pip,
            Self::Go => Cache::Go,
        }
    }
}

/// A path as the user writes it: absolute, or below `~`.
fn absolute(text: &str, home: Option<&PathBuf>, key: &str) -> anyhow::Result<PathBuf> {
    if let (Some(below), Some(home)) = (text.strip_prefix("~/"), home) {
        return Ok(home.join(below));
    }
    let path = PathBuf::from(text);
    if !path.is_absolute() {
        bail!("[sandbox] {key}: '{text}' is neither absolute nor below ~/");
    }
    Ok(path)
}
