//! Calls a model until it answers or retrying is pointless: the governor's pauses, the cache warm-up, and what
//! the screen hears meanwhile. Every answer of a model enters the program here, and leaves its secrets behind.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    event::EventKind,
    model::{ModelFailure, ModelRequest, Remedy, Reply},
    next_step::NextStep,
    port::Model,
    team::{Command, WaitingOn},
};
use tokio::{sync::oneshot, time::Instant};

use self::progress::AnswerProgress;
use crate::{
    base::{Base, Scene},
    cache_warmup::{CacheWarmup, PrefixKey},
    governor::{GaveUp, Governor, Permit, QueuePlace, Rank, UnansweredRequest},
    model_chain::{Candidate, ModelChain},
};

mod hooked;
mod progress;

pub(crate) use hooked::HookedCall;

/// The parts that all questions to models share.
pub(crate) struct ModelCaller {
    base: Arc<Base>,
    governor: Governor,
    cache_warmup: CacheWarmup,
}

impl ModelCaller {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        let others = base.deployment.governors();
        Self {
            governor: Governor::new(base.setup.config.retry, others),
            cache_warmup: CacheWarmup::default(),
            base,
        }
    }

    /// The failure without secrets: a server may quote what it was sent, and a wrong setting is quoted.
    pub(crate) fn redacted(&self, failure: ModelFailure) -> ModelFailure {
        ModelFailure {
            what: self.base.setup.secrets.redact(&failure.what).into_owned(),
            ..failure
        }
    }
}

/// One question of one member to its model.
pub(crate) struct ModelCall {
    pub(crate) model_caller: Arc<ModelCaller>,
    pub(crate) scene: Scene,
    pub(crate) chain: Arc<ModelChain>,
    /// The request; the chain fits it to each model.
    pub(crate) request: ModelRequest,
    pub(crate) purpose: Purpose,
}

/// The purpose of a request to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A member's turn.
    Turn,
    /// A summary of its conversation.
    Summary,
    /// The work of its subagent.
    Subagent,
}

impl Purpose {
    /// Whether the answer is not shown while it streams, and does not change the member's status.
    fn is_quiet(self) -> bool {
        match self {
            Self::Turn => false,
            Self::Summary | Self::Subagent => true,
        }
    }
}

impl ModelCall {
    /// Asks, and again while that can help; then the next model of the chain. In the answer each secret that the program holds is
    /// replaced by its name.
    pub(crate) async fn with_retries(self) -> Result<Reply, ModelFailure> {
        let model = || self.model_name();
        self.hooked().ask_hooks(model).await?;
        self.model_caller.base.until_may_ask().await;
        let begun = Instant::now();
        let answer = self.ask_chain().await;
        let end = answer.as_ref().map_err(|failure| &*failure.what);
        self.hooked().show_hooks(end, model, begun);
        answer
    }

    async fn ask_chain(&self) -> Result<Reply, ModelFailure> {
        let feed = &self.model_caller.base.feed;
        if let Some(left) = self.chain.go_back() {
            let (from, to) = (left.name.to_string(), self.chain.own().to_string());
            let why = "it is time to try the member's own model again".to_owned();
            feed.emit(
                &self.scene.member,
                EventKind::ModelChanged { from, to, why },
            );
        }
        let mut candidate = self.chain.current();
        loop {
            let failure = match self.ask_candidate(&candidate).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            match failure.remedy {
                // The next model might have room, but the member keeps its own: the conversation becomes shorter.
                Remedy::Shorten => return Err(failure),
                Remedy::Retry { .. } | Remedy::SlowDown { .. } | Remedy::Never => {}
            }
            let Some(next) = self.chain.fall_back(&candidate) else {
                return Err(failure);
            };
            let (from, to) = (candidate.name.to_string(), next.name.to_string());
            let why = failure.what;
            feed.emit(
                &self.scene.member,
                EventKind::ModelChanged { from, to, why },
            );
            candidate = next;
        }
    }

