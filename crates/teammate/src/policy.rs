//! The policy of the machine's administrator: `/etc/teammate/policy.toml`, which no user, project or flag weakens. It is read
//! whenever a team or a model is opened; nothing in this library opens one without. Other programs do not know it.

pub(crate) mod error;
mod file;
mod name_pattern;
mod table;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use teammate_core::{
    model::ModelRef,
    permission::{Mode, Rule, Rules},
    port::ModeLimit,
    team::{PolicyDigest, SandboxLevel},
};
use teammate_models::{Endpoint, ProxySetting};
use teammate_sandbox::{Level, NetworkRule, SandboxRules, Strength};

pub use self::error::PolicyError;
use self::name_pattern::NamePattern;

/// Where the policy of a machine is.
pub const POLICY_FILE: &str = "/etc/teammate/policy.toml";

/// The limits that the administrator of this machine sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachinePolicy {
    path: PathBuf,
    digest: PolicyDigest,
    least_level: Option<Setting<Level>>,
    forbids_off: Option<Setting<()>>,
    network: Option<Setting<NetworkLimit>>,
    highest_mode: Option<Setting<Mode>>,
    flags: Vec<Setting<String>>,
    models: Option<Setting<Vec<NamePattern>>>,
    endpoints: Option<Setting<Vec<String>>>,
    deny: Vec<Rule>,
    ask: Vec<Rule>,
    audit: Option<Setting<()>>,
}

/// A value of the file, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting<T> {
    value: T,
    line: usize,
}

/// Where commands connect at most.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NetworkLimit {
    Nowhere,
    /// The user is asked about what no rule allows.
    Ask,
    /// These hosts, under the user's own rules.
    Hosts(Vec<Rule>),
}

impl MachinePolicy {
    /// The policy of this machine; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`PolicyError::Unusable`]: there is one, but it is not a plain file that only root can change, with only directories above
    /// that only root can change, or it has something in it that is not known.
    pub fn of_machine() -> Result<Option<Self>, PolicyError> {
        let path = Path::new(POLICY_FILE);
        let unusable = |why| PolicyError::Unusable {
            path: path.to_owned(),
            why,
        };
        let text = file::read(path).map_err(unusable)?;
        text.map(|text| Self::parse(path, &text).map_err(unusable))
            .transpose()
    }

    fn parse(path: &Path, text: &str) -> Result<Self, String> {
        table::parse(path, text)
    }

