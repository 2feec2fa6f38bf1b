//! The owner's directory: the key that certifies, who is in the circle, and what the servers have to know of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use nkeys::KeyPair;
use ring::{
    rand::{SecureRandom as _, SystemRandom},
    signature::Ed25519KeyPair,
};
use serde::{Deserialize, Serialize};
use teammate_core::name::WorkerName;
use teammate_wire::hex;

use super::{
    CircleKey, CircleRole, Creds, KeysError, Signer,
    certificate::{Certificate, KEY_BYTES, public_key},
    party::Party,
    permissions,
};
use crate::layout::TeamId;

/// The owner's file, a secret.
const CIRCLE: &str = "circle.json";

/// The file that servers include.
const ACCOUNTS: &str = "accounts.conf";

/// A circle, as its owner has it.
pub struct Circle {
    dir: PathBuf,
    kept: KeptCircle,
    pair: Ed25519KeyPair,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptCircle {
    /// The seed of the circle's key, in hex.
    seed: String,
    /// The seed of the key to the servers' system account.
    system: String,
    parties: BTreeMap<WorkerName, Party>,
    /// The workers that were removed. What they wrote is known by their names, so nobody else gets one of them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    removed: BTreeSet<WorkerName>,
}

impl Circle {
    /// Makes a circle with nobody in it. Returns it.
    pub fn make(dir: &Path) -> Result<Self, KeysError> {
        let disk = |error| KeysError::Disk(dir.to_owned(), error);
        fs::create_dir_all(dir).map_err(disk)?;
        let kept = KeptCircle {
            seed: hex::text(&random()?),
            system: seed(&KeyPair::new_user())?,
            parties: BTreeMap::new(),
            removed: BTreeSet::new(),
        };
        let path = dir.join(CIRCLE);
        match secret(&path, &json(&kept)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(KeysError::HasCircle(dir.to_owned()));
            }
            Err(error) => return Err(KeysError::Disk(path, error)),
        }
        let circle = Self::open(dir)?;
        circle.write_accounts()?;
        Ok(circle)
    }

