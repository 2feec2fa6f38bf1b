//! Asks a model until it answers or there is no point in asking: the governor's pauses, the prefix's warmth, and what
//! the screen hears meanwhile. Every answer of a model enters the program here, and leaves its secrets behind.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    event::What,
    model::{ModelFailure, Remedy, Reply, Request},
    port::Model,
    team::{Command, WaitingOn},
};
use tokio::{sync::oneshot, time::Instant};

use self::progress::Progress;
use crate::{
    base::Base,
    governor::Governor,
    warmth::{PrefixKey, Warmth},
};

mod progress;

/// What all questions to models share.
pub(crate) struct Asker {
    base: Arc<Base>,
    governor: Governor,
    warmth: Warmth,
}

impl Asker {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        Self {
            governor: Governor::new(base.setup.config.retry),
            warmth: Warmth::default(),
            base,
        }
    }

    /// The failure as it may be told: a server may quote what it was given, and a setting is quoted where it is wrong.
    pub(crate) fn tellable(&self, failure: ModelFailure) -> ModelFailure {
        ModelFailure {
            what: self.base.setup.secrets.hide(&failure.what).into_owned(),
            ..failure
        }
    }
}

/// One question of one member to its model.
pub(crate) struct Ask {
    pub(crate) asker: Arc<Asker>,
    pub(crate) member: MemberName,
    pub(crate) incarnation: teammate_core::Incarnation,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) model_name: String,
    pub(crate) request: Request,
    /// A summary or a subagent's answer is not shown while it streams, and changes nobody's status.
    pub(crate) is_quiet: bool,
}

impl Ask {
    /// Asks, and again while that can help. In the answer each secret that the program holds is replaced by its name.
    pub(crate) async fn run(self) -> Result<Reply, ModelFailure> {
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let permit = self.asker.governor.permit(self.model.shares()).await;
            let failure = match self.once().await {
                Ok(mut reply) => {
                    permit.succeeded();
                    // A server may answer under a name of its own; what was asked for has the price.
                    reply.model.clone_from(&self.model_name);
                    self.asker.base.setup.secrets.hide_in_reply(&mut reply);
                    return Ok(reply);
                }
                Err(failure) => self.asker.tellable(failure),
            };
            let Remedy::Retry { after } = failure.remedy else {
                permit.succeeded();
                return Err(failure);
            };
            let pause = permit.failed(after, self.chance());
            if begun.elapsed() + pause > self.asker.base.setup.config.retry.total {
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
        self.asker.base.feed.tell(
            &self.member,
            What::Retrying {
                why,
                after_ms,
                attempt,
            },
        );
        if self.is_quiet {
            return tokio::time::sleep(pause).await;
        }
        let (member, incarnation) = (self.member.clone(), self.incarnation);
        self.asker.base.status(Command::Wait {
            member,
            incarnation,
            on: WaitingOn::Model,
        });
        tokio::time::sleep(pause).await;
        let member = self.member.clone();
        self.asker.base.status(Command::Work {
            member,
            incarnation,
        });
    }

    /// One request. If it is the one to warm the prefix, others are let through once the server begins to answer.
    async fn once(&self) -> Result<Reply, ModelFailure> {
        let key: PrefixKey = (
            self.model.shares().to_owned(),
            self.model_name.clone(),
            Arc::as_ptr(&self.request.preamble) as usize,
        );
        let ahead = self.asker.warmth.enter(&key).await;
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
    fn chance(&self) -> f64 {
        let bits = self.asker.base.world.ids.new_id().as_u128() as u32;
        f64::from(bits) / f64::from(u32::MAX)
    }
}
