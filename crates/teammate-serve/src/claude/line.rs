//! The lines that a caller writes.

use serde::Deserialize;
use serde_json::{Value, json};
use teammate_protocols::rpc::{self, RpcAnswer};

/// What a line is.
#[derive(Debug, PartialEq)]
pub(crate) enum CallerLine {
    /// The user says something: blocks of a prompt, as the editors' door reads them.
    User(Vec<Value>),
    /// It asks something.
    Asks { id: String, request: Value },
    /// It answers what it was asked.
    Answer { id: u64, answer: RpcAnswer },
    /// It needs no answer.
    Passed,
    /// It cannot be understood: why.
    Junk(String),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Written {
    User {
        message: Said,
    },
    ControlRequest {
        request_id: String,
        request: Value,
    },
    ControlResponse {
        response: Answered,
    },
    /// As `keep_alive`: nothing follows from it.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Said {
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Value>),
}

#[derive(Deserialize)]
struct Answered {
    subtype: String,
    request_id: String,
    #[serde(default)]
    response: Value,
    #[serde(default)]
    error: String,
}

/// Reads a line.
pub(crate) fn read(line: &[u8]) -> CallerLine {
    if line.iter().all(u8::is_ascii_whitespace) {
        return CallerLine::Passed;
    }
    match serde_json::from_slice(line) {
        Ok(Written::User { message }) => CallerLine::User(match message.content {
            Content::Text(text) => vec![json!({ "type": "text", "text": text })],
            Content::Blocks(blocks) => blocks.into_iter().map(of_prompt).collect(),
        }),
        Ok(Written::ControlRequest {
            request_id,
            request,
        }) => CallerLine::Asks {
            id: request_id,
            request,
        },
        Ok(Written::ControlResponse { response }) => answer(response),
        Ok(Written::Other) => CallerLine::Passed,
        Err(error) => CallerLine::Junk(format!("a line of the input is no message: {error}")),
    }
}

fn answer(answered: Answered) -> CallerLine {
    let Ok(id) = answered.request_id.parse() else {
        // Nothing was asked by that id.
        return CallerLine::Passed;
    };
    let answer = match answered.subtype.as_str() {
        "success" => Ok(answered.response),
        _ => Err(rpc::Error {
            code: rpc::FAILED,
            message: answered.error,
            data: Value::Null,
        }),
    };
    CallerLine::Answer { id, answer }
}

/// A block of the Messages API as a block of a prompt.
fn of_prompt(block: Value) -> Value {
    let source = &block["source"];
    let title = block["title"].as_str();
    match (block["type"].as_str(), source["type"].as_str()) {
        (Some("image" | "document"), Some("base64")) => {
            json!({ "type": "image", "data": source["data"], "uri": title })
        }
        (Some("document"), Some("text")) => json!({
            "type": "resource",
            "resource": { "uri": title.unwrap_or("document"), "text": source["data"] },
        }),
        _ => block,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_the_sdks_write() {
        let said = |content: Value| {
            let line = json!({ "type": "user", "session_id": "", "parent_tool_use_id": null,
                "message": { "role": "user", "content": content } });
            read(line.to_string().as_bytes())
        };
        let text = vec![json!({ "type": "text", "text": "hello" })];
        assert_eq!(said(json!("hello")), CallerLine::User(text.clone()));
        assert_eq!(said(json!(text)), CallerLine::User(text));
        let picture = json!([{ "type": "image",
            "source": { "type": "base64", "media_type": "image/png", "data": "AAAA" } }]);
        let shown = json!({ "type": "image", "data": "AAAA", "uri": null });
        assert_eq!(said(picture), CallerLine::User(vec![shown]));

        let asks =
            br#"{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}"#;
        assert_eq!(
            read(asks),
            CallerLine::Asks {
                id: "r".to_owned(),
                request: json!({ "subtype": "interrupt" }),
            }
        );
        let yes = br#"{"type":"control_response","response":{"subtype":"success","request_id":"7","response":{"behavior":"allow"}}}"#;
        let CallerLine::Answer { id: 7, answer } = read(yes) else {
            panic!("no answer")
        };
        assert_eq!(answer.unwrap()["behavior"], "allow");
        let no = br#"{"type":"control_response","response":{"subtype":"error","request_id":"7","error":"no callback"}}"#;
        let CallerLine::Answer { id: 7, answer } = read(no) else {
            panic!("no answer")
        };
        assert_eq!(answer.unwrap_err().message, "no callback");

        assert_eq!(read(b" "), CallerLine::Passed);
        assert_eq!(read(br#"{"type":"keep_alive"}"#), CallerLine::Passed);
        assert!(matches!(read(b"hello"), CallerLine::Junk(_)));
        assert!(matches!(read(br#"{"type":"user"}"#), CallerLine::Junk(_)));
    }
}
