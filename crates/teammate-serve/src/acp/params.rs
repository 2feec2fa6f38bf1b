//! The parameters of the editor's requests. Fields of later versions are passed over.

use std::path::PathBuf;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::acp::{refusal::Refusal, session_id::SessionId};

/// Reads the parameters of a request.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    // Nothing is the same as no fields.
    let params = match params {
        Value::Null => Value::Object(serde_json::Map::new()),
        params => params,
    };
    serde_json::from_value(params).map_err(|error| {
        let why: String = teammate::visible(&error.to_string())
            .chars()
            .take(200)
            .collect();
        Refusal::parameters(why)
    })
}

/// A session by the id that the editor names.
pub(crate) fn session(id: &str) -> Result<SessionId, Refusal> {
    SessionId::parse(id).ok_or_else(|| Refusal::session(id))
}

/// `session/new`, and with an id `session/load`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opening {
    #[serde(default)]
    pub(crate) session_id: String,
    cwd: PathBuf,
    #[serde(default)]
    additional_directories: Vec<PathBuf>,
    /// Of which only the number counts: none is started.
    #[serde(default)]
    pub(crate) mcp_servers: Vec<serde::de::IgnoredAny>,
}

impl Opening {
    /// The directory in which the team works, resolved.
    pub(crate) fn workspace(&self) -> Result<PathBuf, Refusal> {
        if !self.additional_directories.is_empty() {
            return Err(Refusal::parameters(
                "a team works in one directory; additionalDirectories are not offered",
            ));
        }
        if !self.cwd.is_absolute() {
            return Err(Refusal::parameters("cwd is not an absolute path"));
        }
        let found = self.cwd.canonicalize();
        let found = found.and_then(|path| match path.is_dir() {
            true => Ok(path),
            false => Err(std::io::ErrorKind::NotADirectory.into()),
        });
        found.map_err(|error| Refusal::parameters(format!("cwd cannot be used: {error}")))
    }
}

/// `session/prompt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Prompting {
    pub(crate) session_id: String,
    pub(crate) prompt: Vec<Value>,
}

/// `session/set_mode`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingMode {
    pub(crate) session_id: String,
    pub(crate) mode_id: String,
}

/// `session/cancel` and `session/close`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfSession {
    pub(crate) session_id: String,
}

/// `session/list`.
#[derive(Debug, Deserialize)]
pub(crate) struct Listing {
    #[serde(default)]
    pub(crate) cwd: Option<PathBuf>,
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Greeting {
    /// Whatever it asks for is answered with the version that is spoken.
    #[serde(rename = "protocolVersion")]
    pub(crate) _version: u16,
}
