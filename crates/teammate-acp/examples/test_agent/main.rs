//! An agent for tests, without a model: it does what the measurements ask for, word by word, and keeps its sessions in its home. Its
//! first argument makes it misbehave in a way.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks over its streams"
)]
#![expect(clippy::disallowed_methods, reason = "it runs commands, as agents do")]

mod hostile;
mod say;
mod sessions;
mod turn;

use std::{
    io::{self, BufRead as _},
    sync::Arc,
    thread,
};

use serde_json::{Value, json};
use teammate_acp::serve_tool;

use crate::{
    sessions::Sessions,
    turn::{Answers, work},
};

/// How it behaves.
pub(crate) struct Manner(String);

impl Manner {
    pub(crate) fn is(&self, manner: &str) -> bool {
        self.0 == manner
    }
}

fn main() {
    // The sandbox's helper is this program, too.
    teammate_sandbox::begin();
    let manner = Arc::new(Manner(std::env::args().nth(1).unwrap_or_default()));
    if let (true, Some(file)) = (manner.is("tool-server"), std::env::args().nth(2)) {
        let (input, output) = (io::stdin().lock(), io::stdout());
        drop(serve_tool(input, output, file.as_ref()));
        return;
    }
    hostile::before(&manner);
    let sessions = Arc::new(Sessions::default());
    let answers = Arc::new(Answers::default());
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let params = message["params"].clone();
        match (message["method"].as_str(), message.get("id")) {
            (Some("session/cancel"), None) => sessions.cancel(&params["sessionId"]),
            (Some("session/prompt"), Some(id)) => {
                let (id, manner) = (id.clone(), manner.clone());
                let (sessions, answers) = (sessions.clone(), answers.clone());
                thread::spawn(move || work(&manner, &id, &params, &sessions, &answers));
            }
            (Some(method), Some(id)) => answer(&manner, id, method, &params, &sessions),
            (Some(_), None) => {}
            (None, Some(id)) => answers.came(id, message["result"].clone()),
            (None, None) => {}
        }
    }
    if manner.is("stays") {
        hostile::hang();
    }
}

fn answer(manner: &Manner, id: &Value, method: &str, params: &Value, sessions: &Sessions) {
    if hostile::answers(manner, id, method) {
        return;
    }
    let modes = json!({
        "currentModeId": "ask",
        "availableModes": [{ "id": "ask", "name": "Ask" }, { "id": "free", "name": "Free" }],
    });
    match method {
        "initialize" => say::result(
            id,
            &json!({
                "protocolVersion": 1,
                "agentCapabilities": { "loadSession": !manner.is("forgets") },
                "agentInfo": { "name": "test-agent", "version": "1" },
                "_meta": { "steering": { "supported": !manner.is("forgets") } },
            }),
        ),
        "session/new" => {
            let session = sessions.open(&params["mcpServers"][0]);
            say::result(id, &json!({ "sessionId": session, "modes": modes }));
        }
        "session/load" => match sessions.load(&params["sessionId"]) {
            Some(past) => {
                for update in past {
                    say::update(&params["sessionId"], &update);
                }
                say::result(id, &json!({ "modes": modes }));
            }
            None => say::error(id, -32_602, "there is no such session"),
        },
        "session/set_mode" => {
            sessions.set_mode(&params["sessionId"], &params["modeId"]);
            say::result(id, &json!({}));
        }
        "_session/steering" => {
            let outcome = match sessions.is_busy(&params["sessionId"]) {
                true => json!({ "outcome": "injected" }),
                false => json!({ "outcome": "promptRequired", "reason": "noRunningTurn" }),
            };
            say::result(id, &outcome);
        }
        _ => say::error(id, -32_601, "unknown method"),
    }
}
