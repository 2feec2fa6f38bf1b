//! Hears an agent while it works for a member: its words joined to its answer, shown, and its questions passed on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use teammate_core::{
    lock::Hold,
    port::{AgentClient, AgentUpdate, BoxFuture},
    tool::{CallId, ToolName},
};
use tokio::sync::watch;

use super::likeness::{NativeTools, is_team_tool};
use crate::acp::{
    connection::Client,
    question::{Question, QuestionAnswer},
    update::{ToolPart, Update},
};

/// The most of an answer that is kept, in bytes.
const TEXT_MAX: usize = 1 << 20;
/// The most of the past that is looked through, in bytes: its end.
const PAST_MAX: usize = 16 << 20;
/// How many tool calls of a turn are known by their ids.
const CALLS_MAX: usize = 1_000;
/// How many different oddities are noted.
const ODDITIES_MAX: usize = 20;

/// Hears an agent.
pub(super) struct Hearing {
    client: Arc<dyn AgentClient>,
    team_tools: Vec<ToolName>,
    native: NativeTools,
    heard: Mutex<Heard>,
    /// Whether a turn runs, and has not been cut.
    in_turn: watch::Sender<bool>,
}

#[derive(Default)]
struct Heard {
    /// Prompts of a session that is loaded.
    past: String,
    /// The text since its last tool call, and all.
    last: String,
    all: String,
    /// Calls that have begun: what kind of tool it is; nothing if it is not shown.
    calls: HashMap<String, Option<String>>,
    /// The cost of the session by the agent's word, and how much of that was reported before.
    cost: Option<u64>,
    reported: Option<u64>,
    oddities: Vec<String>,
}

impl Hearing {
    pub(super) fn new(
        client: Arc<dyn AgentClient>,
        team_tools: Vec<ToolName>,
        native: NativeTools,
    ) -> Self {
        Self {
            client,
            team_tools,
            native,
            heard: Mutex::default(),
            in_turn: watch::Sender::new(false),
        }
    }

    /// The prompts that the loaded session repeated.
    pub(super) fn take_past(&self) -> String {
        std::mem::take(&mut self.heard.hold().past)
    }

    pub(super) fn begin_turn(&self) {
        let mut heard = self.heard.hold();
        (heard.last, heard.all) = (String::new(), String::new());
        heard.calls.clear();
        drop(heard);
        self.in_turn.send_replace(true);
    }

    /// The turn is over; what it asks from now on is not answered. Returns what it said.
    pub(super) fn end_turn(&self) -> String {
        self.in_turn.send_replace(false);
        let mut heard = self.heard.hold();
        let (last, all) = (
            std::mem::take(&mut heard.last),
            std::mem::take(&mut heard.all),
        );
        match last.trim().is_empty() {
            true => all,
            false => last,
        }
    }

    /// The session is new, and has cost nothing yet.
    pub(super) fn begin_session(&self) {
        self.heard.hold().reported = Some(0);
    }

    /// The cost of the session since the last time, in millionths of a dollar. Of a session that was loaded, what its first
    /// turn cost is not known.
    pub(super) fn take_cost(&self) -> u64 {
        let mut heard = self.heard.hold();
        let Some(cost) = heard.cost else { return 0 };
        let before = heard.reported.replace(cost);
        before.map_or(0, |before| cost.saturating_sub(before))
    }

    fn cost(&self, (amount, currency): (f64, String)) {
        if currency == "USD" && (0.0..1e9).contains(&amount) {
            // In this range nothing that matters is lost.
            self.heard.hold().cost = Some((amount * 1e6).round() as u64);
        }
    }

    pub(super) fn note(&self, text: String) {
        self.client.hear(AgentUpdate::Note(text));
    }

    fn is_in_turn(&self) -> bool {
        *self.in_turn.borrow()
    }

    fn said(&self, piece: String) {
        {
            let mut heard = self.heard.hold();
            join(&mut heard.last, &piece);
            join(&mut heard.all, &piece);
        }
        self.client.hear(AgentUpdate::Text(piece));
    }

    fn tool(&self, part: ToolPart) {
        let ToolPart {
            call,
            title,
            kind,
            status,
        } = part;
        let id = CallId::new(call.clone());
        let mut heard = self.heard.hold();
        let known = heard.calls.get(&call).cloned();
        let (tool, begins) = match known {
            Some(tool) => (tool, false),
            None if heard.calls.len() >= CALLS_MAX => return,
            None => {
                heard.last.clear();
                // The team's tools are shown as the member's own calls.
                let is_shown = !is_team_tool(&self.team_tools, &title, &kind);
                let tool = is_shown.then(|| match &*kind {
                    "" | "other" => "tool".to_owned(),
                    _ => kind,
                });
                heard.calls.insert(call, tool.clone());
                (tool, true)
            }
        };
        drop(heard);
        let Some(tool) = tool else { return };
        if begins {
            self.client.hear(AgentUpdate::ToolStarted {
                call: id.clone(),
                tool: tool.clone(),
                title,
            });
        }
        let failed = status == "failed";
        if failed || status == "completed" {
            self.client.hear(AgentUpdate::ToolEnded {
                call: id,
                tool,
                failed,
            });
        }
    }
}

impl Client for Hearing {
    fn updated(&self, _session: &str, update: Update) {
        match update {
            Update::Prompt(text) => {
                let past = &mut self.heard.hold().past;
                past.push_str(&text);
                if past.len() > PAST_MAX {
                    let from = past.ceil_char_boundary(past.len() - PAST_MAX / 2);
                    past.drain(..from);
                }
            }
            Update::Usage {
                cost: Some(cost), ..
            } => self.cost(cost),
            // Of a session that is loaded, or after the end of a turn.
            _ if !self.is_in_turn() => {}
            Update::Text(piece) => self.said(piece),
            Update::Thought(piece) => self.client.hear(AgentUpdate::Thought(piece)),
            Update::Tool(part) => self.tool(part),
            Update::Mode(_) | Update::Usage { .. } | Update::Other(_) => {}
        }
    }

    fn asked<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, QuestionAnswer> {
        Box::pin(async move {
            let mut in_turn = self.in_turn.subscribe();
            if !*in_turn.borrow_and_update() {
                return QuestionAnswer::Cancel;
            }
            if is_team_tool(&self.team_tools, &question.title, &question.kind) {
                return QuestionAnswer::Allow;
            }
            let over = async {
                while *in_turn.borrow_and_update() {
                    if in_turn.changed().await.is_err() {
                        return;
                    }
                }
            };
            tokio::select! {
                biased;
                () = over => QuestionAnswer::Cancel,
                allowed = self.client.allows(self.native.question(question)) => match allowed {
                    true => QuestionAnswer::Allow,
                    false => QuestionAnswer::Refuse,
                },
            }
        })
    }

    fn noted(&self, oddity: &str) {
        let mut heard = self.heard.hold();
        let is_new = !heard.oddities.iter().any(|known| known == oddity);
        if is_new && heard.oddities.len() < ODDITIES_MAX {
            heard.oddities.push(oddity.to_owned());
            drop(heard);
            self.note(format!(
                "the agent did what the protocol does not have: {oddity}"
            ));
        }
    }
}

fn join(to: &mut String, text: &str) {
    let left = TEXT_MAX.saturating_sub(to.len());
    to.push_str(&text[..text.floor_char_boundary(left)]);
}
