//! Reads the events of one answer, each wire in its own way.

use teammate_core::{model::Reply, port::PartSink};

use crate::{sse::SseEvent, stream_error::StreamError};

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