    /// Opens a circle that was made.
    pub fn open(dir: &Path) -> Result<Self, KeysError> {
        let path = dir.join(CIRCLE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(KeysError::NoCircle(dir.to_owned()));
            }
            Err(error) => return Err(KeysError::Disk(path, error)),
        };
        let unreadable = |why: String| KeysError::Unreadable(path.clone(), why);
        let kept: KeptCircle =
            serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        let pair = hex::bytes(&kept.seed)
            .and_then(|seed| Ed25519KeyPair::from_seed_unchecked(&seed).ok())
            .ok_or_else(|| unreadable("its key is none".to_owned()))?;
        Ok(Self {
            dir: dir.to_owned(),
            kept,
            pair,
        })
    }

    /// Admits somebody: makes keys, and adds them to what the servers know. Returns the file of creds, which nobody else may
    /// read.
    pub fn admit(
        &mut self,
        role: CircleRole,
        name: WorkerName,
        teams: Vec<TeamId>,
    ) -> Result<PathBuf, KeysError> {
        if self.kept.parties.contains_key(&name) {
            return Err(KeysError::Taken(name.to_string()));
        }
        if self.kept.removed.contains(&name) {
            return Err(KeysError::Removed(name.to_string()));
        }
        let (login, sealing) = (KeyPair::new_user(), random()?);
        let pair = Ed25519KeyPair::from_seed_unchecked(&sealing)
            .map_err(|error| KeysError::NoKey(error.to_string()))?;
        let signer = Signer {
            role,
            name: name.clone(),
        };
        let certificate = Certificate::issue(&self.pair, signer, public_key(&pair));
        let creds = Creds {
            role,
            name: name.clone(),
            teams: teams.clone(),
            circle: CircleKey::of(&self.pair),
            login: seed(&login)?,
            seal: hex::text(&sealing),
            certificate: hex::text(&certificate.bytes()),
            system: match role {
                CircleRole::Person => Some(self.kept.system.clone()),
                CircleRole::Worker => None,
            },
        };
        let path = self.dir.join(format!("{name}.creds"));
        secret(&path, &json(&creds)).map_err(|error| KeysError::Disk(path.clone(), error))?;
        let party = Party {
            role,
            login: login.public_key(),
            teams,
        };
        self.kept.parties.insert(name, party);
        self.replace(CIRCLE, 0o600, &json(&self.kept))?;
        self.write_accounts()?;
        Ok(path)
    }

    /// Removes somebody: once the servers have reloaded what they know, its keys open nothing. What it has sealed stays proven, and
    /// its name is given to nobody else. Its file of creds is removed here; others may have copies.
    ///
    /// A person's creds open the system account, too: its key is made anew. Returns the files of the persons who need theirs again.
    pub fn remove(&mut self, name: &WorkerName) -> Result<Vec<PathBuf>, KeysError> {
        let Some(removed) = self.kept.parties.remove(name) else {
            return Err(KeysError::NotIn(name.to_string()));
        };
        self.kept.removed.insert(name.clone());
        if removed.role == CircleRole::Person {
            self.kept.system = seed(&KeyPair::new_user())?;
        }
        self.replace(CIRCLE, 0o600, &json(&self.kept))?;
        self.write_accounts()?;
        let path = self.dir.join(format!("{name}.creds"));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(KeysError::Disk(path, error));
            }
            Ok(()) | Err(_) => {}
        }
        match removed.role {
            CircleRole::Person => self.renew_persons(),
            CircleRole::Worker => Ok(Vec::new()),
        }
    }

    /// Puts the system account's key into all persons' files that are here.
    fn renew_persons(&self) -> Result<Vec<PathBuf>, KeysError> {
        let mut renewed = Vec::new();
        for (name, party) in &self.kept.parties {
            let file = format!("{name}.creds");
            let path = self.dir.join(&file);
            if party.role == CircleRole::Person && path.exists() {
                let mut creds = Creds::read(&path)?;
                creds.system = Some(self.kept.system.clone());
                self.replace(&file, 0o600, &json(&creds))?;
                renewed.push(path);
            }
        }
        Ok(renewed)
    }

    /// The file that each server includes in its configuration.
    pub fn accounts(&self) -> PathBuf {
        self.dir.join(ACCOUNTS)
    }

    fn write_accounts(&self) -> Result<(), KeysError> {
        let no_key = |error: nkeys::error::Error| KeysError::NoKey(error.to_string());
        let system = KeyPair::from_seed(&self.kept.system).map_err(no_key)?;
        let text = permissions::accounts(&system.public_key(), self.kept.parties.iter());
        self.replace(ACCOUNTS, 0o644, &text)
    }

    /// Writes a file anew, all of it or nothing.
    fn replace(&self, name: &str, mode: u32, text: &str) -> Result<(), KeysError> {
        let (path, new) = (self.dir.join(name), self.dir.join(format!("{name}.new")));
        let written = (|| {
            let _ = fs::remove_file(&new);
            write(&new, mode, text)?;
            fs::rename(&new, &path)?;
            File::open(&self.dir)?.sync_all()
        })();
        written.map_err(|error| KeysError::Disk(path, error))
    }
}

fn random() -> Result<[u8; KEY_BYTES], KeysError> {
    let mut bytes = [0; KEY_BYTES];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|error| KeysError::NoKey(error.to_string()))?;
    Ok(bytes)
}

fn seed(pair: &KeyPair) -> Result<String, KeysError> {
    let seed = pair.seed();
    seed.map_err(|error| KeysError::NoKey(error.to_string()))
}

fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.expect("texts and lists are JSON") + "\n"
}

/// Writes a secret that was not there.
fn secret(path: &Path, text: &str) -> io::Result<()> {
    write(path, 0o600, text)
}

fn write(path: &Path, mode: u32, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
