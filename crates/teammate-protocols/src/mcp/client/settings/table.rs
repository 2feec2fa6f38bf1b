//! An entry as it is written: in `.mcp.json`, which other programs share, or in the user's configuration.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value};
use teammate_core::permission::{NET, Rule, RuleError, RuleOrigin, Rules};

use super::{
    EntryOrigin, LoginSettings, Scope, ServerSettings, TransportSettings, Variables, keys,
};
use crate::mcp::client::name::{ServerName, ServerNameError};

/// How long a call may be silent unless the entry says otherwise, in seconds.
const TIMEOUT_SECONDS: u64 = 60;

/// How much of a result is shown unless the entry says otherwise, in kB.
const OUTPUT_KB: usize = 10;

/// Below the one, a `timeout` is in seconds, from the other on in milliseconds.
const SURELY_SECONDS: u64 = 1_000;
const SURELY_MILLISECONDS: u64 = 4_000;

/// The most that an entry may ask for.
const TIMEOUT_SECONDS_MAX: u64 = 24 * 60 * 60;
const OUTPUT_KB_MAX: usize = 200;

/// An entry as it is written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ServerTable {
    /// `stdio`, `http` or `streamable-http`; understood without.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The program.
    pub command: Option<String>,
    /// The arguments.
    pub args: Vec<String>,
    /// Variables of its environment, besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// Where it begins.
    pub cwd: Option<PathBuf>,
    /// The address of a server that is there already.
    #[serde(alias = "httpUrl", alias = "serverUrl")]
    pub url: Option<String>,
    /// Sent with each request to it.
    pub headers: BTreeMap<String, String>,
    /// `team` or `member`.
    pub scope: Scope,
    /// The hosts to which a program may connect, as in rules: `api.github.com`, `*.example.org`, `localhost:5432`.
    pub network: Vec<String>,
    /// How many seconds a call may be silent.
    #[serde(alias = "tool_timeout_sec")]
    pub timeout_s: Option<u64>,
    /// How many seconds its first answers may take.
    #[serde(alias = "startup_timeout_sec")]
    pub startup_timeout_s: Option<u64>,
    /// The timeout as other programs write it: some in seconds, some in milliseconds.
    pub timeout: Option<u64>,
    /// How many kB of a result are shown.
    pub max_output_kb: Option<usize>,
    /// Tools that are shown in any case.
    pub always_load: Vec<String>,
    /// Tools that only look.
    pub reads: Vec<String>,
    /// The only tools that are used.
    #[serde(alias = "includeTools", alias = "enabled_tools")]
    pub tools: Option<Vec<String>>,
    /// The id under which the program is registered with who lets people in there.
    pub client_id: Option<String>,
    /// Its secret there.
    pub client_secret: Option<String>,
    /// The port to which the browser is sent back.
    pub callback_port: Option<u16>,
    /// Not used for now.
    pub disabled: bool,
    /// Whether it is used: the opposite of `disabled`, as other programs write it.
    pub enabled: Option<bool>,
    /// Why it cannot be read, if it cannot.
    #[serde(skip)]
    pub fault: Option<String>,
    /// Keys that are not read here.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

/// Why an entry cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It has not the shape of an entry.
    #[error("cannot be read: {0}")]
    Shape(String),
    #[error(transparent)]
    Name(#[from] ServerNameError),
    /// A key that would limit it and does not here, or one that is misspelt.
    #[error("{0}")]
    Key(String),
    /// A time of which the unit is not clear.
    #[error(
        "has the timeout {0}, which may be seconds or milliseconds; write `timeout_s`, in seconds"
    )]
    Timeout(u64),
    /// It says neither how it is started nor where it is.
    #[error("has neither a command nor a url")]
    Nothing,
    /// It says both.
    #[error("has a command and a url; it can have one of them")]
    Both,
    /// It has a transport that is not spoken.
    #[error(
        "has the type '{0}'; known are stdio and http (servers of the older type sse are not spoken with)"
    )]
    Kind(String),
    /// Its address is none.
    #[error("has the url '{0}'; it must begin with https:// or http://")]
    Url(String),
    /// It names a variable that is not set, or not passed on.
    #[error(
        "names the variable {0}, which is not set or not passed on ([pass_environment] lists more)"
    )]
    Variable(String),
    /// Nobody logs in at a program.
    #[error(
        "has `client_id`, `client_secret` or `callback_port`, which are for the login at a server with a url"
    )]
    Login,
    /// A secret of nobody.
    #[error("has a `client_secret` without the `client_id` that it belongs to")]
    SecretAlone,
    /// A host that is none.
    #[error("has a host that is none: {0}")]
    Host(String),
}

