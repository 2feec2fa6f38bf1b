//! One line of a server as a message, or as what can be made of it: an answer that cannot be read must not leave its call
//! waiting for ever.

use rmcp::{
    RoleClient,
    model::{ErrorCode, ErrorData, JsonRpcError, JsonRpcMessage, RequestId},
    service::RxJsonRpcMessage,
};
use serde::Deserialize;

/// What a line is.
pub(crate) enum Line {
    /// A message.
    Message(Box<RxJsonRpcMessage<RoleClient>>),
    /// Nothing that can be understood: words of the program among its messages.
    Junk,
}

/// What is needed of a message that cannot be read, to answer who waits for it.
#[derive(Deserialize)]
struct Envelope {
    id: Option<RequestId>,
    method: Option<serde::de::IgnoredAny>,
}

/// Reads a line.
pub(crate) fn read(line: &[u8]) -> Line {
    if let Ok(message) = serde_json::from_slice(line) {
        return Line::Message(Box::new(message));
    }
    let text = String::from_utf8_lossy(line);
    match serde_json::from_str(&text) {
        Ok(Envelope {
            id: Some(id),
            method: None,
        }) => {
            let error = ErrorData::new(
                ErrorCode::PARSE_ERROR,
                "the server's answer cannot be read",
                None,
            );
            Line::Message(Box::new(JsonRpcMessage::Error(JsonRpcError::new(
                Some(id),
                error,
            ))))
        }
        Ok(Envelope { .. }) | Err(_) => Line::Junk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &[u8]) -> &'static str {
        match read(line) {
            Line::Junk => "junk",
            Line::Message(message) => match *message {
                JsonRpcMessage::Request(_) => "request",
                JsonRpcMessage::Response(_) => "response",
                JsonRpcMessage::Notification(_) => "notification",
                JsonRpcMessage::Error(_) => "error",
            },
        }
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
