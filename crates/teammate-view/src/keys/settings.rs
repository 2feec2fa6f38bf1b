//! The person's wishes for keys: the table `[keys]` of the configuration.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Keys for actions, by the action's name. They take the place of the action's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct KeySettings {
    /// Whether `h j k l g G` move in panes, besides their other keys.
    #[serde(default)]
    pub vi: bool,
    /// The keys of each action.
    #[serde(flatten)]
    pub keys: BTreeMap<String, KeyList>,
}

/// One key or several; an empty list takes all keys from an action, which its word still does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "write a key, such as \"F3\", or a list of keys")]
pub enum KeyList {
    /// One.
    One(String),
    /// Several, the one that is shown first.
    Many(Vec<String>),
}

impl KeyList {
    /// The keys as they are written.
    pub fn keys(&self) -> &[String] {
        match self {
            Self::One(key) => std::slice::from_ref(key),
            Self::Many(keys) => keys,
        }
    }
}
