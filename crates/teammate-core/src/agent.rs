//! The agent machine: one member's loop as a pure function of what happened to what shall be done.
//!
//! [`Agent::step`] takes an [`Input`] and gives [`Effect`]s, which the driver carries out in order. The machine never
//! waits, reads no clock and touches no disk. One function per phase; mail that comes while a phase is busy is heard
//! before the next model call.

mod acting;
mod effect;
mod input;

use std::{collections::BTreeMap, sync::Arc};

pub use effect::{Effect, Resting};
pub use input::Input;

use crate::{
    Incarnation, MemberName, Message, Sender,
    agent::acting::Acting,
    model::{ModelFailure, Remedy, Reply, Stop},
    tool::{CallId, EffectClass, Outcome, ToolCall},
    transcript::{Conversation, Entry, RestReason, Standing},
};

/// How often in a row an answer may be cut at its token limit before the turn ends.
const CUTS_MAX: u32 = 3;

/// What bounds one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most model calls in one turn.
    pub rounds_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds_max: 1_000 }
    }
}

/// The tools a member may call, by what they can do.
pub type Classes = BTreeMap<&'static str, EffectClass>;

/// One member's loop.
#[derive(Debug)]
pub struct Agent {
    name: MemberName,
    incarnation: Incarnation,
    limits: Limits,
    classes: Arc<Classes>,
    conversation: Conversation,
    phase: Phase,
    /// Model calls of this turn.
    round: u32,
    /// Answers in a row that were cut.
    cuts: u32,
    /// The doorbell rang while there was no ear for it.
    rang: bool,
    /// How many messages the last request had.
    cached: usize,
}

/// Where the loop stands.
#[derive(Debug, Clone, PartialEq)]
enum Phase {
    /// Between turns.
    Idle,
    /// The driver was asked for mail.
    Listening(Then),
    /// The model was asked.
    Thinking,
    /// Tools run.
    Acting(Acting),
    /// The loop is over.
    Retired,
}

/// What comes after listening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Rest, unless the mail wants an answer.
    Rest,
    /// Ask the model in any case.
    Ask,
    /// Take the mail and rest: the person interrupted.
    Yield,
}

impl Agent {
    /// A member as its transcript left it. Nothing happens before [`Input::Begin`].
    pub fn new(
        name: MemberName,
        incarnation: Incarnation,
        classes: Arc<Classes>,
        limits: Limits,
        conversation: Conversation,
    ) -> Self {
        Self {
            name,
            incarnation,
            limits,
            classes,
            conversation,
            phase: Phase::Idle,
            round: 0,
            cuts: 0,
            rang: false,
            cached: 0,
        }
    }

