//! A server that is a program: messages on its standard streams, a line each. An answer that cannot be read must not leave its call
//! waiting for ever.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{
    RoleClient,
    model::{
        CallToolResult, ClientRequest, CustomResult, ErrorCode, ErrorData, JsonRpcError,
        JsonRpcMessage, JsonRpcResponse, JsonRpcVersion2_0, RequestId, ServerResult,
    },
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;
use teammate_core::{lock::Hold as _, port::RunningProgram};
use tokio::time::{Instant, timeout_at};

use crate::{
    mcp::client::{greeting::Greeting, timeouts::ServerTimeouts},
    program::{Condition, Talk},
    rpc::broken_answer,
};

/// The answer to a first request that the server never gave.
const SILENT: &str = "the server was silent";

/// Messages to and from a program.
pub(crate) struct ProgramTransport {
    talk: Talk,
    /// How long its first request may be without an answer.
    probe: Duration,
    first: First,
    learnt: Arc<Mutex<Greeting>>,
}

/// The first request, which servers of earlier protocols may not know.
enum First {
    /// None was sent, or it has its answer.
    Done,
    /// It waits until then.
    Waits(RequestId, Instant),
    /// It was given up; an answer that still comes is nobody's.
    GivenUp(RequestId),
}

impl ProgramTransport {
    /// Speaks with a program that was just started. In a tokio runtime.
    pub(crate) fn new(
        running: RunningProgram,
        condition: Arc<Condition>,
        timeouts: ServerTimeouts,
    ) -> io::Result<Self> {
        Ok(Self {
            talk: Talk::new(running, condition, timeouts.grace)?,
            probe: timeouts.probe,
            first: First::Done,
            learnt: Arc::default(),
        })
    }

    /// How it is better greeted, if its first request had to be given up; known once the connection is open, or is not.
    pub(crate) fn learnt(&self) -> Arc<Mutex<Greeting>> {
        self.learnt.clone()
    }

    /// The next line; `None` when there are no more, an id if the first request is given up.
    async fn next(&mut self) -> Option<Result<Vec<u8>, RequestId>> {
        let First::Waits(id, until) = &self.first else {
            return self.talk.next().await.map(Ok);
        };
        match timeout_at(*until, self.talk.next()).await {
            Ok(line) => line.map(Ok),
            Err(_) => {
                let id = id.clone();
                self.first = First::GivenUp(id.clone());
                *self.learnt.hold() = Greeting::Initialize;
                Some(Err(id))
            }
        }
    }

    /// Whether somebody waits for this message.
    fn awaits(&mut self, message: &RxJsonRpcMessage<RoleClient>) -> bool {
        let answered = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        let is_given_up = match &self.first {
            First::GivenUp(id) => answered.is_some_and(|other| id == other),
            First::Waits(..) | First::Done => false,
        };
        if is_given_up && let JsonRpcMessage::Response(_) = message {
            *self.learnt.hold() = Greeting::NewestPatiently;
        }
        if answered.is_some()
            && let First::Waits(..) = self.first
        {
            self.first = First::Done;
        }
        !is_given_up
    }
}

impl Transport<RoleClient> for ProgramTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message
            && let ClientRequest::DiscoverRequest(_) = request.request
        {
            self.first = First::Waits(request.id.clone(), Instant::now() + self.probe);
        }
        let writer = self.talk.writer();
        async move { writer.line(serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = match self.next().await? {
                Ok(line) => line,
                // As a server of an earlier protocol would say it.
                Err(id) => return Some(error(id, ErrorCode::METHOD_NOT_FOUND, SILENT)),
            };
            match read(&line) {
                Some(message) if self.awaits(&message) => return Some(message),
                Some(_) => {}
                None if self.talk.bears(line.len()) => {}
                None => return None,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.talk.close().await;
        Ok(())
    }
}

/// The message with all of its result: one of a kind that is not known has its mark read, and nothing else.
fn whole(mut message: RxJsonRpcMessage<RoleClient>, line: &[u8]) -> RxJsonRpcMessage<RoleClient> {
    if let JsonRpcMessage::Response(response) = &mut message
        && let ServerResult::TaskAckResult(_) = response.result
        && let Ok(Whole { result }) = serde_json::from_slice(line)
    {
        response.result = ServerResult::CustomResult(CustomResult::new(result));
    }
    message
}

#[derive(Deserialize)]
struct Whole {
    result: serde_json::Value,
}

/// An answer to a call. Other results have other keys.
#[derive(Deserialize)]
struct Called<'a> {
    jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    #[serde(borrow)]
    result: &'a RawValue,
    method: Option<IgnoredAny>,
}

