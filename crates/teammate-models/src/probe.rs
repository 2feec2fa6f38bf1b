//! Tries a server and a key with the cheapest request there is: the list of its models, which costs nothing.

use teammate_core::model::ModelFailure;

/// What a server says to the list of its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// It accepts the key, or needs none.
    Accepted,
    /// It gives the list to everybody, or has none: only a request to a model can tell.
    Untold,
    /// It refuses.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Who said what, for a person.
        why: ModelFailure,
    },
}
