//! Calls a model until it answers or retrying is pointless: the governor's pauses, the cache warm-up, and what
//! the screen hears meanwhile. Every answer of a model enters the program here, and leaves its secrets behind.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    event::EventKind,
    model::{ModelFailure, ModelRequest, Remedy, Reply},
    port::Model,
    team::{Command, WaitingOn},
};
use tokio::{sync::oneshot, time::Instant};

use self::progress::Progress;
use crate::{
    base::Base,
    cache_warmup::{CacheWarmup, PrefixKey},
    governor::Governor,
};

mod progress;

/// What all questions to models share.
pub(crate) struct ModelCaller {
    base: Arc<Base>,
    governor: Governor,
    cache_warmup: CacheWarmup,
}

impl ModelCaller {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        Self {
            governor: Governor::new(base.setup.config.retry),
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
    pub(crate) member: MemberName,
    pub(crate) incarnation: teammate_core::Incarnation,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) model_name: String,
    pub(crate) request: ModelRequest,
    /// A summary or a subagent's answer is not shown while it streams, and does not change a member's status.
    pub(crate) is_quiet: bool,
}

impl ModelCall {
    /// Asks, and again while that can help. In the answer each secret that the program holds is replaced by its name.
    pub(crate) async fn with_retries(self) -> Result<Reply, ModelFailure> {
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let permit = self
                .model_caller
                .governor
                .permit(self.model.rate_limit_key())
                .await;
            let failure = match self.try_once().await {
                Ok(mut reply) => {
                    permit.succeeded();
                    // A server may report another model name; the requested one has the price.
                    reply.model.clone_from(&self.model_name);
                    self.model_caller
                        .base
                        .setup
                        .secrets
                        .hide_in_reply(&mut reply);
                    return Ok(reply);
                }
                Err(failure) => self.model_caller.redacted(failure),
            };
            let Remedy::Retry { after } = failure.remedy else {
                permit.succeeded();
                return Err(failure);
            };
            let pause = permit.failed(after, self.random_unit());
            if begun.elapsed() + pause > self.model_caller.base.setup.config.retry.total {
                let what = format!("{} (gave up after {attempt} tries)", failure.what);
                return Err(ModelFailure {
                    what,
                    remedy: Remedy::Never,
                });
            }
            attempt += 1;
            self.wait(failure.what, pause, attempt).await;
        }
    }

    async fn wait(&self, why: String, pause: Duration, attempt: u32) {
        let after_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        self.model_caller.base.feed.emit(
            &self.member,
            EventKind::Retrying {
                why,
                after_ms,
                attempt,
            },
        );
        if self.is_quiet {
            return tokio::time::sleep(pause).await;
        }
        let (member, incarnation) = (self.member.clone(), self.incarnation);
        self.model_caller.base.record_status(Command::Wait {
            member,
            incarnation,
            on: WaitingOn::Model,
        });
        tokio::time::sleep(pause).await;
        let member = self.member.clone();
        self.model_caller.base.record_status(Command::StartTurn {
            member,
            incarnation,
        });
    }

    /// One request. If it is the one to warm the prefix, others are let through once the server begins to answer.
    async fn try_once(&self) -> Result<Reply, ModelFailure> {
        let key: PrefixKey = (
            self.model.rate_limit_key().to_owned(),
            self.model_name.clone(),
            Arc::as_ptr(&self.request.preamble) as usize,
        );
        let ahead = self.model_caller.cache_warmup.wait_or_lead(&key).await;
        let (started, begun) = oneshot::channel();
        let progress = Progress::new(self, started);
        let answer = self.model.answer(self.request.clone(), progress.sink());
        tokio::pin!(answer);
        let reply = match ahead {
            None => answer.await,
            Some(ahead) => tokio::select! {
                biased;
                reply = &mut answer => {
                    if reply.is_ok() {
                        ahead.started();
                    }
                    reply
                }
                // An error means that the answer ended without a part; then `answer` is ready.
                Ok(()) = begun => {
                    ahead.started();
                    answer.await
                }
            },
        };
        if reply.is_ok() {
            progress.finished();
        }
        reply
    }

    /// A random number in 0..1, from the random bits of a new id.
    fn random_unit(&self) -> f64 {
        let bits = self.model_caller.base.ports.ids.new_id().as_u128() as u32;
        f64::from(bits) / f64::from(u32::MAX)
    }
}
