//! What the server reads and sends, as hyper wants it. An answer's fault is how its body ends.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{
    Request, Response,
    body::{Body, Frame, Incoming},
};

use crate::answer::{Answer, StreamEnd};

/// A request.
pub(crate) struct HttpRequest {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl HttpRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Reads a request to its end.
    pub(crate) async fn read(request: Request<Incoming>) -> Result<Self, hyper::Error> {
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Self {
            path: head.uri.path().to_owned(),
            headers: (head.headers.iter())
                .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
                .collect(),
            body: text(&body),
        })
    }
}

/// An answer with this status, content type and body.
pub(crate) fn response(
    answer: &Answer,
    (status, kind, body): (u16, &'static str, Vec<u8>),
) -> Result<Response<AnswerBody>, hyper::http::Error> {
    let mut response = Response::builder()
        .status(status)
        .header("content-type", kind);
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    response.body(AnswerBody::new(body, answer.chunk, answer.end))
}

/// A body in pieces, and how it ends.
pub(crate) struct AnswerBody {
    pieces: VecDeque<Bytes>,
    end: BodyEnd,
}

enum BodyEnd {
    Proper,
    /// The connection breaks, once hyper has sent the pieces.
    Cut {
        is_sent: bool,
    },
    Stall,
}

impl AnswerBody {
    fn new(body: Vec<u8>, chunk: usize, end: StreamEnd) -> Self {
        let mut body = Bytes::from(body);
        let end = match end {
            StreamEnd::Proper => BodyEnd::Proper,
            StreamEnd::Short(at) => {
                body.truncate(at);
                BodyEnd::Proper
            }
            StreamEnd::Cut(at) => {
                body.truncate(at);
                BodyEnd::Cut { is_sent: false }
            }
            StreamEnd::Stall(at) => {
                body.truncate(at);
                BodyEnd::Stall
            }
        };
        let mut pieces = VecDeque::new();
        while !body.is_empty() {
            pieces.push_back(body.split_to(chunk.min(body.len())));
        }
        Self { pieces, end }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(piece) = self.pieces.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        match &mut self.end {
            BodyEnd::Proper => Poll::Ready(None),
            BodyEnd::Cut { is_sent: true } => {
                Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())))
            }
            BodyEnd::Cut { is_sent } => {
                // A body that waits is sent as far as it is there; one that fails is not.
                *is_sent = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            // Until the client gives up.
            BodyEnd::Stall => Poll::Pending,
        }
    }
}
