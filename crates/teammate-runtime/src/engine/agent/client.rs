//! Our side of an agent: shows what it does, has its questions decided by the permission gate, and runs the team's tools for it as
//! its member's own calls.

mod tools;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use teammate_core::{
    Incarnation, MemberName,
    cause::Cause,
    event::{EventKind, Excerpt},
    lock::Hold,
    model::Reply,
    port::{Action, AgentClient, AgentQuestion, AgentUpdate, BoxFuture, Caller, Target},
    secrets::Streamed,
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolSpec},
    transcript::Sources,
};
use tokio::time::Instant;

use super::AgentParts;
use crate::{base::Base, engine::EngineAsk, permission_gate::CheckedCall, rights::Rights};

/// The most characters of a line about a tool call.
const TITLE_CHARS_MAX: usize = 300;

/// The most tool calls of one turn that are shown while they run.
const CALLS_SHOWN_MAX: usize = 200;

/// Our side of one member's agent.
pub(super) struct MemberClient {
    member: MemberName,
    incarnation: Incarnation,
    parts: AgentParts,
    turn: Mutex<ClientTurn>,
    /// Numbers calls and questions.
    calls: AtomicU64,
}

/// The running turn.
#[derive(Default)]
struct ClientTurn {
    rights: Option<Rights>,
    /// The handover that began it.
    at: u64,
    sources: Arc<Sources>,
    text: Option<Streamed>,
    thinking: Option<Streamed>,
    /// Tools that have begun, and when.
    running: Vec<(CallId, Instant)>,
}

impl MemberClient {
    pub(super) fn new(member: MemberName, incarnation: Incarnation, parts: AgentParts) -> Self {
        Self {
            member,
            incarnation,
            parts,
            turn: Mutex::default(),
            calls: AtomicU64::new(0),
        }
    }

    pub(super) fn base(&self) -> Arc<Base> {
        self.parts.base.clone()
    }

    /// A turn begins in which the member may use this.
    pub(super) fn begin(&self, rights: Rights) {
        self.turn.hold().rights = Some(rights);
    }

    /// A prompt is about to be sent. Returns how often the member's plan gate was closed until now.
    pub(super) fn begin_prompt(&self, ask: &EngineAsk) -> u32 {
        let setup = &self.parts.base.setup;
        let streamed = || Streamed::new(setup.secrets.clone());
        let mut turn = self.turn.hold();
        turn.at = ask.news.1;
        turn.sources = ask.sources.clone();
        turn.text = Some(streamed());
        turn.thinking = setup.config.shows_thinking.then(streamed);
        turn.running.clear();
        drop(turn);
        self.parts.base.closings(&self.member)
    }

    pub(super) async fn gate_closes(&self, closings: u32) {
        self.parts.base.gate_closes(&self.member, closings).await;
    }

    /// The turn is over: shows what was held back.
    pub(super) fn finished(&self) {
        let (text, thinking) = {
            let mut turn = self.turn.hold();
            let rest = |streamed: Option<Streamed>| streamed.map(|mut it| it.rest());
            (rest(turn.text.take()), rest(turn.thinking.take()))
        };
        self.show_text(thinking.unwrap_or_default(), |delta| EventKind::Thinking {
            delta,
        });
        self.show_text(text.unwrap_or_default(), |delta| EventKind::Text { delta });
    }

    pub(super) fn note(&self, text: &str) {
        self.parts.base.feed.note(&self.member, text);
    }

    pub(super) fn without_secrets(&self, mut reply: Reply) -> Reply {
        self.parts.base.setup.secrets.hide_in_reply(&mut reply);
        reply
    }

    fn show_text(&self, delta: String, event: impl FnOnce(String) -> EventKind) {
        if !delta.is_empty() {
            self.parts.base.feed.emit(&self.member, event(delta));
        }
    }

