//! One subagent from its assignment to its result: feeds the agent machine, whose conversation is kept nowhere.

use std::{collections::VecDeque, sync::Arc};

use teammate_core::{
    Message, MessageKind, Sender,
    agent::{Agent, Effect, Input, Limits, Memory, SpawnPrompt, TurnEnd, Unfinished},
    event::EventKind,
    hook::HookEvent,
    mail::Metadata,
    model::{ModelFailure, ModelRequest, Remedy, Reply},
    port::{Caller, SubagentArgs},
    team::{GENERAL_AGENT, MemberOptions, MessageCause},
    tool::{CallId, Outcome, ToolCall},
    transcript::{Conversation, EndReason, Entry},
};
use tokio::task::JoinSet;

use super::SubagentParts;
use crate::{
    identity::Toolset,
    model_calls::{ModelCall, Purpose},
    model_chain::ModelChain,
    rights::Rights,
    shown::{UnknownCalls, first_line},
    tool_call::ToolRun,
};

/// The most model calls of one subagent.
const ROUNDS_MAX: u32 = 200;

pub(super) struct Subagent {
    pub(super) parts: SubagentParts,
    pub(super) rights: Rights,
    pub(super) caller: Caller,
    pub(super) kind: Arc<str>,
    toolset: Arc<Toolset>,
    identity: Arc<str>,
    chain: Arc<ModelChain>,
    agent: Agent,
    unknown: UnknownCalls,
}

impl Subagent {
    pub(super) fn new(
        parts: SubagentParts,
        rights: Rights,
        caller: Caller,
        terms: &MemberOptions,
        chain: ModelChain,
    ) -> Self {
        let toolset = parts.toolsets.of_subagent(terms);
        let kind: Arc<str> = terms.agent.as_deref().unwrap_or(GENERAL_AGENT).into();
        let limits = parts.base.setup.config.limits;
        let limits = Limits {
            rounds_max: limits.rounds_max.min(ROUNDS_MAX),
            context: chain.context(),
            ..limits
        };
        let identity = format!(
            "You are '{}/{kind}', at {}.\n\n{}",
            caller.name,
            rights.workspace.root.display(),
            terms.instructions.trim()
        );
        let mut agent = Agent::new(
            caller.incarnation,
            toolset.classes.clone(),
            limits,
            Conversation::default(),
        );
        agent.ask_to_end(parts.base.listens(HookEvent::SubagentStop));
        Self {
            unknown: UnknownCalls::default(),
            agent,
            identity: identity.trim_end().into(),
            parts,
            rights,
            caller,
            kind,
            toolset,
            chain: Arc::new(chain),
        }
    }

    pub(super) async fn run(mut self, ask: SubagentArgs) -> Outcome {
        if let Some(why) = self.hooks_refuse(&ask.prompt).await {
            return Outcome::error(format!("Not run: {why}"));
        }
        self.emit(EventKind::SubagentStarted {
            call: self.caller.call.to_string(),
            kind: self.kind.to_string(),
            title: ask.title,
        });
        let outcome = self.work(ask.prompt).await;
        self.emit(EventKind::SubagentEnded {
            call: self.caller.call.to_string(),
            kind: self.kind.to_string(),
            ok: !outcome.is_error,
            summary: first_line(&outcome.text()),
        });
        outcome
    }

    /// Feeds the machine until it is idle.
    async fn work(&mut self, prompt: String) -> Outcome {
        let assignment = Some(SpawnPrompt {
            message: self.assignment(prompt),
            memory: Memory::Kept,
        });
        let mut inputs = VecDeque::from([Input::Begin {
            assignment,
            unfinished: Unfinished::TakeUp {
                untouched: Vec::new(),
            },
        }]);
        while let Some(input) = inputs.pop_front() {
            for effect in self.agent.step(input) {
                match effect {
                    Effect::Record(Entry::Answered(reply)) => {
                        self.unknown.answered(&reply, &self.toolset);
                        self.spent(&reply);
                    }
                    Effect::Record(Entry::ToolOutcomes(outcomes)) => {
                        self.emit_unknown_calls(&outcomes);
                    }
                    Effect::Record(_) | Effect::AckMail | Effect::Note(_) => {}
                    Effect::TakeMail => inputs.push_back(Input::Heard(Vec::new())),
                    Effect::FindTask => inputs.push_back(Input::TaskFound(None)),
                    Effect::CallModel { .. } => inputs.push_back(self.ask_model().await),
                    Effect::RunTools(calls) => inputs.extend(self.run_tools(calls).await),
                    Effect::EndTurn(resting) => return result_outcome(resting),
                    Effect::Summarize { .. } => return too_long(),
                    Effect::AskToEnd { result, held_back } => {
                        let word = self.held_back(result, held_back > 0).await;
                        inputs.push_back(Input::MayEnd(word));
                    }
                    // Nobody interrupts a subagent: it is dropped.
                    Effect::CancelModel
                    | Effect::CancelTools
                    | Effect::CancelAskToEnd
                    | Effect::Exit => {}
                }
            }
        }
        Outcome::error("The subagent ended without a result.")
    }

