//! Messages as lines of standard input and output, with limits: on the bytes of a line, on calls that are open at once, on answers
//! that nobody reads. Whatever a client sends, this holds one line, and says what it cannot use instead of leaving a call without
//! an answer.

use std::{
    collections::HashSet,
    future::Future,
    io,
    sync::{Arc, Mutex},
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ErrorCode, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::Transport,
};
use serde_json::Value;
use teammate_core::lock::Hold;
use tokio::{io::AsyncRead, sync::mpsc};
use tokio_util::sync::CancellationToken;

use crate::lines::{BoundedLines, LinesEnd};

/// The most bytes of a line.
const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// How many calls of a client may be open at once.
const CALLS_MAX: usize = 64;

/// How many answers may wait for a client to read them; then nothing more is read from it.
pub(super) const ANSWERS_MAX: usize = 64;

/// After so many lines in a row that are no messages, the client is left.
const UNREADABLE_MAX: u32 = 100;

/// Too many calls at once: one of the numbers that are left to servers.
const TOO_MANY: ErrorCode = ErrorCode(-32000);

/// The server's end of a client's lines.
pub(super) struct Lines<R> {
    reader: BoundedLines<R>,
    answers: mpsc::Sender<Vec<u8>>,
    /// An answer of ours that is still to be sent: reading may be broken off at any moment.
    owed: Option<Vec<u8>>,
    open: OpenCalls,
    /// Whether the first call has come. What comes before is passed over.
    has_begun: bool,
    unreadable: u32,
    gone: CancellationToken,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    /// `answers` are written by somebody else; `gone` is cancelled at the end, and ends this.
    pub(super) fn new(reader: R, answers: mpsc::Sender<Vec<u8>>, gone: CancellationToken) -> Self {
        Self {
            reader: BoundedLines::new(reader, LINE_BYTES_MAX),
            answers,
            owed: None,
            open: OpenCalls::default(),
            has_begun: false,
            unreadable: 0,
            gone,
        }
    }

    /// The next message for the server; nothing at the end. Nothing is lost if the future is dropped.
    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.owed.is_some() {
                let permit = self.answers.reserve().await.ok()?;
                permit.send(self.owed.take()?);
            }
            let taken = match self.reader.next().await {
                Ok(line) => parse(&line),
                Err(LinesEnd::TooLong(max)) => Taken::Unreadable {
                    id: None,
                    why: ErrorData::invalid_request(
                        format!("a line may have {max} bytes; this one was skipped"),
                        None,
                    ),
                },
                Err(LinesEnd::Closed | LinesEnd::Io(_)) => return None,
            };
            match taken {
                Taken::Message(message) => {
                    self.unreadable = 0;
                    match self.admit(&message) {
                        Admission::Yes => return Some(*message),
                        Admission::No(error) => self.owed = Some(bytes(&error)),
                        Admission::PassedOver => {}
                    }
                }
                Taken::Nothing => {}
                Taken::Unreadable { id, why } => {
                    self.unreadable += 1;
                    if self.unreadable > UNREADABLE_MAX {
                        return None;
                    }
                    self.owed = Some(bytes(&ServerJsonRpcMessage::error(why, id)));
                }
            }
        }
    }

    fn admit(&mut self, message: &ClientJsonRpcMessage) -> Admission {
        match message {
            JsonRpcMessage::Request(request) => {
                self.has_begun = true;
                match self.open.open(&request.id) {
                    Ok(()) => Admission::Yes,
                    Err(why) => {
                        let id = Some(request.id.clone());
                        Admission::No(Box::new(ServerJsonRpcMessage::error(why, id)))
                    }
                }
            }
            _ if !self.has_begun => Admission::PassedOver,
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // Nobody answers it any more. One that was answered before is not open.
                    self.open.close(id);
                }
                Admission::Yes
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => Admission::Yes,
        }
    }
}

enum Admission {
    Yes,
    No(Box<ServerJsonRpcMessage>),
    PassedOver,
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => self.open.close(&response.id),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.open.close(id);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        let (answers, line) = (self.answers.clone(), bytes(&message));
        async move {
            let sent = answers.send(line).await;
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let gone = self.gone.clone();
        let next = tokio::select! {
            biased;
            () = gone.cancelled() => None,
            next = self.next() => next,
        };
        if next.is_none() {
            self.gone.cancel();
        }
        next
    }

    async fn close(&mut self) -> io::Result<()> {
        self.gone.cancel();
        Ok(())
    }
}

/// The calls that are not answered yet.
#[derive(Clone, Default)]
struct OpenCalls(Arc<Mutex<HashSet<RequestId>>>);

impl OpenCalls {
    fn open(&self, id: &RequestId) -> Result<(), ErrorData> {
        let mut open = self.0.hold();
        if open.len() >= CALLS_MAX {
            let what = format!("{CALLS_MAX} calls are open already: wait for one to end");
            return Err(ErrorData::new(TOO_MANY, what, None));
        }
        if !open.insert(id.clone()) {
            let what = "a call with this id is open already";
            return Err(ErrorData::invalid_request(what, None));
        }
        Ok(())
    }

    fn close(&self, id: &RequestId) {
        self.0.hold().remove(id);
    }
}

/// The content of a line that was taken.
enum Taken {
    Message(Box<ClientJsonRpcMessage>),
    /// An empty line, or a notification that nobody knows.
    Nothing,
    /// It is no message; with the call that it may have been meant for.
    Unreadable {
        id: Option<RequestId>,
        why: ErrorData,
    },
}

fn parse(line: &[u8]) -> Taken {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Taken::Nothing;
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(why) => {
            return Taken::Unreadable {
                id: None,
                why: ErrorData::parse_error(format!("this line is no JSON: {why}"), None),
            };
        }
    };
    let id = value.get("id").cloned();
    let id = id.and_then(|id| serde_json::from_value(id).ok());
    let is_notification = value.get("method").is_some() && value.get("id").is_none();
    match serde_json::from_value(value) {
        Ok(message) => Taken::Message(Box::new(message)),
        Err(_) if is_notification => Taken::Nothing,
        Err(_) => Taken::Unreadable {
            id,
            why: ErrorData::invalid_request("this line is no message of MCP", None),
        },
    }
}

/// A message as a line, without its end.
fn bytes(message: &ServerJsonRpcMessage) -> Vec<u8> {
    // Strings, numbers and maps with keys of text: it can be written.
    serde_json::to_vec(message).unwrap_or_default()
}

#[cfg(test)]
mod tests;
