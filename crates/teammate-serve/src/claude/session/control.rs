//! What a caller asks of the session itself.

use serde_json::{Value, json};
use teammate::{
    MemberName, Mode,
    handle::{ChooseMode, ChooseModel},
    hooks::permission_word,
};

use super::Session;
use crate::claude::opening::ClaudeAnswers;

impl Session {
    /// Answers a request.
    pub(super) async fn asked(&mut self, id: &str, request: &Value) {
        let subtype = request["subtype"].as_str().unwrap_or_default();
        let answer = match subtype {
            "initialize" => {
                let answer = self.initialize(request);
                if self.open.is_none() {
                    self.refused = answer.as_ref().err().cloned();
                }
                answer
            }
            "interrupt" => {
                if let Some(job) = self.open.as_ref().and_then(|open| open.job.as_ref()) {
                    job.cancel();
                }
                Ok(json!({ "still_queued": [] }))
            }
            "set_permission_mode" => self.set_mode(&request["mode"]).await,
            "set_model" => self.set_model(request["model"].as_str()).await,
            "mcp_status" => Ok(json!({ "mcpServers": self.servers() })),
            other => Err(format!(
                "teammate does not do {}; docs/as-claude.md says what it does",
                teammate::visible(other)
            )),
        };
        self.outbox.reply(id, answer).await;
    }

    fn initialize(&mut self, request: &Value) -> Result<Value, String> {
        if self.open.is_some() {
            return Err("the session is open already".to_owned());
        }
        self.wishes.take(request)?;
        let mut answer = json!({
            "commands": [],
            "agents": [],
            "output_style": "default",
            "available_output_styles": ["default"],
            "models": [],
            "account": {},
            "hooks_applied": true,
            "hook_on_failure_supported": true,
        });
        if self.wishes.servers.is_some() {
            answer["mcp_servers_applied"] = true.into();
        }
        Ok(answer)
    }

    async fn set_mode(&mut self, word: &Value) -> Result<Value, String> {
        let word = word.as_str().unwrap_or_default();
        let (mode, answers) = match word {
            "plan" => (Mode::Ask, ClaudeAnswers::Plan),
            "dontAsk" => (Mode::Ask, ClaudeAnswers::Nobody),
            other => {
                let mode = Mode::parse_with_others(other);
                let mode = mode.ok_or_else(|| {
                    "there is no such mode; there are default, acceptEdits, bypassPermissions, plan and dontAsk".to_owned()
                })?;
                (mode, self.opening.answers)
            }
        };
        match &self.open {
            None => self.wishes.mode = Some(mode),
            Some(open) => {
                let chosen = open.run.team.ask(ChooseMode(mode)).await;
                chosen.map_err(|error| error.to_string())?;
            }
        }
        self.answers = answers;
        Ok(json!({ "mode": permission_word(mode, answers == ClaudeAnswers::Plan) }))
    }

    async fn set_model(&mut self, word: Option<&str>) -> Result<Value, String> {
        let word = word.filter(|word| *word != "default");
        let model = self.program.model(word)?;
        match &self.open {
            None => self.wishes.model = Some(model),
            Some(open) => {
                let verb = ChooseModel {
                    member: MemberName::lead(),
                    model: Some(model),
                    effort: None,
                };
                open.run
                    .team
                    .ask(verb)
                    .await
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(json!({}))
    }

    /// The servers of tools that the caller named.
    pub(super) fn servers(&self) -> Vec<Value> {
        let shown = |name: &String, status: &str| json!({ "name": name, "status": status });
        let caller = self.wishes.caller_servers.iter();
        let caller = caller.map(|name| shown(name, "connected"));
        let others = self.wishes.server_names.iter();
        caller
            .chain(others.map(|name| shown(name, self.server_state(name))))
            .collect()
    }

    #[cfg(feature = "mcp")]
    fn server_state(&self, name: &str) -> &'static str {
        use teammate::mcp::ServerState;

        let open = self.open.as_ref();
        match open.and_then(|open| open.run.team.server_state(name)) {
            Some(ServerState::Ready) => "connected",
            Some(ServerState::Unused) | None => "pending",
            Some(ServerState::Failed(_)) => "failed",
        }
    }

    #[cfg(not(feature = "mcp"))]
    fn server_state(&self, _: &str) -> &'static str {
        "failed"
    }
}
