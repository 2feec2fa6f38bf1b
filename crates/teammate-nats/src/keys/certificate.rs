//! The owner's word that a sealing key is a certain person's or worker's.

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use teammate_core::name::WorkerName;
use teammate_wire::hex;

/// The length of an Ed25519 key and of a signature.
pub(super) const KEY_BYTES: usize = 32;
pub(super) const SIGNATURE_BYTES: usize = 64;

const DOMAIN: &str = "teammate certificate 1";

/// The role of a member of a circle: a person, or a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CircleRole {
    /// A person: makes teams, speaks as the user, administers the account.
    Person,
    /// A worker: runs members of its teams.
    Worker,
}

/// The signer of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signer {
    /// The role of the signer.
    pub role: CircleRole,
    pub name: WorkerName,
}

/// The public half of a circle's key. Text of 64 hex digits in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CircleKey([u8; KEY_BYTES]);

impl CircleKey {
    pub(super) fn of(pair: &Ed25519KeyPair) -> Self {
        Self(public_key(pair))
    }
}

impl From<CircleKey> for String {
    fn from(key: CircleKey) -> Self {
        hex::text(&key.0)
    }
}

impl TryFrom<String> for CircleKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bytes = hex::bytes(&text).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or("a circle's key is 64 hex digits")
    }
}

/// A certificate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Certificate {
    pub(super) signer: Signer,
    /// The sealing key's public half.
    pub(super) key: [u8; KEY_BYTES],
    signature: [u8; SIGNATURE_BYTES],
}

impl Certificate {
    /// Certifies a key.
    pub(super) fn issue(circle: &Ed25519KeyPair, signer: Signer, key: [u8; KEY_BYTES]) -> Self {
        let mut signature = [0; SIGNATURE_BYTES];
        signature.copy_from_slice(circle.sign(&covered(&signer, &key)).as_ref());
        Self {
            signer,
            key,
            signature,
        }
    }

    /// Whether the owner of this circle has issued it.
    pub(super) fn is_of(&self, circle: &CircleKey) -> bool {
        let covered = covered(&self.signer, &self.key);
        is_signed(&circle.0, &covered, &self.signature)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let role = match self.signer.role {
            CircleRole::Person => b'p',
            CircleRole::Worker => b'w',
        };
        let name = self.signer.name.as_str().as_bytes();
        [&[role][..], &self.key, &self.signature, name].concat()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (role, rest) = bytes.split_first()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (signature, name) = rest.split_first_chunk()?;
        let role = match role {
            b'p' => CircleRole::Person,
            b'w' => CircleRole::Worker,
            _ => return None,
        };
        let name = WorkerName::parse(std::str::from_utf8(name).ok()?).ok()?;
        Some(Self {
            signer: Signer { role, name },
            key: *key,
            signature: *signature,
        })
    }
}

fn covered(signer: &Signer, key: &[u8; KEY_BYTES]) -> Vec<u8> {
    let role = match signer.role {
        CircleRole::Person => "person",
        CircleRole::Worker => "worker",
    };
    let head = format!("{DOMAIN}\n{role}\n{}\n", signer.name);
    [head.as_bytes(), key].concat()
}

pub(super) fn is_signed(key: &[u8; KEY_BYTES], bytes: &[u8], signature: &[u8]) -> bool {
    let key = UnparsedPublicKey::new(&ED25519, key);
    key.verify(bytes, signature).is_ok()
}

pub(super) fn public_key(pair: &Ed25519KeyPair) -> [u8; KEY_BYTES] {
    let mut key = [0; KEY_BYTES];
    key.copy_from_slice(pair.public_key().as_ref());
    key
}
