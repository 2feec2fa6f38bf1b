//! An editor that has started `teammate acp`. What it cannot read with the protocol's own types fails the test.

mod shown;

use std::collections::HashMap;

use agent_client_protocol_schema::v1;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::shown::Shown;
use crate::{piped::Piped, world::World};

/// The editor's end.
pub(crate) struct Client {
    agent: Piped,
    last: u64,
    methods: HashMap<u64, String>,
    answers: HashMap<u64, Result<Value, Value>>,
    questions: Vec<(Value, Value)>,
    unreadable: Vec<Value>,
    shown: Shown,
}

/// It has all that the protocol's type has, and is one.
fn fits<T: DeserializeOwned>(value: &Value) {
    if let Err(error) = serde_json::from_value::<T>(value.clone()) {
        panic!("{error}: {value}");
    }
}

impl Client {
    pub(super) fn of(world: &World, arguments: &[&str]) -> Self {
        Self {
            agent: Piped::start(&mut world.command(&[&["acp"], arguments].concat())),
            last: 0,
            methods: HashMap::new(),
            answers: HashMap::new(),
            questions: Vec::new(),
            unreadable: Vec::new(),
            shown: Shown::default(),
        }
    }

    /// Its process.
    pub(super) fn process(&self) -> u32 {
        self.agent.program.id()
    }

    /// Reads one line.
    fn read(&mut self) {
        let line = self.agent.read();
        self.take(&line);
    }

    fn take(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        let params = &message["params"];
        match (message["method"].as_str(), &message["id"]) {
            (Some("session/update"), Value::Null) => {
                fits::<v1::SessionNotification>(params);
                self.shown.take(params["update"].clone());
            }
            (Some("$/cancel_request"), Value::Null) => {
                fits::<v1::CancelRequestNotification>(params);
                self.shown.take(json!({ "sessionUpdate": "withdrawn" }));
            }
            (Some("session/request_permission"), id) => {
                fits::<v1::RequestPermissionRequest>(params);
                self.questions.push((id.clone(), params.clone()));
            }
            (None, Value::Null) => self.unreadable.push(message),
            (None, id) => {
                let id = id.as_u64().unwrap();
                let answer = match message.get("result") {
                    Some(result) => {
                        self.check(id, result);
                        Ok(result.clone())
                    }
                    None => {
                        fits::<v1::Error>(&message["error"]);
                        Err(message["error"].clone())
                    }
                };
                let second = self.answers.insert(id, answer);
                assert!(second.is_none(), "{id} is answered twice");
            }
            (Some(other), _) => panic!("{other}"),
        }
    }

    fn check(&self, id: u64, result: &Value) {
        match self.methods[&id].as_str() {
            "initialize" => fits::<v1::InitializeResponse>(result),
            "session/new" => fits::<v1::NewSessionResponse>(result),
            "session/load" => fits::<v1::LoadSessionResponse>(result),
            "session/list" => fits::<v1::ListSessionsResponse>(result),
            "session/prompt" => fits::<v1::PromptResponse>(result),
            "session/set_mode" => fits::<v1::SetSessionModeResponse>(result),
            "session/close" => fits::<v1::CloseSessionResponse>(result),
            other => panic!("{other}"),
        }
    }

    pub(super) fn write(&mut self, line: &[u8]) {
        self.agent.write(line);
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(super) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.methods.insert(self.last, method.to_owned());
        let request =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.write(request.to_string().as_bytes());
        self.last
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(super) fn notify(&mut self, method: &str, params: Value) {
        let shown = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(shown.to_string().as_bytes());
    }

    /// What a request is answered.
    pub(super) fn end_of(&mut self, id: u64) -> Result<Value, Value> {
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.read();
        }
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.end_of(id)
    }

    pub(super) fn initialize(&mut self) -> Value {
        let params = json!({ "protocolVersion": 1, "clientCapabilities": {} });
        self.ask("initialize", params).unwrap()
    }

    pub(super) fn begin_prompt(&mut self, session: &str, text: &str) -> u64 {
        let prompt = json!([{ "type": "text", "text": text }]);
        self.begin(
            "session/prompt",
            json!({ "sessionId": session, "prompt": prompt }),
        )
    }

    /// Why a prompt's turn ended.
    pub(crate) fn prompt(&mut self, session: &str, text: &str) -> String {
        let id = self.begin_prompt(session, text);
        let ended = self.end_of(id).unwrap();
        ended["stopReason"].as_str().unwrap().to_owned()
    }

    /// The next question, with its number.
    pub(super) fn question(&mut self) -> (Value, Value) {
        while self.questions.is_empty() {
            self.read();
        }
        self.questions.remove(0)
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(super) fn answer(&mut self, id: &Value, result: Value) {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        self.write(answer.to_string().as_bytes());
    }

    /// The next answer to what could not be read.
    pub(super) fn unreadable(&mut self) -> Value {
        while self.unreadable.is_empty() {
            self.read();
        }
        self.unreadable.remove(0)
    }

    /// What was shown since the last time.
    pub(super) fn shown(&mut self) -> Shown {
        std::mem::take(&mut self.shown)
    }

    /// Ends its side; the agent ends by itself.
    pub(super) fn leave(mut self) {
        self.agent.hang_up();
        self.ends();
    }

    /// The same; what was shown until the agent had ended.
    pub(super) fn leave_and_listen(mut self) -> Shown {
        self.agent.hang_up();
        let rest: Vec<String> = self.agent.rest().collect();
        rest.iter().for_each(|line| self.take(line));
        self.ends();
        self.shown()
    }

    /// The agent ends.
    pub(super) fn ends(&mut self) {
        let status = self.agent.ends();
        assert!(status.success(), "{status}");
    }
}
