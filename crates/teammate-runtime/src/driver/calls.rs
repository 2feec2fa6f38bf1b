//! Starts a member's work: a question to its model, and the tools that the model wants.

use std::sync::Arc;

use teammate_core::{
    agent::Input,
    event::EventKind,
    model::{Effort, ModelRequest},
    port::Caller,
    team::Command,
    tool::{EffectClass, ToolCall},
};

use super::{
    Driver,
    in_flight::DriverJob,
    todo_reminder::{nudge_text, with_reminder},
};
use crate::{
    model_calls::{ModelCall, Purpose},
    tool_call::ToolRun,
};

impl Driver {
    /// Asks the member's engine, unless a budget is spent or a hook ends the turn.
    pub(super) async fn call_model(&mut self, round: u32) -> Option<Input> {
        if let Err(what) = self.parts.meter.require_budget(&self.name) {
            return Some(Input::OutOfBudget(what));
        }
        if let Some(halted) = self.halted() {
            return Some(halted);
        }
        self.mark_working();
        let (model, effort) = match self.engine.shown() {
            Some(agent) => (agent.to_owned(), Effort::default()),
            None => (
                self.chain.current().name.to_string(),
                self.chain.effort_now(),
            ),
        };
        let asked = EventKind::ModelAsked {
            round,
            model,
            effort,
        };
        self.base.feed.emit(&self.name, asked);
        self.count_round();
        self.ask_engine().await;
        None
    }

    /// A question to the member's model.
    pub(super) fn model_call(&self, request: ModelRequest, purpose: Purpose) -> ModelCall {
        ModelCall {
            model_caller: self.parts.model_caller.clone(),
            scene: self.scene(),
            chain: self.chain.clone(),
            request,
            purpose,
        }
    }

    /// The member's request; its chain fits it to each model.
    pub(super) fn request(&self) -> ModelRequest {
        let conversation = format!("{}/{}", self.base.ledger.team().id(), self.name);
        let asker = self.name.as_str();
        self.toolset
            .request(&self.identity, &self.agent, (&conversation, asker))
    }

    pub(super) fn mark_working(&mut self) {
        if !std::mem::replace(&mut self.is_working, true) {
            let (member, incarnation) = (self.name.clone(), self.incarnation);
            self.parts.meter.set_working(&self.name, true);
            if let Some(saver) = &self.saver {
                saver.turn_began();
            }
            self.base.record_status(Command::StartTurn {
                member,
                incarnation,
            });
        }
    }

    pub(super) fn run_tools(&mut self, calls: Vec<ToolCall>) {
        self.mark_working();
        self.hold_spawned(&calls);
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        for call in calls {
            let id = call.id.clone();
            let (tool, call) = match self.toolset.resolve(call) {
                Ok(resolved) => resolved,
                Err(outcome) => {
                    self.start(DriverJob::Tool(id.clone()), async {
                        Input::ToolDone(id, outcome)
                    });
                    continue;
                }
            };
            let caller = Caller {
                name: self.name.clone(),
                incarnation: self.incarnation,
                call: self.cause(at, &call.id),
                sources: Arc::new(self.agent.conversation().sources().clone()),
                subagent: None,
            };
            self.parts.loops.call(&self.name, &caller.call);
            let dispatch = ToolRun {
                tool,
                call,
                mode: self.rights.effective_mode(),
                context: self.parts.contexts.tool_context(&self.rights, caller),
                base: self.base.clone(),
                gate: self.parts.gate.clone(),
                subagent: None,
            };
            let is_due = self.nudge.take();
            let nudge = is_due.then(|| nudge_text(&self.base.setup.tool_names));
            let setup = self.setup.clone();
            self.start(DriverJob::Tool(id.clone()), async move {
                if let Some(setup) = setup {
                    setup.until_done().await;
                }
                let outcome = dispatch.run().await;
                let outcome = match nudge {
                    Some(text) => with_reminder(outcome, text),
                    None => outcome,
                };
                Input::ToolDone(id, outcome)
            });
        }
    }

    /// While the lead's answer calls the team, whom it spawns does not begin: what it puts on the board comes first. Other calls
    /// can take long.
    fn hold_spawned(&self, calls: &[ToolCall]) {
        if !self.name.is_lead() {
            return;
        }
        let classes = &self.toolset.classes;
        let is_for_team = |call: &ToolCall| classes.get(&call.name) == Some(EffectClass::Team);
        if !calls.iter().all(is_for_team) {
            self.base.spawn_hold.release();
        } else if self.agent.has_calls_waiting() {
            let next = self.base.ledger.team().board().next_id();
            self.base.spawn_hold.hold(next);
        }
    }

    fn count_round(&mut self) {
        let team = self.base.ledger.team();
        if let Some(member) = team.member(&self.name) {
            self.nudge.count_round(&member.todos);
        }
    }
}
