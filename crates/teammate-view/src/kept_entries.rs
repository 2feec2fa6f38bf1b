//! How much of a run a view keeps of stories and mail.

/// How much.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeptEntries {
    /// The newest entries, up to a limit: for screens.
    #[default]
    Newest,
    /// Everything: for a reader of the whole run, in as much memory as it takes.
    All,
}

impl KeptEntries {
    /// Whether something has to go where there are so many.
    pub(crate) fn is_exceeded(self, count: usize, most: usize) -> bool {
        match self {
            Self::Newest => count > most,
            Self::All => false,
        }
    }
}
