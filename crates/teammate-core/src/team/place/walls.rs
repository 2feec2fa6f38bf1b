//! How well a worker holds what members run, and the least that a team demands of its workers.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use teammate_words::parsed_text;

/// How well commands are held, the best last. The words are those of the sandbox.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// Nothing holds them. A worker that does not say how well it does counts as this.
    #[default]
    Off,
    /// Limits and filtered system calls.
    None,
    Landlock,
    /// Namespaces, too.
    Full,
}

/// The beginning of the SHA-256 of a machine's policy: 16 digits of `0-9a-f`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PolicyDigest(Arc<str>);

/// Why a text is no digest of a policy, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not the digest of a policy, 16 digits of 0-9 and a-f as the list of workers shows it"
)]
pub struct PolicyDigestError(String);

/// The walls that hold the members of a worker; or the least that a team demands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Walls {
    /// How well commands are held.
    #[serde(skip_serializing_if = "is_lowest")]
    pub sandbox: SandboxLevel,
    /// The policy of the machine's administrator; of a demand, the one that must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyDigest>,
}

/// The walls that a worker lacks of those the team demands, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shortfall {
    /// Its sandbox is weaker.
    Sandbox {
        has: SandboxLevel,
        demanded: SandboxLevel,
    },
    /// Its machine has another policy, or none.
    Policy {
        has: Option<PolicyDigest>,
        demanded: PolicyDigest,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde gives it")]
fn is_lowest(level: &SandboxLevel) -> bool {
    *level == SandboxLevel::default()
}

impl SandboxLevel {
    /// Every level with its word, the best last.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Off, "off"),
        (Self::None, "none"),
        (Self::Landlock, "landlock"),
        (Self::Full, "full"),
    ];

    /// Reads the word of a level.
    pub fn parse(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, name)| *name == word).map(|(level, _)| level)
    }
}

impl PolicyDigest {
    const DIGITS: usize = 16;

    /// Parses a digest.
    pub fn parse(text: &str) -> Result<Self, PolicyDigestError> {
        let is_digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == Self::DIGITS && text.bytes().all(is_digit) {
            true => Ok(Self(text.into())),
            false => Err(PolicyDigestError(crate::fence::quoted(text))),
        }
    }
}

parsed_text!(PolicyDigest, PolicyDigestError);

impl Walls {
    /// Whether nothing is said, or demanded.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// The walls that these lack of those demanded.
    pub fn shortfall(&self, demanded: &Self) -> Option<Shortfall> {
        if self.sandbox < demanded.sandbox {
            return Some(Shortfall::Sandbox {
                has: self.sandbox,
                demanded: demanded.sandbox,
            });
        }
        match &demanded.policy {
            Some(policy) if self.policy.as_ref() != Some(policy) => Some(Shortfall::Policy {
                has: self.policy.clone(),
                demanded: policy.clone(),
            }),
            Some(_) | None => None,
        }
    }

    /// The demand that asks for what both ask for. A policy that is demanded is not exchanged for another.
    #[must_use]
    pub fn tightened(&self, by: &Self) -> Self {
        Self {
            sandbox: self.sandbox.max(by.sandbox),
            policy: self.policy.clone().or_else(|| by.policy.clone()),
        }
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = Self::ALL.into_iter();
        let word = all.find(|(level, _)| level == self).map(|(_, word)| word);
        f.pad(word.unwrap_or_default())
    }
}

impl fmt::Display for Walls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sandbox {}", self.sandbox)?;
        match &self.policy {
            Some(policy) => write!(f, ", policy {policy}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sandbox { has, demanded } => {
                write!(
                    f,
                    "its sandbox is '{has}', and the team demands '{demanded}'"
                )
            }
            Self::Policy { has, demanded } => {
                let has = has
                    .as_ref()
                    .map_or("no policy".to_owned(), |has| format!("the policy {has}"));
                write!(
                    f,
                    "its machine has {has}, and the team demands the policy {demanded}"
                )
            }
        }
    }
}
