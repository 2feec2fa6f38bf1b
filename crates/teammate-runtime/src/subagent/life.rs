//! One subagent from its assignment to its last word: feeds the agent machine, whose conversation is kept nowhere.

use std::{collections::VecDeque, sync::Arc};

use teammate_core::{
    Message, MessageKind, Sender,
    agent::{Agent, Effect, Input, Limits, Resting, Unfinished},
    event::What,
    mail::Metadata,
    model::{Reply, Request},
    port::{Caller, Model, SubagentAsk},
    team::MessageCause,
    team::Terms,
    tool::{CallId, Outcome, ToolCall},
    transcript::{Conversation, Entry, RestReason},
};
use tokio::task::JoinSet;

use super::SubagentParts;
use crate::{
    ask::Ask,
    dispatch::Dispatch,
    identity::Kit,
    rights::Rights,
    told::{UnknownCalls, first_line},
};

/// The most model calls of one subagent.
const ROUNDS_MAX: u32 = 200;

pub(super) struct Subagent {
    parts: SubagentParts,
    rights: Rights,
    caller: Caller,
    kind: Arc<str>,
    kit: Arc<Kit>,
    identity: Arc<str>,
    model: Arc<dyn Model>,
    agent: Agent,
    unknown: UnknownCalls,
}

impl Subagent {
    pub(super) fn new(
        parts: SubagentParts,
        rights: Rights,
        caller: Caller,
        terms: &Terms,
        model: Arc<dyn Model>,
    ) -> Self {
        let kit = parts.kits.of_subagent(terms);
        let kind: Arc<str> = terms.agent.as_deref().unwrap_or("general").into();
        let limits = parts.base.setup.config.limits;
        let limits = Limits {
            rounds_max: limits.rounds_max.min(ROUNDS_MAX),
            ..limits
        };
        let identity = format!(
            "You are '{}/{kind}', at {}.\n\n{}",
            caller.name,
            rights.workspace.root.display(),
            terms.instructions.trim()
        );
        Self {
            unknown: UnknownCalls::default(),
            agent: Agent::new(
                caller.incarnation,
                kit.classes.clone(),
                limits,
                Conversation::default(),
            ),
            identity: identity.trim_end().into(),
            parts,
            rights,
            caller,
            kind,
            kit,
            model,
        }
    }

    pub(super) async fn run(mut self, ask: SubagentAsk) -> Outcome {
        self.tell(What::SubagentStarted {
            call: self.caller.call.to_string(),
            kind: self.kind.to_string(),
            title: ask.title,
        });
        let outcome = self.work(ask.prompt).await;
        self.tell(What::SubagentEnded {
            call: self.caller.call.to_string(),
            kind: self.kind.to_string(),
            ok: !outcome.is_error,
            summary: first_line(&outcome.text()),
        });
        outcome
    }

    /// Feeds the machine until it rests.
    async fn work(&mut self, prompt: String) -> Outcome {
        let assignment = Some((self.assignment(prompt), false));
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
                        self.unknown.answered(&reply, &self.kit);
                        self.spent(&reply);
                    }
                    Effect::Record(Entry::Done(outcomes)) => self.tell_unknown(&outcomes),
                    Effect::Record(_) | Effect::Settle | Effect::Note(_) => {}
                    Effect::Listen => inputs.push_back(Input::Heard(Vec::new())),
                    Effect::Seek => inputs.push_back(Input::Found(None)),
                    Effect::CallModel { .. } => inputs.push_back(self.ask_model().await),
                    Effect::RunTools(calls) => inputs.extend(self.run_tools(calls).await),
                    Effect::Rest(resting) => return last_word(resting),
                    Effect::Summarize { .. } => return too_long(),
                    // Nobody interrupts a subagent: it is dropped.
                    Effect::CancelModel | Effect::CancelTools | Effect::Retire => {}
                }
            }
        }
        Outcome::error("The subagent ended without a last word.")
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
            sent_at: self.parts.base.world.clock.now(),
            wakes: None,
            request_id: None,
            metadata: Metadata::new(),
        }
    }

    async fn ask_model(&mut self) -> Input {
        if let Err(what) = self.parts.meter.may_spend(&self.caller.name) {
            return Input::Limited(what);
        }
        let ask = Ask {
            asker: self.parts.asker.clone(),
            member: self.caller.name.clone(),
            incarnation: self.caller.incarnation,
            model: self.model.clone(),
            model_name: self.rights.model.to_string(),
            request: self.request(),
            is_quiet: true,
        };
        self.agent.was_sent();
        match ask.run().await {
            Ok(reply) => Input::Answered(reply),
            Err(failure) => Input::ModelFailed(failure),
        }
    }

    fn request(&self) -> Request {
        Request {
            preamble: self.kit.preamble.clone(),
            identity: self.identity.clone(),
            messages: self.agent.conversation().messages().to_vec(),
            cached: self.agent.cached(),
            max_tokens: self.parts.base.setup.config.max_tokens,
            conversation: self.caller.call.as_str().into(),
            asker: format!("{}/{}", self.caller.name, self.kind).into(),
        }
    }

    fn spent(&self, reply: &Reply) {
        let whose = (&self.caller.name, self.caller.incarnation);
        self.parts
            .meter
            .spent(whose, None, &reply.model, reply.usage);
        self.tell(What::SubagentAnswered {
            call: self.caller.call.to_string(),
            usage: reply.usage,
        });
    }

    /// Runs calls side by side; dropped with the future, they end.
    async fn run_tools(&self, calls: Vec<ToolCall>) -> Vec<Input> {
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        let mut running = JoinSet::new();
        let mut ids: Vec<CallId> = Vec::new();
        for mut call in calls {
            ids.push(call.id.clone());
            let Some(tool) = self.kit.tool(&call.name) else {
                continue;
            };
            call.name = tool.spec().name.clone().into_owned();
            let caller = Caller {
                call: self.caller.call.call_of_subagent(at, &call.id),
                ..self.caller.clone()
            };
            let dispatch = Dispatch {
                base: self.parts.base.clone(),
                gate: self.parts.gate.clone(),
                tool,
                mode: self.rights.mode(),
                context: self.parts.contexts.context(&self.rights, caller),
                subagent: Some(self.kind.clone()),
                call,
            };
            running.spawn(async move { (dispatch.call.id.clone(), dispatch.run().await) });
        }
        let mut done = Vec::new();
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

    fn tell_unknown(&mut self, outcomes: &[(CallId, Outcome)]) {
        let secrets = &self.parts.base.setup.secrets;
        for what in self.unknown.done(outcomes, Some(&self.kind), secrets) {
            self.tell(what);
        }
    }

    fn tell(&self, what: What) {
        self.parts.base.feed.tell(&self.caller.name, what);
    }
}

fn last_word(resting: Resting) -> Outcome {
    match resting {
        Resting::Done { result, .. } if result.is_empty() => {
            Outcome::ok("(the subagent finished without a last word)")
        }
        Resting::Done { result, .. } => Outcome::ok(result),
        Resting::Cut {
            why: RestReason::Failed { what } | RestReason::Limit { what },
            ..
        }
        | Resting::Paused { what, .. } => Outcome::error(format!(
            "The subagent did not finish: {what}. What it had done stays done."
        )),
        Resting::Cut {
            why: RestReason::Done | RestReason::Interrupted | RestReason::Waiting { .. },
            ..
        } => Outcome::error("The subagent was interrupted. What it had done stays done."),
    }
}

fn too_long() -> Outcome {
    Outcome::error(
        "The subagent did not finish: the work was too much for one conversation. Give it in smaller parts.",
    )
}