impl ServerTable {
    /// An entry of JSON. Values that other programs take are understood: numbers among the arguments and variables, the command
    /// with its arguments in one list. One that cannot be read is refused when it is used.
    pub fn of_json(mut entry: Value) -> Self {
        if let Value::Object(parts) = &mut entry {
            plain(parts);
        }
        serde_json::from_value(entry).unwrap_or_else(|why| Self {
            fault: Some(why.to_string()),
            ..Self::default()
        })
    }

    /// Reads the entry of this name.
    ///
    /// # Errors
    ///
    /// It cannot be used.
    pub fn settings(
        &self,
        name: &str,
        origin: EntryOrigin,
        variables: &Variables,
    ) -> Result<ServerSettings, SettingsError> {
        if let Some(fault) = &self.fault {
            return Err(SettingsError::Shape(fault.clone()));
        }
        let name = ServerName::parse(name)?;
        self.remarks()?;
        let seconds = match self.timeout_s {
            Some(seconds) => seconds,
            None => self.timeout_of_others()?.unwrap_or(TIMEOUT_SECONDS),
        };
        let kb = self.max_output_kb.unwrap_or(OUTPUT_KB);
        Ok(ServerSettings {
            name,
            origin,
            transport: self.transport(variables)?,
            scope: self.scope,
            network: self.hosts(origin)?,
            timeout: Duration::from_secs(seconds.clamp(1, TIMEOUT_SECONDS_MAX)),
            start_limit: self
                .startup_timeout_s
                .map(|seconds| Duration::from_secs(seconds.clamp(1, TIMEOUT_SECONDS_MAX))),
            output_max: kb.clamp(1, OUTPUT_KB_MAX) * 1_000,
            always_load: self.always_load.clone(),
            reads: self.reads.clone(),
            only: self.tools.clone(),
            login: self.login(variables)?,
        })
    }

    fn login(&self, variables: &Variables) -> Result<LoginSettings, SettingsError> {
        let expand = |text: &Option<String>| {
            let text = text.as_ref().map(|text| variables.expand(text));
            text.transpose().map_err(SettingsError::Variable)
        };
        let login = LoginSettings {
            client_id: expand(&self.client_id)?,
            client_secret: expand(&self.client_secret)?,
            callback_port: self.callback_port,
        };
        if self.url.is_none() && login != LoginSettings::default() {
            return Err(SettingsError::Login);
        }
        match (&login.client_id, &login.client_secret) {
            (None, Some(_)) => Err(SettingsError::SecretAlone),
            (None | Some(_), _) => Ok(login),
        }
    }

    /// Whether it is used at all.
    pub fn is_used(&self) -> bool {
        !self.disabled && self.enabled != Some(false)
    }

    /// The keys of its entry that mean nothing here, a remark each.
    ///
    /// # Errors
    ///
    /// It says what would limit it and does not here, or a key is misspelt.
    pub fn remarks(&self) -> Result<Vec<String>, SettingsError> {
        keys::OF_ENTRIES
            .check_json(&self.other)
            .map_err(SettingsError::Key)
    }

