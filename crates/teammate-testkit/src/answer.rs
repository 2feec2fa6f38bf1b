//! What the server sends back, and how badly.

use std::time::Duration;

use teammate_core::{
    block::Block,
    model::{ModelFailure, Remedy, Reply, StopReason, Usage, Wire},
};

use crate::{anthropic, openai, responses};

/// One answer of the server.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) what: Body,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) chunk: usize,
    pub(crate) end: StreamEnd,
    pub(crate) delay: Duration,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// A whole answer on the wire that was asked on.
    Reply(Reply),
    /// These bytes.
    Bytes {
        status: u16,
        kind: &'static str,
        body: Vec<u8>,
    },
    /// The connection is closed without a word.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    Proper,
    /// After so many bytes of the body the connection breaks.
    Cut(usize),
    /// After so many bytes the body ends as if that were all.
    Short(usize),
    /// After so many bytes nothing more comes.
    Stall(usize),
}

/// A reply of these blocks that stopped for this reason.
pub fn reply(blocks: Vec<Block>, stop: StopReason) -> Reply {
    Reply {
        blocks,
        stop,
        usage: Usage {
            input: 11,
            output: 7,
            cache_read: 5,
            ..Usage::default()
        },
        model: "test-model".to_owned(),
        wire: Wire::Plain,
    }
}

impl Answer {
    fn new(what: Body) -> Self {
        Self {
            what,
            headers: Vec::new(),
            chunk: usize::MAX,
            end: StreamEnd::Proper,
            delay: Duration::ZERO,
        }
    }

    /// This reply, streamed on the wire that was asked on.
    pub fn reply(reply: Reply) -> Self {
        Self::new(Body::Reply(reply))
    }

    /// This text and nothing more to say.
    pub fn text(text: &str) -> Self {
        Self::reply(reply(vec![Block::text(text)], StopReason::EndTurn))
    }

    /// A stream of these very bytes.
    pub fn stream(body: impl Into<Vec<u8>>) -> Self {
        Self::body(200, "text/event-stream", body)
    }

    /// A body of that status and content type.
    pub fn body(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self::new(Body::Bytes { status, kind, body })
    }

    /// An error in a shape that both wires know.
    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        let error = serde_json::json!({
            "type": "error",
            "error": {"type": kind, "message": message, "code": null, "param": null},
        });
        Self::body(status, "application/json", error.to_string())
    }

    /// A page where an API was expected.
    pub fn html(status: u16, title: &str) -> Self {
        let page = format!("<!DOCTYPE html><html><head><title>{title}</title></head></html>");
        Self::body(status, "text/html; charset=utf-8", page)
    }

    /// The connection is closed without a word.
    pub fn close_without_answer() -> Self {
        Self::new(Body::Nothing)
    }

    /// With a further header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a header that asks for a pause, if there is one to be.
    fn asking_to_wait(self, pause: Option<Duration>) -> Self {
        match pause {
            Some(pause) => self.header("retry-after-ms", &pause.as_millis().to_string()),
            None => self,
        }
    }

    /// In pieces of so many bytes.
    #[must_use]
    pub fn in_chunks_of(mut self, bytes: usize) -> Self {
        self.chunk = bytes.max(1);
        self
    }

    /// The connection breaks after so many bytes of the body.
    #[must_use]
    pub fn cut_at(mut self, bytes: usize) -> Self {
        self.end = StreamEnd::Cut(bytes);
        self
    }

    /// The body ends in good order after so many bytes.
    #[must_use]
    pub fn claim_length_but_end_at(mut self, bytes: usize) -> Self {
        self.end = StreamEnd::Short(bytes);
        self
    }

    /// Nothing more comes after so many bytes, and the connection stays open.
    #[must_use]
    pub fn stalled_at(mut self, bytes: usize) -> Self {
        self.end = StreamEnd::Stall(bytes);
        self
    }

    /// The server thinks for so long first.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Status, content type and body on this wire; `None` if the connection is just closed.
    pub(crate) fn bytes(&self, wire: Wire) -> Option<(u16, &'static str, Vec<u8>)> {
        match &self.what {
            Body::Nothing => None,
            Body::Bytes { status, kind, body } => Some((*status, kind, body.clone())),
            Body::Reply(reply) => {
                let body = match wire {
                    Wire::OpenAi => openai::stream(reply),
                    Wire::Responses => responses::stream(reply),
                    Wire::Anthropic | Wire::Plain => anthropic::stream(reply),
                };
                Some((200, "text/event-stream", body.into_bytes()))
            }
        }
    }
}

impl From<ModelFailure> for Answer {
    fn from(failure: ModelFailure) -> Self {
        match failure.remedy {
            Remedy::Retry { after } => {
                Self::error(529, "overloaded_error", &failure.what).asking_to_wait(after)
            }
            Remedy::SlowDown { after } => {
                Self::error(429, "rate_limit_error", &failure.what).asking_to_wait(after)
            }
            Remedy::Shorten => {
                let what = format!("prompt is too long: {}", failure.what);
                Self::error(400, "invalid_request_error", &what)
            }
            Remedy::Never => Self::error(400, "invalid_request_error", &failure.what),
        }
    }
}