    /// Asks one model, and again while that can help.
    async fn ask_candidate(&self, candidate: &Candidate) -> Result<Reply, ModelFailure> {
        let model_caller = &self.model_caller;
        let model = candidate.model.as_ref();
        let model = model.map_err(|failure| model_caller.redacted(failure.clone()))?;
        self.chain.begin_request();
        let asking = ModelAsking {
            call: self,
            model: &**model,
            request: self.chain.fitted(self.request.clone(), candidate),
        };
        let key = model_caller.governor.server_key(model.rate_limit_key());
        let within = self.chain.time_to_next();
        let mut place = model_caller.governor.place(&key, self.rank(), within);
        let mut tries = 0;
        let first = place.permit().await;
        let mut permit = first.map_err(|end| self.gave_up(&end, tries))?;
        loop {
            tries += 1;
            let failure = match asking.try_once(&mut permit).await {
                Ok(mut reply) => {
                    permit.answered();
                    // A server may report another model name; the requested one has the price.
                    reply.model = candidate.name.to_string();
                    let asked = &asking.request;
                    reply.usage.estimate_missing(asked, &reply.blocks);
                    let continues = self.request.cached > 0;
                    self.chain.count_lost(&mut reply.usage, continues);
                    model_caller.base.setup.secrets.hide_in_reply(&mut reply);
                    return Ok(reply);
                }
                Err(failure) => model_caller.redacted(failure),
            };
            let chance = self.random_unit();
            let no_answer = |after| UnansweredRequest::new(&failure.what, after, chance);
            let pause = match failure.remedy {
                Remedy::Retry { after } => permit.failed(&mut place, &no_answer(after)),
                Remedy::SlowDown { after } => permit.refused(&mut place, &no_answer(after)),
                Remedy::Shorten | Remedy::Never => {
                    permit.answered();
                    return Err(failure);
                }
            };
            let again = match pause {
                Ok(pause) => {
                    self.say_retrying(failure.what, pause, tries + 1);
                    model_caller.base.until_goes_on().await;
                    self.wait(&mut place).await
                }
                Err(end) => Err(end),
            };
            permit = again.map_err(|end| self.gave_up(&end, tries))?;
        }
    }

    fn rank(&self) -> Rank {
        match self.scene.member.is_lead() {
            true => Rank::Lead,
            false => Rank::Teammate,
        }
    }

    fn say_retrying(&self, why: String, pause: Duration, attempt: u32) {
        let after_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        let event = EventKind::Retrying {
            why,
            after_ms,
            attempt,
        };
        self.model_caller.base.feed.emit(&self.scene.member, event);
    }

    /// Waits for the next try. Meanwhile the member's status says so.
    async fn wait<'a>(&self, place: &mut QueuePlace<'a>) -> Result<Permit<'a>, GaveUp> {
        if self.purpose.is_quiet() {
            return place.permit().await;
        }
        let base = &self.model_caller.base;
        base.record_status(Command::Wait {
            member: self.scene.member.clone(),
            incarnation: self.scene.incarnation,
            on: WaitingOn::Model,
        });
        let permit = place.permit().await;
        base.record_status(Command::StartTurn {
            member: self.scene.member.clone(),
            incarnation: self.scene.incarnation,
        });
        permit
    }

    /// Why there is no answer after so many tries, and what the user can do.
    fn gave_up(&self, end: &GaveUp, tries: u32) -> ModelFailure {
        let words = self.model_caller.base.setup.config.wording;
        let tries = match tries {
            0 => String::new(),
            1 => " after 1 try".to_owned(),
            many => format!(" after {many} tries"),
        };
        let what = format!(
            "{} (gave up{tries} in {}{}; the conversation is kept). You can {}.",
            end.why,
            span(end.within),
            if end.has_answered {
                ""
            } else {
                ", without one answer from this server"
            },
            words.words(&NextStep::WaitLongerForModel),
        );
        ModelFailure {
            what,
            remedy: Remedy::Never,
        }
    }

    /// A random number in 0..1, from the random bits of a new id.
    fn random_unit(&self) -> f64 {
        let bits = self.model_caller.base.ports.ids.new_id().as_u128() as u32;
        f64::from(bits) / f64::from(u32::MAX)
    }
}

/// A question as one model is asked it.
struct ModelAsking<'a> {
    call: &'a ModelCall,
    model: &'a dyn Model,
    request: ModelRequest,
}

impl ModelAsking<'_> {
    /// One request. If it is the one to warm the prefix, others are let through once the server begins to answer.
    async fn try_once(&self, permit: &mut Permit<'_>) -> Result<Reply, ModelFailure> {
        let preamble = &self.request.preamble;
        let is_own = preamble.common_tools == 0;
        let key: PrefixKey = (
            self.model.rate_limit_key().to_owned(),
            self.request.model.to_string(),
            is_own.then_some(Arc::as_ptr(preamble) as usize),
        );
        let mut ahead = self.call.model_caller.cache_warmup.wait_or_lead(&key).await;
        let (started, begun) = oneshot::channel();
        let progress = AnswerProgress::new(self.call, started);
        let answer = self.model.answer(self.request.clone(), progress.sink());
        tokio::pin!(answer);
        let reply = tokio::select! {
            biased;
            reply = &mut answer => reply,
            // An error means that the answer ended without a part; then `answer` is ready.
            Ok(()) = begun => {
                permit.accepted();
                if let Some(ahead) = ahead.take() {
                    ahead.started();
                }
                answer.await
            }
        };
        if let (Some(ahead), true) = (ahead, reply.is_ok()) {
            ahead.started();
        }
        if reply.is_ok() {
            progress.finished();
        }
        reply
    }
}

/// In seconds, or in minutes if there are some.
fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 120 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests;
