//! What reads the events of one answer, each wire in its own way, and why they make no answer. Failures of the connection itself are
//! in `http`.

use teammate_core::{
    model::{ModelFailure, Reply},
    port::PartSink,
};

use crate::{
    http::Connection,
    size::{ENDLESS, Endless},
    sse::SseEvent,
};

/// The addition of an event to the answer.
pub(crate) enum Progress {
    /// Not part of the answer: a ping, or an event of a later version.
    Ignored,
    /// Part of the answer, but without content.
    Empty,
    /// The answer grew.
    Grew,
    /// The answer is complete.
    Done,
}

/// Collects the events of one answer.
pub(crate) trait ReplyStream {
    /// Adds the next event.
    fn take(&mut self, event: &SseEvent, parts: &mut PartSink) -> Result<Progress, StreamError>;

    /// Whether the answer is complete though the stream ended without a last event.
    fn is_whole(&self) -> bool {
        false
    }

    /// The complete answer, after [`Progress::Done`].
    fn reply(self) -> Result<Reply, StreamError>;
}

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
