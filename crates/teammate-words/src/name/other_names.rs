//! Names of teams, of workers, of the user's devices and of agents of other makes, parsed once at the edge.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text;

/// The longest name.
const NAME_MAX: usize = 32;

/// The word in the place of a model's provider for an agent: `agent:codex`.
pub const AGENT_PROVIDER: &str = "agent";

/// The name of an agent: letters, digits, `-` and `_`, at most 32.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentName(Arc<str>);

/// A name that no agent can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no name for an agent: letters, digits, - and _, at most {NAME_MAX}")]
pub struct AgentNameError(String);

impl AgentName {
    /// Reads a name.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, AgentNameError> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_name = (1..=NAME_MAX).contains(&text.len()) && text.chars().all(is_word);
        match is_name {
            true => Ok(Self(text.into())),
            false => Err(AgentNameError(text.chars().take(80).collect())),
        }
    }
}

parsed_text!(AgentName, AgentNameError);

/// The name of a team, like `rest-to-graphql`: `[a-z0-9][a-z0-9_-]{0,63}`. Safe as a path component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupName(Arc<str>);

/// Why a text is no name of a team, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a team's name: use 1-64 characters of a-z, 0-9, '-' and '_', starting with a letter or digit"
)]
pub struct GroupNameError(String);

impl GroupName {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, GroupNameError> {
        let is_inner =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
        let is_first = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        if text.len() <= 64
            && text.bytes().next().is_some_and(is_first)
            && text.bytes().all(is_inner)
        {
            Ok(Self(text.into()))
        } else {
            Err(GroupNameError(super::quoted_start(text)))
        }
    }
}

parsed_text!(GroupName, GroupNameError);

/// The name of a worker, a machine that runs members: `[a-z0-9][a-z0-9_-]{0,31}`.
///
/// Safe as a path component and as one token of a subject.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName(Arc<str>);

/// Why a text is no name of a worker, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a worker's name: use 1-32 characters of a-z, 0-9, '-' and '_', starting with a letter or digit"
)]
pub struct WorkerNameError(String);

impl WorkerName {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, WorkerNameError> {
        if super::has_name_shape(text) {
            Ok(Self(text.into()))
        } else {
            Err(WorkerNameError(super::quoted_start(text)))
        }
    }
}

parsed_text!(WorkerName, WorkerNameError);

/// The name of a device of the user's that has a page of the team open: `phone`. It has the form of a member's name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DeviceName(Arc<str>);

/// Why a text is no name of a device, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a device's name: use 1-32 small letters and digits, '-' and '_', starting with a letter or digit"
)]
pub struct DeviceNameError(String);

impl DeviceName {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, DeviceNameError> {
        match super::has_member_shape(text) {
            true => Ok(Self(text.into())),
            false => Err(DeviceNameError(super::quoted_start(text))),
        }
    }
}

impl DeviceName {
    /// The device behind who did something: ` (phone)`; nothing for a terminal.
    pub fn behind(device: Option<&Self>) -> String {
        device.map_or_else(String::new, |device| format!(" ({device})"))
    }
}

parsed_text!(DeviceName, DeviceNameError);
