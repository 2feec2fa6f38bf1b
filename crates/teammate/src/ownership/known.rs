//! The teams that the user's state directory knows: for each workspace a number that no other team has, and how far the team's
//! logs went when they were last written down.

#[cfg(feature = "nats")]
mod on_servers;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use ring::hmac::{HMAC_SHA256, Key, sign};
use serde::{Deserialize, Serialize};
use teammate_core::port::Seal;
use teammate_store::{
    disk::RealDisk,
    files::{Head, Heads, JournalCopy},
    seal::{HmacSeal, KEY_BYTES},
};

use super::{
    JOURNAL,
    key::{self, UserKey},
};
use crate::project::{UserDirs, UserState, UserStateError};

/// The purpose in the derivation of a team's key.
const ABOUT: &[u8] = b"teammate team 1\n";

/// The purpose in the derivation of an audit log's key.
const ABOUT_AUDIT: &[u8] = b"teammate audit 1\n";

/// The ending of the second copy of a team's journal.
const COPY_ENDING: &str = "journal";

/// The user's key and the teams that were sealed with it.
pub(crate) struct KnownTeams {
    user: UserDirs,
    key: UserKey,
    state: Option<UserState>,
}

/// The record of the team in one workspace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KnownTeam {
    /// Which workspace, for the user.
    workspace: String,
    /// Goes into the key of its seals, so that records of an earlier team in the same place do not count for this one.
    nonce: String,
    /// The last durable line of each log, or an earlier one: never a later one.
    #[serde(default)]
    heads: BTreeMap<String, Head>,
}

impl KnownTeams {
    /// Those of this user. Without a state directory, or without a key that can be used, none is known, and what is begun is
    /// forgotten with this process.
    pub(crate) fn of_user(user: &UserDirs, workspace: &Path) -> Self {
        let key = key::of_user(user, workspace);
        let kept = key
            .is_kept
            .then(|| UserState::at(user.state.as_deref(), "teams"));
        let kept = kept.map(|kept| kept.also_within_workspaces().kept_twice());
        let user = user.clone();
        Self {
            user,
            key,
            state: kept,
        }
    }

    /// The user whose teams these are.
    pub(crate) fn user(&self) -> &UserDirs {
        &self.user
    }

    /// A remark about the key for the user.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.key.notice.as_deref()
    }

    /// Whether a team that begins now is still known to the next process.
    pub(crate) fn are_kept(&self) -> bool {
        self.state.is_some()
    }

    /// Why nothing can be proven, if the key is there and is none.
    pub(crate) fn damaged_key(&self) -> Option<&str> {
        self.key.damage.as_deref()
    }

    /// The team in a workspace, which must be resolved.
    ///
    /// Errors: [`UserStateError::Unusable`] if something is there that is no record; it proves nothing.
    pub(crate) fn get(&self, workspace: &Path) -> Result<Option<KnownTeam>, UserStateError> {
        let Some(kept) = &self.state else {
            return Ok(None);
        };
        kept.read(workspace)
    }

    /// The warning when a team is known but its journal is missing.
    pub(crate) fn lost_team(&self, workspace: &Path) -> Result<Option<String>, UserStateError> {
        let known = match self.get(workspace) {
            Err(UserStateError::Unusable(why)) => {
                return Ok(Some(format!("{why}. It was about a team that is gone")));
            }
            known => known?,
        };
        let records = known.and_then(|known| Some(known.heads.get(JOURNAL)?.number + 1));
        Ok(records.map(|records| {
            format!(
                "the team that was here is gone: its journal had {records} records. A new team begins and does not use the old one's files"
            )
        }))
    }

    /// A team begins in a workspace. It is known durably before its first record is written.
    pub(crate) fn begin(&self, workspace: &Path) -> Result<KnownTeam, UserStateError> {
        let known = KnownTeam::new(workspace);
        if let Some(kept) = &self.state {
            let _others_wait = kept.lock()?;
            kept.write(workspace, &known)?;
        }
        // What an earlier team left is of no use to this one, and bears another seal.
        let _ = self.journal_copy(workspace).map(|copy| copy.remove());
        Ok(known)
    }

    /// Nothing is known any more of the team in a workspace.
    pub(crate) fn forget(&self, workspace: &Path) -> Result<(), UserStateError> {
        let Some(kept) = &self.state else {
            return Ok(());
        };
        let _others_wait = kept.lock()?;
        if let Some(copy) = self.journal_copy(workspace) {
            copy.remove()?;
        }
        kept.forget(workspace).map(drop)
    }

    /// Where the second copy of a team's journal is kept; `None` if nothing can be.
    pub(crate) fn journal_copy(&self, workspace: &Path) -> Option<JournalCopy> {
        let path = self.state.as_ref()?.file(workspace, COPY_ENDING).ok()?;
        Some(JournalCopy::new(Arc::new(RealDisk), path))
    }

    /// Writes down how far the logs of a team went.
    pub(crate) fn remember(
        &self,
        workspace: &Path,
        known: &KnownTeam,
        heads: impl FnOnce(&BTreeMap<String, Head>) -> BTreeMap<String, Head>,
    ) -> Result<(), UserStateError> {
        let Some(kept) = &self.state else {
            return Ok(());
        };
        let _others_wait = kept.lock()?;
        let Some(now) = kept.read::<KnownTeam>(workspace)? else {
            return Ok(());
        };
        let heads = heads(&now.heads);
        // Another team has begun here meanwhile, or there is nothing new.
        if now.nonce != known.nonce || now.heads == heads {
            return Ok(());
        }
        kept.write(workspace, &KnownTeam { heads, ..now })
    }

    /// Seals the records of a team.
    pub(crate) fn seal(&self, known: &KnownTeam) -> Arc<dyn Seal> {
        Arc::new(self.derived(ABOUT, known.nonce.as_bytes()))
    }

    /// Seals the audit log of the teams in this place, whichever they are; `None` if the next process has another key.
    pub(crate) fn audit_seal(&self, place: &Path) -> Option<Arc<dyn Seal>> {
        let seal = || self.derived(ABOUT_AUDIT, place.as_os_str().as_encoded_bytes());
        self.are_kept().then(|| Arc::new(seal()) as Arc<dyn Seal>)
    }

    fn derived(&self, about: &[u8], what: &[u8]) -> HmacSeal {
        let key = Key::new(HMAC_SHA256, &self.key.bytes);
        let derived = sign(&key, &[about, what].concat());
        let mut bytes = [0; KEY_BYTES];
        bytes.copy_from_slice(derived.as_ref());
        HmacSeal::new(&bytes)
    }
}

