//! How a server wants to be greeted: the newest protocol first asks what there is (`server/discover`), which some servers of
//! earlier ones do not survive, or never answer.

use serde::{Deserialize, Serialize};

/// The first request to a server. Kept with what was accepted of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Greeting {
    /// The newest protocol's, then that of earlier ones where the server says that it does not know it.
    #[default]
    Newest,
    /// The same, with patience: it knows that protocol, and took so long to start that it was taken for one of earlier ones.
    NewestPatiently,
    /// `initialize`, of the earlier protocols: it ended at the other, or was silent.
    Initialize,
}

impl Greeting {
    /// Whether nothing was learnt.
    pub(crate) fn is_newest(&self) -> bool {
        *self == Self::Newest
    }
}