    /// `timeout`, in seconds. No call is silent for a thousand seconds and more, or must answer within one, so the number tells
    /// its unit, but for a few.
    fn timeout_of_others(&self) -> Result<Option<u64>, SettingsError> {
        match self.timeout {
            None => Ok(None),
            Some(seconds) if seconds < SURELY_SECONDS => Ok(Some(seconds)),
            Some(milliseconds) if milliseconds >= SURELY_MILLISECONDS => {
                Ok(Some(milliseconds / 1_000))
            }
            Some(either) => Err(SettingsError::Timeout(either)),
        }
    }

    fn transport(&self, variables: &Variables) -> Result<TransportSettings, SettingsError> {
        let expand = |text: &String| variables.expand(text).map_err(SettingsError::Variable);
        let expand_all = |pairs: &BTreeMap<String, String>| {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| Ok((name.clone(), expand(value)?)))
                .collect::<Result<Vec<_>, SettingsError>>()
        };
        match self.kind.as_deref() {
            None | Some("stdio" | "http" | "streamable-http" | "streamableHttp") => {}
            Some(kind) => return Err(SettingsError::Kind(kind.chars().take(40).collect())),
        }
        match (&self.command, &self.url) {
            (None, None) => Err(SettingsError::Nothing),
            (Some(_), Some(_)) => Err(SettingsError::Both),
            (Some(command), None) => Ok(TransportSettings::Program {
                command: expand(command)?,
                arguments: self.args.iter().map(expand).collect::<Result<_, _>>()?,
                environment: expand_all(&self.env)?,
                directory: self.cwd.clone(),
            }),
            (None, Some(url)) => {
                let url = expand(url)?;
                if !url.starts_with("https://") && !url.starts_with("http://") {
                    return Err(SettingsError::Url(url.chars().take(80).collect()));
                }
                Ok(TransportSettings::Http {
                    url,
                    headers: expand_all(&self.headers)?,
                })
            }
        }
    }

    fn hosts(&self, origin: EntryOrigin) -> Result<Rules, SettingsError> {
        let origin = match origin {
            EntryOrigin::User => RuleOrigin::User,
            EntryOrigin::CommandLine => RuleOrigin::CommandLine,
            EntryOrigin::Project | EntryOrigin::Plugin => RuleOrigin::Project,
        };
        let rule = |host: &String| Rule::parse(&format!("{NET}({host})"), origin);
        let allow: Result<Vec<Rule>, RuleError> = self.network.iter().map(rule).collect();
        Ok(Rules {
            allow: allow.map_err(|error| SettingsError::Host(error.to_string()))?,
            ..Rules::default()
        })
    }
}

/// Brings an entry to the shape that is read.
fn plain(parts: &mut Map<String, Value>) {
    parts.retain(|_, value| !value.is_null());
    if let Some(Value::Array(words)) = parts.get("command")
        && let Some((command, first)) = words.clone().split_first()
    {
        let mut arguments = first.to_vec();
        if let Some(Value::Array(more)) = parts.remove("args") {
            arguments.extend(more);
        }
        parts.insert("command".to_owned(), command.clone());
        parts.insert("args".to_owned(), arguments.into());
    }
    if let Some(Value::Object(login)) = parts.get("oauth") {
        let mut login = login.clone();
        for (theirs, ours) in [
            ("clientId", "client_id"),
            ("client_id", "client_id"),
            ("clientSecret", "client_secret"),
            ("client_secret", "client_secret"),
            ("callbackPort", "callback_port"),
            ("callback_port", "callback_port"),
        ] {
            if let Some(value) = login.remove(theirs) {
                parts.entry(ours).or_insert(value);
            }
        }
        // The rest is of ways that this program does not take.
        parts.remove("oauth");
    }
    for word in ["args", "env", "headers"] {
        match parts.get_mut(word) {
            Some(Value::Array(values)) => values.iter_mut().for_each(as_text),
            Some(Value::Object(values)) => values.values_mut().for_each(as_text),
            Some(_) | None => {}
        }
    }
}

/// A number or a truth as the text that a program gets.
fn as_text(value: &mut Value) {
    if value.is_number() || value.is_boolean() {
        *value = value.to_string().into();
    }
}

#[cfg(test)]
mod tests;
