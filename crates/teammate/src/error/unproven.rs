//! Why a team's directory is not taken for the user's own.

/// Why a team's directory is not taken for the user's own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproven {
    /// Nothing was recorded about a team in this place.
    #[error(
        "your state directory knows of no team here: it came with a clone or an archive, belongs to another user, was moved or made \
         by an earlier version, or your state directory is new"
    )]
    Unknown,
    /// A team was recorded here, but this is another: no line of its journal bears the seal.
    #[error(
        "no line of its journal bears the seal of the team that your state directory knows here"
    )]
    Replaced,
    /// There is no state directory, so nothing can be proven.
    #[error("without a state directory nothing proves that this team is yours")]
    NoState,
    /// The file that proves it is there and damaged, and so is its copy.
    #[error("{0}, so nothing proves that this team is yours")]
    Damaged(String),
}
