//! A client that has started `teammate mcp serve`, as agents do: no handshake, and its own key to the process.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{piped::Piped, world::World};

/// What every request of a client of 2026-07-28 carries.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// The client's end.
pub(crate) struct Client {
    pub(super) server: Piped,
    last: u64,
}

impl Client {
    pub(crate) fn of(world: &World, arguments: &[&str]) -> Self {
        Self::launch(world.command(&[&["mcp", "serve"], arguments].concat()))
    }

    /// The same with this command.
    pub(super) fn launch(mut command: Command) -> Self {
        Self {
            server: Piped::start(command.stderr(Stdio::piped())),
            last: 0,
        }
    }

    pub(super) fn ask(&mut self, method: &str, mut params: Value) -> Value {
        let id = self.begin(method, &mut params);
        loop {
            let answer: Value = serde_json::from_str(&self.server.read()).unwrap();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Sends a request and does not wait.
    pub(super) fn begin(&mut self, method: &str, params: &mut Value) -> u64 {
        self.last += 1;
        params["_meta"] = meta();
        let request = json!({
            "jsonrpc": "2.0", "id": self.last, "method": method, "params": params,
        });
        self.server.write(request.to_string());
        self.last
    }

    fn result(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = &answer["result"];
        let is_error = result["isError"].as_bool();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let is_error = is_error.unwrap_or_else(|| panic!("{tool}: {answer}"));
        (is_error, text.to_owned())
    }

    /// Calls a tool that works.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let (is_error, text) = self.result(tool, &arguments);
        assert!(!is_error, "{tool}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Calls a tool that refuses.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let (is_error, text) = self.result(tool, &arguments);
        assert!(is_error, "{tool}: {text}");
        text
    }

    /// Waits until the team has this state.
    pub(super) fn until(&mut self, state: &str) -> Value {
        loop {
            let waited = self.call("wait_for_team", json!({}));
            if waited["state"] == state {
                return waited;
            }
        }
    }

    /// Ends its side; the server ends by itself.
    pub(super) fn leave(mut self) {
        self.server.hang_up();
        let status = self.server.ends();
        assert!(status.success(), "{status}");
    }
}