    /// The conversation that requests are made of.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// How many messages of the conversation the previous request had; 0 before the first.
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// Whether it is between turns.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Takes what happened, gives what to do.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        let phase = std::mem::replace(&mut self.phase, Phase::Retired);
        self.phase = match phase {
            Phase::Idle => self.idle(input, &mut out),
            Phase::Listening(then) => self.listening(then, input, &mut out),
            Phase::Thinking => self.thinking(input, &mut out),
            Phase::Acting(acting) => self.acting(acting, input, &mut out),
            Phase::Retired => Phase::Retired,
        };
        out
    }

    // ─── one function per phase ───

    fn idle(&mut self, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Begin { assignment } => self.begin(assignment, out),
            Input::Rang => self.listen(Then::Rest, out),
            Input::Stop => retire(out),
            Input::Interrupt => Phase::Idle,
            Input::Heard(_) | Input::Answered(_) | Input::ModelFailed(_) | Input::ToolDone(..) => {
                stray(&input, out);
                Phase::Idle
            }
        }
    }

    fn listening(&mut self, then: Then, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Heard(mail) => self.hear(then, mail, out),
            Input::Rang => {
                self.rang = true;
                Phase::Listening(then)
            }
            Input::Interrupt => Phase::Listening(Then::Yield),
            Input::Stop => retire(out),
            Input::Begin { .. }
            | Input::Answered(_)
            | Input::ModelFailed(_)
            | Input::ToolDone(..) => {
                stray(&input, out);
                Phase::Listening(then)
            }
        }
    }

    fn thinking(&mut self, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Answered(reply) => self.answered(reply, out),
            Input::ModelFailed(failure) => self.model_failed(&failure, out),
            Input::Rang => {
                self.rang = true;
                Phase::Thinking
            }
            Input::Interrupt => {
                out.push(Effect::CancelModel);
                self.rest(RestReason::Interrupted, out)
            }
            Input::Stop => {
                out.push(Effect::CancelModel);
                retire(out)
            }
            Input::Begin { .. } | Input::Heard(_) | Input::ToolDone(..) => {
                stray(&input, out);
                Phase::Thinking
            }
        }
    }

    fn acting(&mut self, mut acting: Acting, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::ToolDone(id, outcome) => {
                if !acting.finish(&id, outcome) {
                    stray(&Input::ToolDone(id, Outcome::ok("")), out);
                }
                self.act(acting, out)
            }
            Input::Rang => {
                self.rang = true;
                Phase::Acting(acting)
            }
            Input::Interrupt => {
                out.push(Effect::CancelTools);
                self.close(
                    acting.abandon("interrupted by the user; it may have done part of its work"),
                    out,
                );
                self.rest(RestReason::Interrupted, out)
            }
            Input::Stop => {
                // Calls without an outcome stay open: the next opening of the transcript tells the model.
                out.push(Effect::CancelTools);
                retire(out)
            }
            Input::Begin { .. } | Input::Heard(_) | Input::Answered(_) | Input::ModelFailed(_) => {
                stray(&input, out);
                Phase::Acting(acting)
            }
        }
    }

    // ─── beginning ───

    fn begin(&mut self, assignment: Option<(Message, bool)>, out: &mut Vec<Effect>) -> Phase {
        let standing = self.conversation.standing();
        if let Some((message, fresh)) = assignment
            && !self.conversation.has_heard(&message.id)
        {
            if let Standing::Calls(calls) = standing {
                let cut = calls
                    .into_iter()
                    .map(|call| (call.id, interrupted()))
                    .collect();
                self.close(cut, out);
            }
            if fresh {
                self.record(Entry::Fresh, out);
            }
            self.record(Entry::Heard(vec![message]), out);
            return self.listen(Then::Ask, out);
        }
        match standing {
            Standing::Rest => self.listen(Then::Rest, out),
            Standing::Finished { turn, text } => {
                // Said again in case a crash came before anybody heard; the same turn ends only once.
                out.push(Effect::Rest(Resting::Done { turn, result: text }));
                self.listen(Then::Rest, out)
            }
            Standing::Ask => self.listen(Then::Ask, out),
            Standing::Calls(calls) => self.take_up(calls, out),
        }
    }

    /// Goes on with calls that a crash or a stop left open. Only what can be repeated without harm runs again.
    fn take_up(&mut self, calls: Vec<ToolCall>, out: &mut Vec<Effect>) -> Phase {
        let (again, cut): (Vec<_>, Vec<_>) =
            calls
                .into_iter()
                .partition(|call| match self.classes.get(call.name.as_str()) {
                    Some(EffectClass::Reads | EffectClass::Team) => true,
                    Some(EffectClass::Writes | EffectClass::Executes) | None => false,
                });
        self.close(
            cut.into_iter()
                .map(|call| (call.id, interrupted()))
                .collect(),
            out,
        );
        self.act(Acting::of(again), out)
    }

    // ─── listening ───

    fn listen(&mut self, then: Then, out: &mut Vec<Effect>) -> Phase {
        self.rang = false;
        out.push(Effect::Listen);
        Phase::Listening(then)
    }

    fn hear(&mut self, then: Then, mail: Vec<Message>, out: &mut Vec<Effect>) -> Phase {
        let mut news: Vec<Message> = Vec::new();
        for message in mail {
            let is_known = self.conversation.has_heard(&message.id)
                || news.iter().any(|known| known.id == message.id);
            match message.to_incarnation {
                _ if is_known => {}
                Some(life) if life != self.incarnation => out.push(Effect::Note(format!(
                    "mail {} from {} was meant for incarnation {life} and is dropped",
                    message.id, message.from
                ))),
                Some(_) | None => news.push(message),
            }
        }
        let is_spoken_to = news.iter().any(Message::wants_answer);
        if !news.is_empty() {
            self.record(Entry::Heard(news), out);
        }
        out.push(Effect::Settle);
        match then {
            Then::Ask => self.ask(out),
            Then::Rest if is_spoken_to => {
                self.round = 0;
                self.cuts = 0;
                self.ask(out)
            }
            Then::Rest => self.settle_down(out),
            Then::Yield => self.rest(RestReason::Interrupted, out),
        }
    }

    // ─── the model ───

    fn ask(&mut self, out: &mut Vec<Effect>) -> Phase {
        if self.round >= self.limits.rounds_max {
            let what = format!(
                "stopped after {} model calls in one turn, the limit; say 'continue' to go on, or raise max_rounds",
                self.round
            );
            return self.rest(RestReason::Limit { what }, out);
        }
        self.round += 1;
        out.push(Effect::CallModel { round: self.round });
        Phase::Thinking
    }

    /// To be called when a request was built of all messages.
    pub fn was_sent(&mut self) {
        self.cached = self.conversation.messages().len();
    }

    fn answered(&mut self, reply: Reply, out: &mut Vec<Effect>) -> Phase {
        let turn = self.conversation.length();
        let (calls, stop, result) = (reply.calls(), reply.stop.clone(), reply.text());
        self.record(Entry::Answered(reply), out);
        self.cuts = if stop == Stop::MaxTokens {
            self.cuts + 1
        } else {
            0
        };
        if self.cuts > CUTS_MAX {
            self.close(
                calls.into_iter().map(|call| (call.id, cut())).collect(),
                out,
            );
            let what = "the answers kept reaching the output limit; raise max_tokens or ask for smaller steps";
            return self.rest(
                RestReason::Limit {
                    what: what.to_owned(),
                },
                out,
            );
        }
        match stop {
            Stop::MaxTokens if calls.is_empty() => {
                self.record(Entry::Prompted(CONTINUE.to_owned()), out);
                self.listen(Then::Ask, out)
            }
            Stop::MaxTokens => {
                self.close(
                    calls.into_iter().map(|call| (call.id, cut())).collect(),
                    out,
                );
                self.listen(Then::Ask, out)
            }
            _ if !calls.is_empty() => self.act(Acting::of(calls), out),
            Stop::Pause => self.listen(Then::Ask, out),
            Stop::Refusal => self.fail("the model declined to answer", out),
            Stop::ContextFull => self.fail(TOO_LONG, out),
            Stop::EndTurn | Stop::ToolUse | Stop::Other(_) => {
                out.push(Effect::Rest(Resting::Done { turn, result }));
                self.listen(Then::Rest, out)
            }
        }
    }

    fn model_failed(&mut self, failure: &ModelFailure, out: &mut Vec<Effect>) -> Phase {
        match failure.remedy {
            Remedy::Shorten => self.fail(&format!("{TOO_LONG} ({})", failure.what), out),
            Remedy::Retry { .. } | Remedy::Never => self.fail(&failure.what, out),
        }
    }

    fn fail(&mut self, what: &str, out: &mut Vec<Effect>) -> Phase {
        self.rest(
            RestReason::Failed {
                what: what.to_owned(),
            },
            out,
        )
    }

    // ─── tools ───

    /// Starts what can start; when everything is answered, the model's turn comes again.
    fn act(&mut self, mut acting: Acting, out: &mut Vec<Effect>) -> Phase {
        loop {
            if acting.is_running() {
                return Phase::Acting(acting);
            }
            self.close(acting.collect(), out);
            if !acting.start_next(&self.classes, out) {
                return self.listen(Then::Ask, out);
            }
        }
    }

    /// Records outcomes; none, none.
    fn close(&mut self, outcomes: Vec<(CallId, Outcome)>, out: &mut Vec<Effect>) {
        if !outcomes.is_empty() {
            self.record(Entry::Done(outcomes), out);
        }
    }

    // ─── endings ───

    fn rest(&mut self, why: RestReason, out: &mut Vec<Effect>) -> Phase {
        let turn = self.conversation.length();
        self.record(Entry::Rested(why.clone()), out);
        out.push(Effect::Rest(Resting::Cut { turn, why }));
        self.settle_down(out)
    }

    fn settle_down(&mut self, out: &mut Vec<Effect>) -> Phase {
        if self.rang {
            self.listen(Then::Rest, out)
        } else {
            Phase::Idle
        }
    }

    fn record(&mut self, entry: Entry, out: &mut Vec<Effect>) {
        self.conversation.push(&entry);
        out.push(Effect::Record(entry));
    }

    /// Who this is, for notices.
    pub fn sender(&self) -> Sender {
        Sender::Member(self.name.clone())
    }
}

const CONTINUE: &str = "Your answer was cut at the output limit. Go on exactly where it stopped.";
const TOO_LONG: &str = "the conversation no longer fits the model's context";

fn interrupted() -> Outcome {
    Outcome::error(
        "Interrupted: the program stopped before this call had an outcome. It may have done all, part or none of \
         its work; look before you do it again.",
    )
}

fn cut() -> Outcome {
    Outcome::error(
        "Not run: the answer was cut at the output limit before the call was complete. Make smaller calls.",
    )
}

fn retire(out: &mut Vec<Effect>) -> Phase {
    out.push(Effect::Retire);
    Phase::Retired
}

fn stray(input: &Input, out: &mut Vec<Effect>) {
    out.push(Effect::Note(format!(
        "ignored, it came too late: {}",
        input.word()
    )));
}

#[cfg(test)]
mod tests;
