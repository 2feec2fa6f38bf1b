//! The file's form. What is not known in it is an error: a policy that is understood in part holds only in part.

use std::path::Path;

use ring::digest::{SHA256, digest};
use serde::Deserialize;
use teammate_core::{
    permission::{Mode, Rule, RuleOrigin},
    team::PolicyDigest,
};
use teammate_models::Endpoint;
use teammate_sandbox::Level;
use toml::Spanned;

use super::{MachinePolicy, NetworkLimit, Setting, name_pattern::NamePattern};
use crate::rules::written;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    sandbox: SandboxTable,
    forbidden: ForbiddenTable,
    allowed: AllowedTable,
    rules: RulesTable,
    audit: Option<Spanned<bool>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct SandboxTable {
    required: Option<Spanned<Required>>,
    off: Option<Spanned<bool>>,
    network: Option<Spanned<Network>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Required {
    Full,
    Landlock,
    None,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"none\", \"ask\" or a list of hosts")]
enum Network {
    Word(NetworkWord),
    Hosts(Vec<String>),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum NetworkWord {
    None,
    Ask,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ForbiddenTable {
    modes: Vec<Spanned<Mode>>,
    flags: Vec<Spanned<String>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct AllowedTable {
    models: Option<Spanned<Vec<String>>>,
    endpoints: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RulesTable {
    #[serde(deserialize_with = "written::of_policy")]
    deny: Vec<Rule>,
    #[serde(deserialize_with = "written::of_policy")]
    ask: Vec<Rule>,
}

/// Reads it. An error names the line.
pub(super) fn parse(path: &Path, text: &str) -> Result<MachinePolicy, String> {
    let file: File = toml::from_str(text).map_err(|error| written::flaw(&error, text))?;
    let lines = Lines(text);
    let SandboxTable {
        required,
        off,
        network,
    } = file.sandbox;
    Ok(MachinePolicy {
        path: path.to_owned(),
        digest: digest_of(text),
        least_level: required.map(|required| lines.setting(required, Required::level)),
        forbids_off: off
            .filter(|off| !off.get_ref())
            .map(|off| lines.setting(off, |_| ())),
        network: network
            .map(|network| lines.checked(network, Network::limit))
            .transpose()?,
        highest_mode: lines.highest_mode(file.forbidden.modes)?,
        flags: (file.forbidden.flags.into_iter())
            .map(|flag| lines.setting(flag, |flag| flag.trim_start_matches('-').to_owned()))
            .collect(),
        models: (file.allowed.models)
            .map(|models| lines.checked(models, |models| patterns(&models)))
            .transpose()?,
        endpoints: (file.allowed.endpoints)
            .map(|endpoints| lines.checked(endpoints, |urls| origins(&urls)))
            .transpose()?,
        audit: (file.audit)
            .filter(|audit| *audit.get_ref())
            .map(|audit| lines.setting(audit, |_| ())),
        deny: file.rules.deny,
        ask: file.rules.ask,
    })
}

fn digest_of(text: &str) -> PolicyDigest {
    let digest = digest(&SHA256, text.as_bytes());
    let digits: String = digest.as_ref()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    PolicyDigest::parse(&digits).expect("eight bytes are sixteen digits")
}

struct Lines<'a>(&'a str);

impl Lines<'_> {
    fn of<T>(&self, value: &Spanned<T>) -> usize {
        let at = self.0.floor_char_boundary(value.span().start);
        self.0[..at].matches('\n').count() + 1
    }

    fn setting<T, U>(&self, value: Spanned<T>, read: impl FnOnce(T) -> U) -> Setting<U> {
        let line = self.of(&value);
        let value = read(value.into_inner());
        Setting { value, line }
    }

    fn checked<T, U>(
        &self,
        value: Spanned<T>,
        read: impl FnOnce(T) -> Result<U, String>,
    ) -> Result<Setting<U>, String> {
        let line = self.of(&value);
        let value = read(value.into_inner()).map_err(|why| format!("line {line}: {why}"))?;
        Ok(Setting { value, line })
    }

    /// The highest allowed mode: forbidding a mode forbids those above it.
    fn highest_mode(&self, forbidden: Vec<Spanned<Mode>>) -> Result<Option<Setting<Mode>>, String> {
        let Some(lowest) = forbidden.into_iter().min_by_key(|mode| *mode.get_ref()) else {
            return Ok(None);
        };
        let below = |mode: Mode| {
            let all = Mode::ALL.into_iter().map(|(mode, _)| mode);
            all.filter(|other| *other < mode)
                .max()
                .ok_or_else(|| format!("'{mode}' is the lowest mode: no other would be left"))
        };
        self.checked(lowest, below).map(Some)
    }
}

impl Required {
    fn level(self) -> Level {
        match self {
            Self::Full => Level::Full,
            Self::Landlock => Level::Landlock,
            Self::None => Level::None,
        }
    }
}

impl Network {
    fn limit(self) -> Result<NetworkLimit, String> {
        let hosts = match self {
            Self::Word(NetworkWord::None) => return Ok(NetworkLimit::Nowhere),
            Self::Word(NetworkWord::Ask) => return Ok(NetworkLimit::Ask),
            Self::Hosts(hosts) => hosts,
        };
        let rule = |host: &String| Rule::parse(&format!("net({host})"), RuleOrigin::Policy);
        let rules: Result<_, _> = hosts.iter().map(rule).collect();
        rules
            .map(NetworkLimit::Hosts)
            .map_err(|error| error.to_string())
    }
}

fn patterns(names: &[String]) -> Result<Vec<NamePattern>, String> {
    let pattern = |name: &String| {
        NamePattern::parse(name).ok_or_else(|| format!("'{name}' is no pattern for models"))
    };
    names.iter().map(pattern).collect()
}

fn origins(urls: &[String]) -> Result<Vec<String>, String> {
    let origin = |url: &String| {
        Endpoint::origin_of(url).ok_or_else(|| {
            format!("'{url}' is not the address of a server, like https://host:port")
        })
    };
    urls.iter().map(origin).collect()
}
