//! A program that has started `teammate as-claude`, as the SDKs do, over pipes.

use serde_json::{Value, json};

use super::STREAM;
use crate::{piped::Piped, world::World};

/// The caller's end.
pub(super) struct Caller {
    program: Piped,
    last: u64,
    messages: Vec<Value>,
    questions: Vec<Value>,
}

impl Caller {
    pub(super) fn of(world: &World, arguments: &[&str]) -> Self {
        let words = [&["as-claude"], &STREAM[..], arguments].concat();
        Self {
            program: Piped::start(&mut world.command(&words)),
            last: 0,
            messages: Vec::new(),
            questions: Vec::new(),
        }
    }

    pub(super) fn writes(&mut self, line: &str) {
        self.program.write(line);
    }

    /// The user says this.
    pub(super) fn says(&mut self, text: &str) {
        let message = json!({ "role": "user", "content": text });
        let line = json!({ "type": "user", "session_id": "", "message": message, "parent_tool_use_id": null });
        self.writes(&line.to_string());
    }

    /// Reads one line.
    fn read(&mut self) -> Value {
        serde_json::from_str(&self.program.read()).unwrap()
    }

    /// Reads until a line is this.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.read();
            if is_it(&line) {
                return line;
            }
            match line["type"].as_str() {
                Some("control_request") => self.questions.push(line),
                _ => self.messages.push(line),
            }
        }
    }

    /// What a request is answered.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(super) fn asks(&mut self, request: Value) -> Result<Value, String> {
        self.last += 1;
        let id = format!("req_{}", self.last);
        let line = json!({ "type": "control_request", "request_id": id, "request": request });
        self.writes(&line.to_string());
        let answered = self.until(|line| line["response"]["request_id"] == *id);
        let response = &answered["response"];
        match response["subtype"].as_str() {
            Some("success") => Ok(response["response"].clone()),
            _ => Err(response["error"].as_str().unwrap().to_owned()),
        }
    }

    pub(super) fn initialize(&mut self, mut request: Value) {
        request["subtype"] = "initialize".into();
        self.asks(request).unwrap();
    }

    /// The next question, with its id.
    pub(super) fn question(&mut self) -> (Value, Value) {
        let line = match self.questions.is_empty() {
            true => self.until(|line| line["type"] == "control_request"),
            false => self.questions.remove(0),
        };
        (line["request_id"].clone(), line["request"].clone())
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(super) fn answers(&mut self, id: &Value, answer: Value) {
        let response = json!({ "subtype": "success", "request_id": id, "response": answer });
        self.writes(&json!({ "type": "control_response", "response": response }).to_string());
    }

    pub(super) fn fails(&mut self, id: &Value, why: &str) {
        let response = json!({ "subtype": "error", "request_id": id, "error": why });
        self.writes(&json!({ "type": "control_response", "response": response }).to_string());
    }

    /// Serves a tool that adds, for one call.
    pub(super) fn serves(&mut self, server: &str) {
        loop {
            let (id, asked) = self.question();
            assert_eq!(asked["server_name"], server);
            let message = &asked["message"];
            let result = match message["method"].as_str().unwrap() {
                "initialize" => {
                    json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} },
                    "serverInfo": { "name": server, "version": "1" } })
                }
                "tools/list" => json!({ "tools": [{ "name": "add", "description": "Adds",
                    "inputSchema": { "type": "object", "properties": { "a": { "type": "number" }, "b": { "type": "number" } } } }] }),
                "tools/call" => {
                    let given = &message["params"]["arguments"];
                    let sum = given["a"].as_i64().unwrap() + given["b"].as_i64().unwrap();
                    json!({ "content": [{ "type": "text", "text": format!("The sum is {sum}") }] })
                }
                _ => json!({}),
            };
            let is_call = message["method"] == "tools/call";
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
            self.answers(&id, json!({ "mcp_response": answer }));
            if is_call {
                return;
            }
        }
    }

    /// The next result.
    pub(super) fn result(&mut self) -> Value {
        self.until(|line| line["type"] == "result")
    }

    /// The messages of this type so far.
    pub(super) fn heard(&self, kind: &str) -> Vec<Value> {
        let of_kind = self.messages.iter().filter(|line| line["type"] == kind);
        of_kind.cloned().collect()
    }

    /// Ends its side; the program's exit code.
    pub(super) fn leave(mut self) -> i32 {
        self.program.hang_up();
        self.program.rest().for_each(drop);
        self.program.ends().code().unwrap()
    }
}