/// The one key that only results of calls have.
#[derive(Deserialize)]
struct HasContent {
    #[expect(dead_code, reason = "whether it is there is what counts")]
    content: Vec<IgnoredAny>,
}

/// A line as a message; nothing if it cannot be understood: words of the program among its messages.
fn read(line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
    if let Some(answer) = called(line) {
        return Some(answer);
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Some(whole(message, line));
    }
    let asked = serde_json::from_value(broken_answer(line)?).ok()?;
    let code = ErrorCode::PARSE_ERROR;
    Some(error(asked, code, "the server's answer cannot be read"))
}

fn error(asked: RequestId, code: ErrorCode, words: &'static str) -> RxJsonRpcMessage<RoleClient> {
    let error = ErrorData::new(code, words, None);
    JsonRpcMessage::Error(JsonRpcError::new(Some(asked), error))
}

/// The answer to a call. Tried as one of all messages that there are, its text would be copied for each that it is not.
fn called(line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
    let called: Called<'_> = serde_json::from_slice(line).ok()?;
    let is_answer = called.method.is_none();
    let text = called.result.get();
    if !is_answer || serde_json::from_str::<HasContent>(text).is_err() {
        return None;
    }
    let result: CallToolResult = serde_json::from_str(text).ok()?;
    Some(JsonRpcMessage::Response(JsonRpcResponse {
        jsonrpc: called.jsonrpc,
        id: called.id,
        result: ServerResult::CallToolResult(result),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &[u8]) -> &'static str {
        match read(line) {
            None => "junk",
            Some(JsonRpcMessage::Request(_)) => "request",
            Some(JsonRpcMessage::Response(_)) => "response",
            Some(JsonRpcMessage::Notification(_)) => "notification",
            Some(JsonRpcMessage::Error(_)) => "error",
        }
    }

    #[test]
    fn a_result_is_read_the_short_way_as_it_is_read_the_long_way() {
        for result in [
            r#"{"content":[{"type":"text","text":"a"}],"isError":true}"#,
            r#"{"content":[],"structuredContent":{"a":1},"_meta":{"b":2}}"#,
            r#"{"content":[{"type":"later","data":1}]}"#,
            r#"{"resultType":"complete","content":[]}"#,
            r#"{"resultType":"input_required","content":[]}"#,
            r#"{"structuredContent":1}"#,
            r#"{"content":"text"}"#,
            r#"{"tools":[]}"#,
            r#"{"action":"accept","content":{}}"#,
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{result}}}"#);
            let long = serde_json::from_str::<RxJsonRpcMessage<RoleClient>>(&line);
            let short = called(line.as_bytes());
            if let Some(short) = short {
                assert_eq!(
                    format!("{short:?}"),
                    format!("{:?}", long.unwrap()),
                    "{line}"
                );
            }
        }
        let line = br#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#;
        assert!(called(line).is_some());
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_an_error_of_its_call() {
        for (line, is) in [
            (&br#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#[..], "response"),
            (br#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#, "error"),
            (br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#, "notification"),
            (br#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#, "request"),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}}", "error"),
            (br#"{"jsonrpc":"1.0","id":1,"result":{}}"#, "error"),
            (b"ToolServer is listening", "junk"),
            (b"", "junk"),
            (b"{}", "junk"),
            (b"[1]", "junk"),
        ] {
            assert_eq!(kind(line), is, "{}", String::from_utf8_lossy(line));
        }
    }
}