    fn assignment(&self, content: String) -> Message {
        Message {
            id: self
                .parts
                .base
                .ledger
                .team()
                .message_id(MessageCause::Subagent(&self.caller.call)),
            kind: MessageKind::TaskAssignment,
            from: Sender::Member(self.caller.name.clone()),
            from_incarnation: Some(self.caller.incarnation),
            to: self.caller.name.clone(),
            to_incarnation: None,
            content,
            sent_at: self.parts.base.ports.clock.now(),
            wakes: None,
            request_id: None,
            metadata: Metadata::default(),
        }
    }

    async fn ask_model(&mut self) -> Input {
        if let Err(what) = self.parts.meter.require_budget(&self.caller.name) {
            return Input::OutOfBudget(what);
        }
        if let Some(what) = self.parts.base.halted(&self.caller.name) {
            return Input::ModelFailed(ModelFailure {
                what,
                remedy: Remedy::Never,
            });
        }
        let ask = ModelCall {
            model_caller: self.parts.model_caller.clone(),
            scene: self.scene(),
            chain: self.chain.clone(),
            request: self.request(),
            purpose: Purpose::Subagent,
        };
        self.agent.mark_sent();
        match ask.with_retries().await {
            Ok(reply) => Input::Answered(reply),
            Err(failure) => Input::ModelFailed(failure),
        }
    }

    fn request(&self) -> ModelRequest {
        let asker = format!("{}/{}", self.caller.name, self.kind);
        let conversation = self.caller.call.as_str();
        self.toolset
            .request(&self.identity, &self.agent, (conversation, &asker))
    }

    fn spent(&self, reply: &Reply) {
        let whose = (&self.caller.name, self.caller.incarnation);
        self.parts
            .meter
            .record(whose, None, &reply.model, reply.usage);
        self.emit(EventKind::SubagentAnswered {
            call: self.caller.call.to_string(),
            usage: reply.usage,
        });
    }

    /// Runs calls side by side; dropped with the future, they end.
    async fn run_tools(&self, calls: Vec<ToolCall>) -> Vec<Input> {
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        let mut running = JoinSet::new();
        let mut ids: Vec<CallId> = Vec::new();
        let mut done = Vec::new();
        for call in calls {
            let id = call.id.clone();
            let (tool, call) = match self.toolset.resolve(call) {
                Ok(resolved) => resolved,
                Err(outcome) => {
                    done.push(Input::ToolDone(id, outcome));
                    continue;
                }
            };
            ids.push(id);
            let caller = Caller {
                call: self.caller.call.call_of_subagent(at, &call.id),
                subagent: Some(self.caller.call.clone()),
                ..self.caller.clone()
            };
            let dispatch = ToolRun {
                base: self.parts.base.clone(),
                gate: self.parts.gate.clone(),
                tool,
                mode: self.rights.effective_mode(),
                context: self.parts.contexts.tool_context(&self.rights, caller),
                subagent: Some(self.kind.clone()),
                call,
            };
            running.spawn(async move { (dispatch.call.id.clone(), dispatch.run().await) });
        }
        while let Some(ended) = running.join_next().await {
            if let Ok((id, outcome)) = ended {
                ids.retain(|open| *open != id);
                done.push(Input::ToolDone(id, outcome));
            }
        }
        let crashed = ids.into_iter().map(|id| {
            let text = "The tool crashed; this is a bug in it. It may have done part of its work.";
            Input::ToolDone(id, Outcome::error(text))
        });
        done.extend(crashed);
        done
    }

    fn emit_unknown_calls(&mut self, outcomes: &[(CallId, Outcome)]) {
        let secrets = &self.parts.base.setup.secrets;
        for what in self.unknown.done(outcomes, Some(&self.kind), secrets) {
            self.emit(what);
        }
    }

    fn emit(&self, what: EventKind) {
        self.parts.base.feed.emit(&self.caller.name, what);
    }
}

fn result_outcome(resting: TurnEnd) -> Outcome {
    match resting {
        TurnEnd::Done { result, .. } if result.is_empty() => {
            Outcome::ok("(the subagent finished without a result)")
        }
        TurnEnd::Done { result, .. } => Outcome::ok(result),
        TurnEnd::Ended {
            why: EndReason::Failed { what } | EndReason::Limit { what },
            ..
        }
        | TurnEnd::OutOfBudget { what, .. } => Outcome::error(format!(
            "The subagent did not finish: {what}. The work it did is kept."
        )),
        TurnEnd::Ended {
            why: EndReason::Done | EndReason::Interrupted | EndReason::Waiting { .. },
            ..
        } => Outcome::error("The subagent was interrupted. The work it did is kept."),
    }
}

fn too_long() -> Outcome {
    Outcome::error(
        "The subagent did not finish: the work did not fit into one conversation. Split it into smaller parts.",
    )
}
