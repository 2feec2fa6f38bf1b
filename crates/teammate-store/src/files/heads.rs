//! What is remembered of each log outside of the team's directory: its last line that was made durable. A log that ends
//! before it has lost lines.

use std::{collections::BTreeMap, sync::Mutex};

use crate::{
    locked,
    wire::chain::{Head, Log},
};

/// The heads of a team's logs, by the log's name: `journal`, `transcript/alice`. What is remembered may lag behind the
/// files; it is never ahead of what survives a power cut. In memory only: where it is kept is for others to say.
#[derive(Debug, Default)]
pub struct Heads(Mutex<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    heads: BTreeMap<String, Head>,
    has_changed: bool,
}

impl Heads {
    /// The heads that an earlier process kept.
    pub fn remembered(heads: BTreeMap<String, Head>) -> Self {
        Self(Mutex::new(Remembered {
            heads,
            has_changed: false,
        }))
    }

    /// The heads as they are, to be kept. From now on they have not changed.
    pub fn snapshot(&self) -> BTreeMap<String, Head> {
        let mut remembered = locked(&self.0);
        remembered.has_changed = false;
        remembered.heads.clone()
    }

    /// Whether they have changed since the last snapshot.
    pub fn has_changed(&self) -> bool {
        locked(&self.0).has_changed
    }

    pub(crate) fn of(&self, log: &Log) -> Option<Head> {
        locked(&self.0).heads.get(log.name()).copied()
    }

    /// A line is durable and the last of its log.
    pub(crate) fn set(&self, log: &Log, head: Head) {
        let mut remembered = locked(&self.0);
        if remembered.heads.get(log.name()) != Some(&head) {
            remembered.heads.insert(log.name().to_owned(), head);
            remembered.has_changed = true;
        }
    }

    /// The log begins anew.
    pub(crate) fn forget(&self, log: &str) {
        let mut remembered = locked(&self.0);
        remembered.has_changed |= remembered.heads.remove(log).is_some();
    }
}