    /// Refuses a permission mode.
    pub(crate) fn check_mode(&self, mode: Mode) -> Result<(), PolicyError> {
        match &self.highest_mode {
            Some(highest) if mode > highest.value => Err(self.forbidden(
                highest.line,
                format_args!(
                    "forbids the mode '{mode}'; the highest is '{}'",
                    highest.value
                ),
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a flag of the command line, by its name without the hyphens: programs call this for each that was given.
    ///
    /// # Errors
    ///
    /// [`PolicyError::Forbidden`].
    pub fn check_flag(&self, flag: &str) -> Result<(), PolicyError> {
        match self.flags.iter().find(|forbidden| forbidden.value == flag) {
            Some(found) => {
                Err(self.forbidden(found.line, format_args!("forbids the flag --{flag}")))
            }
            None => Ok(()),
        }
    }

    /// The flags that are forbidden, without their hyphens: a program refuses a policy with one that it does not have.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.flags.iter().map(|flag| flag.value.as_str())
    }

    /// Refuses a model, by its name alone or with its provider. A play is none.
    pub(crate) fn check_model(&self, model: &ModelRef) -> Result<(), PolicyError> {
        let names = [model.name.clone(), model.to_string()];
        match &self.models {
            Some(allowed)
                if !allowed
                    .value
                    .iter()
                    .any(|pattern| names.iter().any(|name| pattern.matches(name))) =>
            {
                Err(self.forbidden(
                    allowed.line,
                    format_args!("does not allow the model '{model}'"),
                ))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a server, and a way to it on which another one could answer in its place: a proxy of the provider's own must be
    /// among the servers, too; and a provider that trusts certificates which the system does not is not led through a proxy of
    /// the environment, which nobody has checked.
    pub(crate) fn check_endpoint(&self, endpoint: &Endpoint) -> Result<(), PolicyError> {
        let Some(allowed) = &self.endpoints else {
            return Ok(());
        };
        let name = &endpoint.name;
        match &endpoint.transport.proxy {
            ProxySetting::Url(url) => {
                let origin = Endpoint::origin_of(url);
                if !origin.is_some_and(|origin| allowed.value.contains(&origin)) {
                    let what = format_args!("does not allow the proxy of the provider '{name}'");
                    return Err(self.forbidden(allowed.line, what));
                }
            }
            ProxySetting::Environment if endpoint.transport.ca_file.is_some() => {
                let what = format_args!(
                    "does not allow ca_file for the provider '{name}' unless its proxy is \"none\" or an allowed server"
                );
                return Err(self.forbidden(allowed.line, what));
            }
            ProxySetting::Environment | ProxySetting::Direct => {}
        }
        match Endpoint::origin_of(&endpoint.base_url) {
            Some(origin) if allowed.value.contains(&origin) => Ok(()),
            Some(origin) => Err(self.forbidden(
                allowed.line,
                format_args!("does not allow the server {origin}"),
            )),
            None => Err(self.forbidden(
                allowed.line,
                format_args!(
                    "does not allow the provider '{}', whose address is not understood",
                    endpoint.name
                ),
            )),
        }
    }

    /// How commands are held by this, if the user wants them held so. Where they connect is tightened, the second value says it.
    ///
    /// # Errors
    ///
    /// [`PolicyError::Forbidden`].
    pub fn sandbox(
        &self,
        asked: SandboxRules,
    ) -> Result<(SandboxRules, Option<String>), PolicyError> {
        if let (Level::Off, Some(off)) = (asked.at_most, &self.forbids_off) {
            let what = format_args!("forbids that the sandbox is switched off");
            return Err(self.forbidden(off.line, what));
        }
        self.check_level(asked.at_most)?;
        let asks = asked.network;
        let network = match (&self.network, asks) {
            (None, _) | (Some(_), NetworkRule::Nowhere) => asks,
            (Some(limit), _) if limit.value == NetworkLimit::Nowhere => NetworkRule::Nowhere,
            (Some(_), NetworkRule::Machine) => NetworkRule::Ask,
            (Some(_), NetworkRule::Ask | NetworkRule::Listed) => asks,
        };
        let notice = (self.network.as_ref())
            .filter(|_| network != asks)
            .map(|limit| {
                format!(
                    "{}:{} limits where commands connect",
                    self.path.display(),
                    limit.line
                )
            });
        Ok((SandboxRules { network, ..asked }, notice))
    }

    /// Refuses to open a team whose commands would be held less well.
    pub(crate) fn check_strength(&self, strength: &Strength) -> Result<(), PolicyError> {
        self.check_level(strength.level)
    }

    fn check_level(&self, level: Level) -> Result<(), PolicyError> {
        let (least, line) = match (&self.least_level, &self.network) {
            // No other level distinguishes hosts.
            (_, Some(network)) => (Level::Full, network.line),
            (Some(least), None) => (least.value, least.line),
            (None, None) => return Ok(()),
        };
        if level >= least {
            return Ok(());
        }
        let what = format_args!(
            "requires that commands are held at the level '{least}'; here it would be '{level}'"
        );
        Err(self.forbidden(line, what))
    }

    /// The rules that come before all others.
    pub fn rules(&self) -> Rules {
        let hosts = match self.network.as_ref().map(|network| &network.value) {
            Some(NetworkLimit::Hosts(hosts)) => vec![hosts.clone()],
            Some(NetworkLimit::Nowhere | NetworkLimit::Ask) | None => Vec::new(),
        };
        Rules {
            deny: self.deny.clone(),
            ask: self.ask.clone(),
            host_lists: hosts,
            ..Rules::default()
        }
    }

    /// Whether nothing may run that is not in the audit log.
    pub(crate) fn requires_audit(&self) -> bool {
        self.audit.is_some()
    }

    /// The least level that it has commands held at, for teams that are begun here and run by workers elsewhere.
    pub fn least_of_workers(&self) -> SandboxLevel {
        let by_network = self.network.as_ref().map(|_| Level::Full);
        let by_level = self.least_level.as_ref().map(|least| least.value);
        by_network
            .max(by_level)
            .map_or(SandboxLevel::Off, sandbox_level)
    }

    /// Of its text: two machines with the same one have the same policy.
    pub fn digest(&self) -> PolicyDigest {
        self.digest.clone()
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The policy in words, a sentence for each setting with its line at the end; its rules are in [`rules`](Self::rules).
    pub fn describe(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut say =
            |line: usize, what: fmt::Arguments<'_>| said.push(format!("{what} (line {line})"));
        if let Some(Setting { value, line }) = &self.least_level {
            say(
                *line,
                format_args!("commands are held at the level '{value}' or better"),
            );
        }
        if let Some(Setting { line, .. }) = &self.forbids_off {
            say(*line, format_args!("the sandbox is not switched off"));
        }
        if let Some(Setting { value, line }) = &self.network {
            say(
                *line,
                format_args!("{value}; the full sandbox is required for it"),
            );
        }
        if let Some(Setting { value, line }) = &self.highest_mode {
            say(
                *line,
                format_args!("the highest permission mode is '{value}'"),
            );
        }
        for Setting { value, line } in &self.flags {
            say(*line, format_args!("the flag --{value} is forbidden"));
        }
        if let Some(Setting { value, line }) = &self.models {
            let names: Vec<String> = value.iter().map(ToString::to_string).collect();
            say(*line, format_args!("models: {}", names.join(", ")));
        }
        if let Some(Setting { value, line }) = &self.endpoints {
            say(
                *line,
                format_args!("servers of models: {}", value.join(", ")),
            );
        }
        if let Some(Setting { line, .. }) = &self.audit {
            say(
                *line,
                format_args!("what is not in the audit log does not run"),
            );
        }
        said
    }

    fn forbidden(&self, line: usize, what: fmt::Arguments<'_>) -> PolicyError {
        PolicyError::Forbidden {
            path: self.path.clone(),
            line,
            what: what.to_string(),
        }
    }
}

impl fmt::Display for NetworkLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => f.write_str("commands connect nowhere"),
            Self::Ask => f.write_str("commands connect to hosts that a rule or the user allows"),
            Self::Hosts(hosts) => {
                let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
                write!(f, "commands connect to no hosts but {}", hosts.join(", "))
            }
        }
    }
}

/// The permission modes that the policy of this machine allows. It is read whenever one is chosen.
#[derive(Debug)]
pub(crate) struct MachineModes;

impl ModeLimit for MachineModes {
    fn check(&self, mode: Mode) -> Result<(), String> {
        let policy = MachinePolicy::of_machine().map_err(|error| error.to_string())?;
        let checked = policy.map_or(Ok(()), |policy| policy.check_mode(mode));
        checked.map_err(|error| error.to_string())
    }
}

/// A level, as workers say it.
pub(crate) fn sandbox_level(level: Level) -> SandboxLevel {
    match level {
        Level::Off => SandboxLevel::Off,
        Level::None => SandboxLevel::None,
        Level::Landlock => SandboxLevel::Landlock,
        Level::Full => SandboxLevel::Full,
    }
}

#[cfg(test)]
mod tests;
