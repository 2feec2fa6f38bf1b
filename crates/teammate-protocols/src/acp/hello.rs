//! The greeting: what an agent says it is and can do.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::acp::{
    failure::{AgentFailure, words},
    session::METHOD_INITIALIZE,
};

/// The version of the protocol that is spoken.
const VERSION: u64 = 1;

/// The words of an agent about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hello {
    /// The product's name and version; empty if it does not say.
    pub product: String,
    /// Whether it says that it loads sessions.
    pub loads: bool,
    /// Whether it says that a running turn takes more words.
    pub steers: bool,
    /// How users log in.
    pub methods: Vec<AuthMethod>,
}

/// A way to log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthMethod(pub String);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    protocol_version: u64,
    #[serde(default)]
    agent_capabilities: Value,
    #[serde(default)]
    agent_info: Value,
    #[serde(default)]
    auth_methods: Value,
    #[serde(default, rename = "_meta")]
    meta: Value,
}

/// Our words about ourselves: files of the workspace are read and written for it, commands are not run.
pub(crate) fn ours() -> Value {
    json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {
            "fs": { "readTextFile": true, "writeTextFile": true },
            "terminal": false,
        },
        "clientInfo": { "name": "teammate", "version": env!("CARGO_PKG_VERSION") },
    })
}

impl Hello {
    pub(crate) fn read(answer: Value) -> Result<Self, AgentFailure> {
        let answer: Answer =
            serde_json::from_value(answer).map_err(|error| AgentFailure::Unusable {
                method: METHOD_INITIALIZE,
                why: error.to_string(),
            })?;
        if answer.protocol_version != VERSION {
            return Err(AgentFailure::Version(answer.protocol_version));
        }
        let text = |value: &Value| words(value.as_str().unwrap_or_default());
        let product = [&answer.agent_info["name"], &answer.agent_info["version"]].map(text);
        let methods = answer.auth_methods.as_array().map(Vec::as_slice);
        let is_true = |value: &Value| value.as_bool().unwrap_or_default();
        Ok(Self {
            product: product.join(" ").trim().to_owned(),
            loads: is_true(&answer.agent_capabilities["loadSession"]),
            steers: [&answer.meta, &answer.agent_capabilities["_meta"]]
                .iter()
                .any(|meta| is_true(&meta["steering"]["supported"])),
            methods: methods
                .unwrap_or_default()
                .iter()
                .map(|method| match method["name"].as_str() {
                    Some(name) => AuthMethod(words(name)),
                    None => AuthMethod(text(&method["id"])),
                })
                .collect(),
        })
    }
}
