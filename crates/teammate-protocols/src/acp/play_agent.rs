//! An agent without a model, which does what its prompts say word by word: for tests and demonstrations. It keeps its sessions in its
//! home, asks before it does anything, and reaches its server of tools, as agents do.

mod children;
mod instructions;
pub mod say;
mod sessions;
mod turn;

use std::{
    io::{self, BufRead as _},
    sync::Arc,
    thread,
};

use serde_json::{Value, json};

pub use self::turn::{Answers, chunk};
use self::{sessions::Sessions, turn::work};

/// How an agent behaves otherwise than it should.
pub trait Manners: Send + Sync {
    /// Whether it has a habit of this name.
    fn is(&self, _habit: &str) -> bool {
        false
    }

    /// Answers in its own way; false if it answers as it should.
    fn answers(&self, _id: &Value, _method: &str) -> bool {
        false
    }

    /// Has a turn in its own way; false if it works as it should.
    fn works(&self, _id: &Value, _session: &Value, _answers: &Answers) -> bool {
        false
    }
}

/// Behaves as it should.
pub struct Conforming;

impl Manners for Conforming {}

/// Speaks over standard input and output until the input ends.
pub fn serve(manners: &Arc<dyn Manners>) {
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
                let (id, manners) = (id.clone(), manners.clone());
                let (sessions, answers) = (sessions.clone(), answers.clone());
                thread::spawn(move || work(&*manners, &id, &params, &sessions, &answers));
            }
            (Some(method), Some(id)) => answer(&**manners, id, method, &params, &sessions),
            (Some(_), None) => {}
            (None, Some(id)) => answers.came(id, message["result"].clone()),
            (None, None) => {}
        }
    }
}

fn answer(manners: &dyn Manners, id: &Value, method: &str, params: &Value, sessions: &Sessions) {
    if manners.answers(id, method) {
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
                "agentCapabilities": { "loadSession": !manners.is("forgets") },
                "agentInfo": { "name": "test-agent", "version": "1" },
                "_meta": { "steering": { "supported": !manners.is("forgets") } },
            }),
        ),
        "session/new" => {
            let session = sessions.open(&params["mcpServers"][0]);
            say::result(id, &json!({ "sessionId": session, "modes": modes }));
        }
        "session/load" => match sessions.load(&params["sessionId"], &params["mcpServers"][0]) {
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
