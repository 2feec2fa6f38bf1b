//! The web of members: whether they read pages, and which search service they ask. Where may be connected is a matter of
//! rules and of the sandbox's setting.

pub use teammate_tools::web::{SearchApi, SearchError, SearchKey, SearchSettings};

pub use crate::key_command::search_key_from_command;

/// Settings of the web for members.
#[derive(Debug, Clone)]
pub struct WebSettings {
    /// Whether they read pages. Default: yes.
    pub fetches: bool,
    /// The search service that they ask. Default: none.
    pub search: Option<SearchSettings>,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            fetches: true,
            search: None,
        }
    }
}