impl KnownTeam {
    /// One that no other process knows.
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            workspace: workspace.to_string_lossy().into_owned(),
            nonce: key::random_hex(),
            heads: BTreeMap::new(),
        }
    }

    /// A team like this one, with a journal that begins anew.
    pub(super) fn without_journal(mut self) -> Self {
        self.heads.remove(JOURNAL);
        self
    }

    /// How far its logs went.
    pub(crate) fn heads(&self) -> Arc<Heads> {
        Arc::new(Heads::remembered(self.heads.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(home: &Path) -> UserDirs {
        UserDirs {
            config: None,
            state: Some(home.join("state")),
        }
    }

    #[test]
    fn a_team_is_known_in_its_place_and_sealed_like_no_other() {
        let home = tempfile::tempdir().unwrap();
        let (work, other) = (Path::new("/work"), Path::new("/other"));
        let teams = KnownTeams::of_user(&user(home.path()), work);
        assert!(teams.get(work).unwrap().is_none());
        let first = teams.begin(work).unwrap();
        let again = KnownTeams::of_user(&user(home.path()), work);
        let known = again.get(work).unwrap().unwrap();
        let sealed = teams.seal(&first).sign("journal", b"{}");
        assert!(again.seal(&known).verifies("journal", b"{}", &sealed));
        assert!(again.get(other).unwrap().is_none());
        let second = again.begin(work).unwrap();
        assert!(!again.seal(&second).verifies("journal", b"{}", &sealed));
    }

    #[test]
    fn a_record_is_read_from_the_copy_that_is_whole() {
        let home = tempfile::tempdir().unwrap();
        let work = Path::new("/work");
        let teams = KnownTeams::of_user(&user(home.path()), work);
        let begun = teams.begin(work).unwrap();
        let dir = home.path().join("state/teams");
        let files = || {
            std::fs::read_dir(&dir)
                .unwrap()
                .map(|file| file.unwrap().path())
        };
        let records: Vec<_> = files().filter(|path| !path.ends_with("lock")).collect();
        assert_eq!(records.len(), 2);
        for path in &records {
            let whole = std::fs::read(path).unwrap();
            let flipped = String::from_utf8(whole.clone()).unwrap();
            let flipped = flipped.replacen(&begun.nonce, &"0".repeat(32), 1);
            for harm in ["", "garbage", &whole_part(&whole), &flipped] {
                std::fs::write(path, harm).unwrap();
                let known = teams.get(work).unwrap().unwrap();
                assert_eq!(known.nonce, begun.nonce, "{harm}");
            }
            std::fs::remove_file(path).unwrap();
            assert_eq!(teams.get(work).unwrap().unwrap().nonce, begun.nonce);
            std::fs::write(path, &whole).unwrap();
        }
        assert!(teams.forget(work).is_ok());
        assert!(teams.get(work).unwrap().is_none());
    }

    fn whole_part(whole: &[u8]) -> String {
        String::from_utf8_lossy(&whole[..whole.len() / 2]).into_owned()
    }

    #[test]
    fn a_damaged_entry_proves_nothing_and_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let work = Path::new("/work");
        let teams = KnownTeams::of_user(&user(home.path()), work);
        teams.begin(work).unwrap();
        let dir = home.path().join("state/teams");
        for entry in std::fs::read_dir(&dir).unwrap() {
            std::fs::write(entry.unwrap().path(), "{\"workspace\":").unwrap();
        }
        let why = teams.get(work).unwrap_err().to_string();
        assert!(why.contains(".json is damaged: it cannot be read"), "{why}");
        teams.begin(work).unwrap();
        assert!(teams.get(work).unwrap().is_some());
    }

    #[test]
    fn nothing_is_known_without_a_state_directory() {
        let teams = KnownTeams::of_user(&UserDirs::default(), Path::new("/work"));
        teams.begin(Path::new("/work")).unwrap();
        assert!(teams.get(Path::new("/work")).unwrap().is_none());
    }
}
