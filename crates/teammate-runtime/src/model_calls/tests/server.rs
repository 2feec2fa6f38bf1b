//! A model server on paused time: it goes away for a while, or refuses what is too much for it, and counts.

use std::{sync::Mutex, time::Duration};

use teammate_core::{
    block::Block,
    model::{ModelFailure, ModelRequest, Remedy, Reply, StopReason, StreamPart, Usage, Wire},
    port::{BoxFuture, Model, PartSink},
};
use tokio::time::Instant;

/// How long a refusal or an accepted connection takes to come back.
const ROUND_TRIP: Duration = Duration::from_millis(20);

/// When it does not answer.
pub(super) enum Trouble {
    /// Unreachable from one time after the start to another; what it is answering then breaks off.
    Away(Duration, Duration),
    /// 429 for each request beyond so many at a time.
    AtOnce(usize),
    /// 429 for each request beyond so many in a second; so many may come at once.
    InASecond { most: f64, says: SaysWhen },
    /// An error in return for whatever this asker sends.
    Always(&'static str),
}

/// Whether a server says when to come again.
#[derive(Debug, Clone, Copy)]
pub(super) enum SaysWhen {
    No,
    Exactly,
    /// In whole seconds, as most do.
    Seconds,
}

pub(super) struct Server {
    trouble: Trouble,
    /// How long an answer takes.
    latency: Duration,
    /// Whether nothing of an answer is seen before all of it.
    pub(super) is_silent: bool,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tally: Tally,
    in_flight: usize,
    /// What is left of the requests that may come now.
    tokens: f64,
    counted_at: Duration,
}

/// What has happened at the server.
#[derive(Default, Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) asked: usize,
    pub(super) refused: usize,
    pub(super) answered: usize,
    /// The most requests that it answered at a time.
    pub(super) at_once: usize,
}

impl Server {
    pub(super) fn new(trouble: Trouble, latency: Duration) -> Self {
        let tokens = match trouble {
            Trouble::InASecond { most, .. } => most,
            Trouble::Away(..) | Trouble::AtOnce(_) | Trouble::Always(_) => 0.0,
        };
        let state = State {
            tokens,
            ..State::default()
        };
        Self {
            trouble,
            latency,
            is_silent: false,
            began: Instant::now(),
            state: Mutex::new(state),
        }
    }

    pub(super) fn tally(&self) -> Tally {
        self.state.lock().unwrap().tally
    }

    async fn serve(&self, asker: &str, mut parts: PartSink) -> Result<Reply, ModelFailure> {
        self.state.lock().unwrap().tally.asked += 1;
        tokio::time::sleep(ROUND_TRIP).await;
        let _answering = self.admit(asker).inspect_err(|_| {
            self.state.lock().unwrap().tally.refused += 1;
        })?;
        if !self.is_silent {
            parts(StreamPart::Started);
        }
        tokio::select! {
            () = tokio::time::sleep(self.latency) => {}
            () = self.goes_away() => {
                self.state.lock().unwrap().tally.refused += 1;
                return Err(failure("broke the connection", Remedy::Retry { after: None }));
            }
        }
        self.state.lock().unwrap().tally.answered += 1;
        Ok(Reply {
            blocks: vec![Block::text("done")],
            stop: StopReason::EndTurn,
            usage: Usage::default(),
            model: "server:one".to_owned(),
            wire: Wire::Plain,
        })
    }

    fn admit(&self, asker: &str) -> Result<Answering<'_>, ModelFailure> {
        let now = self.began.elapsed();
        let mut state = self.state.lock().unwrap();
        match self.trouble {
            Trouble::Away(from, to) if (from..to).contains(&now) => {
                return Err(failure("cannot be reached", Remedy::Retry { after: None }));
            }
            Trouble::Always(who) if who == asker => {
                return Err(failure("answered 500", Remedy::Retry { after: None }));
            }
            Trouble::AtOnce(most) if state.in_flight >= most => {
                return Err(failure("answered 429", Remedy::SlowDown { after: None }));
            }
            Trouble::InASecond { most, says } => {
                let since = (now - state.counted_at).as_secs_f64();
                state.tokens = (state.tokens + since * most).min(most);
                state.counted_at = now;
                if state.tokens < 1.0 {
                    let wait = Duration::from_secs_f64((1.0 - state.tokens) / most);
                    let after = match says {
                        SaysWhen::No => None,
                        SaysWhen::Exactly => Some(wait),
                        SaysWhen::Seconds => Some(Duration::from_secs(wait.as_secs() + 1)),
                    };
                    return Err(failure("answered 429", Remedy::SlowDown { after }));
                }
                state.tokens -= 1.0;
            }
            Trouble::Away(..) | Trouble::Always(_) | Trouble::AtOnce(_) => {}
        }
        state.in_flight += 1;
        state.tally.at_once = state.tally.at_once.max(state.in_flight);
        Ok(Answering(self))
    }

    async fn goes_away(&self) {
        match self.trouble {
            Trouble::Away(from, _) if self.began.elapsed() < from => {
                tokio::time::sleep_until(self.began + from).await;
            }
            Trouble::Away(..)
            | Trouble::AtOnce(_)
            | Trouble::InASecond { .. }
            | Trouble::Always(_) => std::future::pending().await,
        }
    }
}

struct Answering<'a>(&'a Server);

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap().in_flight -= 1;
    }
}

fn failure(what: &str, remedy: Remedy) -> ModelFailure {
    let what = what.to_owned();
    ModelFailure { what, remedy }
}

impl Model for Server {
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(async move { self.serve(&request.asker, parts).await })
    }

    fn rate_limit_key(&self) -> &'static str {
        "server"
    }
}
