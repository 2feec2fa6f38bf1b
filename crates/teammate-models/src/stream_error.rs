//! Why the events of a stream make no answer. Failures of the connection itself are in `http`.

use teammate_core::model::ModelFailure;

use crate::{
    http::Connection,
    size::{ENDLESS, Endless},
};

/// The stream cannot be turned into an answer.
pub(crate) enum StreamError {
    /// The server reported an error; the data of its event.
    Error(String),
    /// An event does not fit; says how.
    Nonsense(&'static str),
    /// The answer reached a size limit.
    Endless,
}

/// The stream ended, but the answer had not.
pub(crate) const CUT_SHORT: StreamError = StreamError::Nonsense("ended its answer early");

impl From<Endless> for StreamError {
    fn from(Endless: Endless) -> Self {
        Self::Endless
    }
}

impl StreamError {
    /// The failure for the model's caller.
    pub(crate) fn failure(&self, connection: &Connection) -> ModelFailure {
        match self {
            Self::Error(data) => connection.error_in_stream(data),
            Self::Nonsense(what) => connection.stream_failure(what),
            Self::Endless => connection.stream_failure(ENDLESS),
        }
    }
}
