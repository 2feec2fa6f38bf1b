//! Who runs a team: workers that answer, or one process that has claimed it.
//!
//! Such a process answers who asks for it, so nobody needs a clock to see that it is gone. Its claim is an append under compare
//! besides: of two that claim at once one gets it, and who was cut off and replaced meanwhile reads of it and writes no record
//! more.

use std::{sync::Arc, time::Duration};

use async_nats::{HeaderMap, Request, RequestErrorKind};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{BoxFuture, FleetQuestion, HostError, LockHolder, Presence, TeamClaim},
};
use tokio::{task::AbortHandle, time::sleep};
use uuid::Uuid;

use crate::{
    append::{After, Append, AppendError},
    bell::Bell,
    fleet::{AskOutcome, Fleet, question},
    journal::NatsJournal,
    layout::TEAMS,
    parts::Parts,
    wire::WireFeed,
};

/// How long somebody who listens may take to answer.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How often a claim is tried against others that claim at the same time.
const CLAIMS_MAX: usize = 5;

/// The pause before the next try, and between two looks whether somebody left.
const AGAIN: Duration = Duration::from_millis(500);

/// Why a process that was replaced writes nothing more.
const REPLACED: &str = "this process was cut off from the servers, and another one runs the team since; nothing more is written here";

/// Who runs one team.
pub(crate) struct NatsPresence {
    pub(crate) parts: Parts,
    pub(crate) fleet: Fleet,
    pub(crate) journal: Arc<NatsJournal>,
    /// As whom this process asks.
    pub(crate) own: WorkerName,
}

/// What the process that runs the team says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    /// The machine, and what counts its processes.
    machine: String,
    pid: u32,
    since: Timestamp,
}

/// What came of asking for that process.
enum Host {
    There(LockHolder),
    Nobody,
}

impl NatsPresence {
    async fn host(&self) -> Host {
        let subject = self.parts.place.host_question(&self.own);
        let body = bytes::Bytes::from_static(b"{}");
        let wire = &self.fleet.wire;
        let request = Request::new()
            .headers(wire.sealed(&subject, &body))
            .payload(body)
            .timeout(Some(ANSWER_WAIT));
        match wire.client.send_request(subject, request).await {
            Ok(answer) => Host::There(holder(&answer.payload)),
            Err(error) => match error.kind() {
                RequestErrorKind::NoResponders => Host::Nobody,
                // It listens, and may be suspended.
                RequestErrorKind::TimedOut
                | RequestErrorKind::InvalidSubject
                | RequestErrorKind::MaxPayloadExceeded
                | RequestErrorKind::Other => Host::There(LockHolder::Unnamed),
            },
        }
    }

    /// How many of the workers that have joined are there. One that listens and does not answer may be suspended: it counts.
    async fn workers(&self) -> Result<usize, HostError> {
        let broken = |why: String| HostError::Broken(why.as_str().into());
        let joined = self.journal.workers().await;
        let joined = joined.map_err(|error| broken(error.to_string()))?;
        let ping = question(&FleetQuestion::Ping);
        let asking = joined
            .iter()
            .map(|worker| self.fleet.ask(&self.own, worker, ping.clone(), ANSWER_WAIT));
        let replies = join_all(asking).await;
        let there = replies
            .into_iter()
            .filter(|reply| !matches!(reply, AskOutcome::Nobody));
        Ok(there.count())
    }

    async fn holder_now(&self) -> Result<Option<LockHolder>, HostError> {
        if let Host::There(holder) = self.host().await {
            return Ok(Some(holder));
        }
        let count = self.workers().await?;
        Ok((count > 0).then_some(LockHolder::Workers { count }))
    }

    async fn claim_now(&self, now: Timestamp) -> Result<Box<dyn TeamClaim>, HostError> {
        let broken = |why: String| HostError::Broken(why.as_str().into());
        let named = Named {
            machine: machine(),
            pid: std::process::id(),
            since: now,
        };
        for _ in 0..CLAIMS_MAX {
            if let Some(holder) = self.holder_now().await? {
                return Err(HostError::Running(holder));
            }
            let subject = self.parts.place.claim();
            let last = self.parts.engine.last(&subject).await;
            let last = last.map_err(|error| broken(error.to_string()))?;
            // Who finds the claim finds somebody who listens, or nobody for certain.
            let listening = self.fleet.wire.listen(self.parts.place.host_questions());
            let asked = listening.await.map_err(broken)?;
            let append = Append {
                stream: TEAMS.to_owned(),
                subject: subject.clone(),
                id: Uuid::now_v7().to_string(),
                after: After::Last(last),
                headers: HeaderMap::new(),
                body: json(&named),
            };
            match self.parts.engine.append(&append).await {
                Ok(sequence) => return Ok(Box::new(self.held(&named, asked, sequence))),
                Err(AppendError::Conflict { .. }) => sleep(AGAIN).await,
                Err(error) => return Err(broken(error.to_string())),
            }
        }
        Err(HostError::Running(LockHolder::Unnamed))
    }

    /// Answers for the claim, and reads of the next one.
    fn held(&self, named: &Named, asked: WireFeed, sequence: u64) -> NatsClaim {
        let (engine, subject) = (self.parts.engine.clone(), self.parts.place.claim());
        let journal = self.journal.clone();
        let bell = Bell::start(engine.clone(), TEAMS.to_owned(), subject.clone(), None);
        let replaced = tokio::spawn(async move {
            loop {
                bell.rang(&subject).await;
                if engine
                    .last(&subject)
                    .await
                    .is_ok_and(|last| last > sequence)
                {
                    return journal.stop(REPLACED).await;
                }
            }
        });
        let answering = tokio::spawn(answer(asked, json(named)));
        NatsClaim([replaced.abort_handle(), answering.abort_handle()])
    }
}

async fn answer(mut asked: WireFeed, named: bytes::Bytes) {
    while let Some(question) = asked.next().await {
        question.answer(named.clone()).await;
    }
}

fn json(named: &Named) -> bytes::Bytes {
    let text = serde_json::to_vec(named);
    text.expect("texts and numbers are JSON").into()
}

/// Whom an answer names: its process can be looked at only on the same machine.
fn holder(answer: &[u8]) -> LockHolder {
    match serde_json::from_slice::<Named>(answer) {
        Ok(Named {
            machine: of,
            pid,
            since,
        }) if of == machine() => LockHolder::Process { pid, since },
        Ok(_) | Err(_) => LockHolder::Unnamed,
    }
}

/// Where numbers of processes mean the same: one life of a system, and one space of processes in it.
fn machine() -> String {
    let life = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", life.trim(), space.display())
}

/// The claim of this process, until it is dropped.
struct NatsClaim([AbortHandle; 2]);

impl TeamClaim for NatsClaim {}

impl Drop for NatsClaim {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}

impl Presence for NatsPresence {
    fn claim(&self, now: Timestamp) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        Box::pin(self.claim_now(now))
    }

    fn holder(&self) -> BoxFuture<'_, Result<Option<LockHolder>, HostError>> {
        Box::pin(self.holder_now())
    }

    /// A process that ends says nothing: who waits for it asks again.
    fn left(&self) -> BoxFuture<'_, ()> {
        Box::pin(sleep(AGAIN))
    }
}