    /// The caller: the member, in this turn.
    fn caller(&self, what: &str) -> Option<(Rights, Caller, CallId)> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let id = CallId::new(format!("{what}{number}"));
        let turn = self.turn.hold();
        let caller = Caller {
            name: self.member.clone(),
            incarnation: self.incarnation,
            call: Cause::call(&self.member, self.incarnation, turn.at, &id),
            sources: turn.sources.clone(),
            subagent: None,
        };
        Some((turn.rights.clone()?, caller, id))
    }

    fn tool_started(&self, call: CallId, tool: String, title: &str) {
        {
            let mut turn = self.turn.hold();
            if turn.running.len() >= CALLS_SHOWN_MAX {
                return;
            }
            turn.running.push((call.clone(), Instant::now()));
        }
        let shown: String = title.chars().take(TITLE_CHARS_MAX).collect();
        let summary = self.parts.base.setup.secrets.redact(&shown).into_owned();
        self.parts.base.feed.emit(
            &self.member,
            EventKind::ToolStarted {
                call,
                tool,
                summary,
                input: None,
                subagent: None,
            },
        );
    }

    fn tool_ended(&self, call: CallId, tool: String, failed: bool) {
        let begun = {
            let mut turn = self.turn.hold();
            let at = turn.running.iter().position(|(known, _)| *known == call);
            at.map(|at| turn.running.remove(at).1)
        };
        let Some(begun) = begun else { return };
        self.parts.base.feed.emit(
            &self.member,
            EventKind::ToolFinished {
                call,
                tool,
                ok: !failed,
                summary: if failed { "failed" } else { "" }.to_owned(),
                took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
                exit: None,
                bytes: None,
                lines: None,
                file: None,
                output: None::<Excerpt>,
                change: None,
                merge: None,
                refused: None,
                subagent: None,
            },
        );
    }

    /// Has the gate decide about a tool call of the agent's own.
    async fn decide(&self, question: AgentQuestion) -> Option<()> {
        let (rights, caller, id) = self.caller("q")?;
        let context = self.parts.contexts.tool_context(&rights, caller);
        let shows = question.shows.clone();
        let summary: String = shows.chars().take(TITLE_CHARS_MAX).collect();
        let like = question.like.as_ref().and_then(|call| {
            let tool = self.parts.toolset.tool(&call.name)?;
            let ready = tool.read(&call.input, &context).ok()?;
            let target = ready.action.target.clone();
            Some((tool.spec().name.to_string(), tool.spec().class, target))
        });
        let (tool, class, target) = like.unwrap_or((question.tool, question.class, Target::Team));
        let action = Action {
            target,
            shows,
            summary,
        };
        let call = ToolCall {
            id,
            ..question.like.unwrap_or(tools::nothing(&tool))
        };
        let checked = CheckedCall {
            caller: &context.caller,
            mode: rights.effective_mode(),
            tool: &tool,
            class,
            action: &action,
            place: &rights.workspace.root,
            call: Some(&call),
            offers_rules: matches!(action.target, Target::Command(_) | Target::Path(_)),
            asked_by_hook: None,
            subagent: None,
        };
        match self.parts.gate.check_waiting(&checked).await {
            Ok(()) => Some(()),
            Err(refusal) => {
                let why = &refusal.why;
                self.note(&format!("{tool} was refused to the agent: {why}"));
                None
            }
        }
    }
}

impl AgentClient for MemberClient {
    fn hear(&self, update: AgentUpdate) {
        match update {
            AgentUpdate::Text(piece) => {
                let delta = self.turn.hold().text.as_mut().map(|it| it.take(&piece));
                self.show_text(delta.unwrap_or_default(), |delta| EventKind::Text { delta });
            }
            AgentUpdate::Thought(piece) => {
                let delta = self.turn.hold().thinking.as_mut().map(|it| it.take(&piece));
                self.show_text(delta.unwrap_or_default(), |delta| EventKind::Thinking {
                    delta,
                });
            }
            AgentUpdate::ToolStarted { call, tool, title } => {
                self.tool_started(call, tool, &title);
            }
            AgentUpdate::ToolEnded { call, tool, failed } => self.tool_ended(call, tool, failed),
            AgentUpdate::Note(text) => self.note(&text),
        }
    }

    fn allows(&self, question: AgentQuestion) -> BoxFuture<'_, bool> {
        Box::pin(async move { self.decide(question).await.is_some() })
    }

    fn tools(&self) -> Vec<ToolSpec> {
        self.team_tools()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Outcome> {
        Box::pin(self.run_team_tool(call))
    }
}

/// Whether an external agent gets a tool: those of the team. For everything else it has its own.
fn is_for_agents(class: EffectClass) -> bool {
    match class {
        EffectClass::Team => true,
        EffectClass::Reads
        | EffectClass::Writes
        | EffectClass::Executes
        | EffectClass::Calls
        | EffectClass::Delegates => false,
    }
}
