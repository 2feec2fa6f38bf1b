//! The last durable line of each log, remembered outside of the team's directory. A log that ends
//! before it has lost lines.

use std::{collections::BTreeMap, sync::Mutex};

use teammate_core::lock::Hold;

use crate::wire::chain::{Head, Log};

/// The heads of a team's logs, by name: `journal`, `transcript/alice`. They may lag behind the files
/// and are never ahead of what survives a power cut. In memory only; the caller stores snapshots.
#[derive(Debug, Default)]
pub struct Heads(Mutex<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    heads: BTreeMap<String, Head>,
    has_changed: bool,
}

impl Heads {
    /// Starts from the heads that an earlier process stored.
    pub fn remembered(heads: BTreeMap<String, Head>) -> Self {
        Self(Mutex::new(Remembered {
            heads,
            has_changed: false,
        }))
    }

    /// A copy to be stored. Resets [`Heads::has_changed`].
    pub fn snapshot(&self) -> BTreeMap<String, Head> {
        let mut remembered = self.0.hold();
        remembered.has_changed = false;
        remembered.heads.clone()
    }

    /// True if a head changed since the last snapshot.
    pub fn has_changed(&self) -> bool {
        self.0.hold().has_changed
    }

    pub(crate) fn of(&self, log: &Log) -> Option<Head> {
        self.0.hold().heads.get(log.name()).copied()
    }

    /// Records that a line is durable and the last of its log.
    pub(crate) fn set(&self, log: &Log, head: Head) {
        let mut remembered = self.0.hold();
        if remembered.heads.get(log.name()) != Some(&head) {
            remembered.heads.insert(log.name().to_owned(), head);
            remembered.has_changed = true;
        }
    }

    /// Forgets a log, which starts over.
    pub(crate) fn forget(&self, log: &str) {
        let mut remembered = self.0.hold();
        remembered.has_changed |= remembered.heads.remove(log).is_some();
    }
}
