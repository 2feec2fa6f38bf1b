//! The file by which one person or worker logs in and seals: a secret.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc};

use ring::signature::Ed25519KeyPair;
use serde::{Deserialize, Serialize};
use teammate_core::name::WorkerName;
use teammate_wire::hex;

use super::{
    CertifiedSeal, CircleKey, CircleRole, Holdings, KeysError,
    certificate::{Certificate, public_key},
    permissions::inbox,
};
use crate::{connect::NatsLogin, layout::TeamId};

/// The bits by which others read or write a file.
const OTHERS: u32 = 0o077;

/// The creds with which a person or worker logs in and seals.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Creds {
    pub role: CircleRole,
    pub name: WorkerName,
    /// The teams that it serves; all of the circle if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<TeamId>,
    /// Whom it believes.
    pub circle: CircleKey,
    /// The seed of the key that logs in.
    pub(super) login: String,
    /// The seed of the key that seals, in hex.
    pub(super) seal: String,
    /// The owner's word for that key, in hex.
    pub(super) certificate: String,
    /// The seed of the key to the servers' system account; persons have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) system: Option<String>,
}

impl Creds {
    /// Reads a file, which nobody else may read.
    pub fn read(path: &Path) -> Result<Self, KeysError> {
        let failed = |error| KeysError::Disk(path.to_owned(), error);
        let unreadable = |why: String| KeysError::Unreadable(path.to_owned(), why);
        let found = fs::metadata(path).map_err(failed)?;
        let mode = found.permissions().mode();
        if !found.is_file() {
            return Err(unreadable("it is no regular file".to_owned()));
        }
        if mode & OTHERS != 0 {
            return Err(KeysError::Open(path.to_owned()));
        }
        let text = fs::read(path).map_err(failed)?;
        let creds: Self =
            serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        match creds.parts() {
            Some(_) => Ok(creds),
            None => Err(unreadable("its keys do not fit".to_owned())),
        }
    }

    /// How it logs in.
    pub fn login(&self) -> NatsLogin {
        NatsLogin::Key {
            seed: self.login.clone(),
            inbox: inbox(&self.name),
        }
    }

    /// How it logs in to the system account, if it may.
    pub fn system_login(&self) -> Option<NatsLogin> {
        let seed = self.system.clone()?;
        let inbox = inbox(&self.name);
        Some(NatsLogin::Key { seed, inbox })
    }

    /// Seals for one team; `None` if the keys of the file do not fit each other.
    pub fn seal(&self, team: TeamId, holdings: Arc<Holdings>) -> Option<CertifiedSeal> {
        let (pair, certificate) = self.parts()?;
        Some(CertifiedSeal::new(
            team,
            self.circle,
            pair,
            certificate,
            holdings,
        ))
    }

    fn parts(&self) -> Option<(Ed25519KeyPair, Certificate)> {
        let seed = hex::bytes(&self.seal)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).ok()?;
        let certificate = Certificate::read(&hex::bytes(&self.certificate)?)?;
        let is_own = certificate.key == public_key(&pair) && certificate.is_of(&self.circle);
        is_own.then_some((pair, certificate))
    }
}
