//! The presence of a team: workers, or one process that has claimed it alone.
//!
//! Either answers who asks for it, so nobody needs a clock to see that it is gone. Its claim is an append under compare besides: of two
//! that claim at once one gets it, and who was cut off and replaced meanwhile reads of it and writes no record more.

mod claim;
mod held;
mod listening;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use async_nats::{HeaderMap, Request, RequestErrorKind};
use bytes::Bytes;
use futures_util::future::join_all;
use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{BoxFuture, FleetQuestion, HostError, LockHolder, Presence, SeenPresence, TeamClaim},
};
use tokio::time::sleep;
use uuid::Uuid;

use self::{claim::Claim, held::HeldClaim, listening::PresenceBell};
use crate::{
    append::{Append, AppendAfter, AppendError},
    fleet::{AskOutcome, NatsFleet, question},
    journal::NatsJournal,
    parts::Parts,
};

/// How long somebody who listens may take to answer.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How often a claim is tried against others that claim at the same time.
const CLAIMS_MAX: usize = 4;

/// The pause before the next try, and between two looks whether somebody left.
const AGAIN: Duration = Duration::from_millis(250);

/// The presence of one team: who runs it.
pub(crate) struct NatsPresence {
    parts: Parts,
    fleet: NatsFleet,
    journal: Arc<NatsJournal>,
    /// As whom this process asks.
    own: WorkerName,
    bell: PresenceBell,
}

/// What comes of asking who runs the team.
enum HostAnswer {
    /// Somebody answers.
    By(LockHolder),
    /// Somebody listens, and may be suspended.
    Silence,
    /// Nobody listens.
    Nobody,
}

/// The answers of the workers that have joined.
#[derive(Default)]
struct Workers {
    /// How many there are.
    there: usize,
    /// The workers that did not answer.
    silent: BTreeSet<WorkerName>,
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives it")]
fn broken(why: impl ToString) -> HostError {
    HostError::Broken(why.to_string().as_str().into())
}

impl NatsPresence {
    pub(crate) fn new(
        parts: Parts,
        fleet: NatsFleet,
        journal: Arc<NatsJournal>,
        own: WorkerName,
    ) -> Self {
        Self {
            parts,
            fleet,
            journal,
            own,
            bell: PresenceBell::default(),
        }
    }

    async fn ask_host(&self) -> HostAnswer {
        let subject = self.parts.place.host_question(&self.own);
        let body = Bytes::from_static(b"{}");
        let wire = &self.fleet.wire;
        let request = Request::new()
            .headers(wire.sealed(&subject, &body))
            .payload(body)
            .timeout(Some(ANSWER_WAIT));
        match wire.client.send_request(subject, request).await {
            Ok(answer) => {
                let holder =
                    Claim::read(&answer.payload).map_or(LockHolder::Unnamed, Claim::holder);
                HostAnswer::By(holder)
            }
            Err(error) => match error.kind() {
                RequestErrorKind::NoResponders => HostAnswer::Nobody,
                RequestErrorKind::TimedOut
                | RequestErrorKind::InvalidSubject
                | RequestErrorKind::MaxPayloadExceeded
                | RequestErrorKind::Other => HostAnswer::Silence,
            },
        }
    }

    /// The answers of the workers that have joined.
    async fn workers(&self) -> Result<Workers, HostError> {
        let joined = self.journal.workers().await.map_err(broken)?;
        let ping = question(&FleetQuestion::Ping);
        let asking = joined
            .iter()
            .map(|worker| self.fleet.ask(&self.own, worker, ping.clone(), ANSWER_WAIT));
        let replies = join_all(asking).await;
        let mut found = Workers::default();
        for (worker, reply) in joined.into_iter().zip(replies) {
            match reply {
                AskOutcome::Answered(_) => found.there += 1,
                AskOutcome::Silent => {
                    found.there += 1;
                    found.silent.insert(worker);
                }
                AskOutcome::Nobody => {
                    found.silent.insert(worker);
                }
            }
        }
        Ok(found)
    }

    /// Who listens and does not answer may be suspended: it counts. Workers are known by their names; else it is a process that runs
    /// the team alone.
    async fn seen_now(&self) -> Result<SeenPresence, HostError> {
        let (at_least, otherwise) = match self.ask_host().await {
            HostAnswer::By(LockHolder::Workers { count }) => (count, None),
            HostAnswer::Silence => (0, Some(LockHolder::Unnamed)),
            HostAnswer::Nobody => (0, None),
            HostAnswer::By(alone @ (LockHolder::Process { .. } | LockHolder::Unnamed)) => {
                return Ok(SeenPresence {
                    holder: Some(alone),
                    silent: BTreeSet::new(),
                });
            }
        };
        let Workers { there, silent } = self.workers().await?;
        let count = there.max(at_least);
        let workers = (count > 0).then_some(LockHolder::Workers { count });
        Ok(SeenPresence {
            holder: workers.or(otherwise),
            silent,
        })
    }

    async fn holder_now(&self) -> Result<Option<LockHolder>, HostError> {
        Ok(self.seen_now().await?.holder)
    }

    async fn claim_as(&self, claim: &Claim) -> Result<Box<dyn TeamClaim>, HostError> {
        let mut holder = LockHolder::Unnamed;
        for _ in 0..CLAIMS_MAX {
            match self.holder_now().await? {
                Some(there) if !claim.goes_with(there) => match there {
                    // It may claim at this moment, and answers once it has done so.
                    LockHolder::Unnamed => holder = there,
                    LockHolder::Process { .. } | LockHolder::Workers { .. } => {
                        return Err(HostError::Running(there));
                    }
                },
                Some(_) | None => {
                    if let Some(held) = self.try_claim(claim).await? {
                        return Ok(Box::new(held));
                    }
                }
            }
            sleep(AGAIN).await;
        }
        Err(HostError::Running(holder))
    }

    /// One try; `None` if another one was faster.
    async fn try_claim(&self, claim: &Claim) -> Result<Option<HeldClaim>, HostError> {
        let subject = self.parts.place.claim();
        let last = self.parts.engine.last(&subject).await.map_err(broken)?;
        // Who finds the claim finds somebody who listens, or nobody for certain.
        let listening = self.fleet.wire.listen(self.parts.place.host_questions());
        let asked = listening.await.map_err(broken)?;
        let append = Append {
            stream: self.parts.place.partition.log(),
            subject,
            id: Uuid::now_v7().to_string(),
            after: AppendAfter::Last(last),
            headers: HeaderMap::new(),
            body: claim.json(),
        };
        match self.parts.engine.append(&append).await {
            Ok(sequence) => {
                let held = HeldClaim::begin(self, claim, (asked, sequence));
                Ok(Some(held))
            }
            Err(AppendError::Conflict { .. }) => Ok(None),
            Err(error) => Err(broken(error)),
        }
    }
}

impl Presence for NatsPresence {
    fn claim(&self, now: Timestamp) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        Box::pin(async move { self.claim_as(&Claim::of_this_process(now)).await })
    }

    fn join(&self) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        Box::pin(async move { self.claim_as(&Claim::Worker(self.own.clone())).await })
    }

    fn holder(&self) -> BoxFuture<'_, Result<Option<LockHolder>, HostError>> {
        Box::pin(self.holder_now())
    }

    fn seen(&self) -> BoxFuture<'_, Result<SeenPresence, HostError>> {
        Box::pin(self.seen_now())
    }

    fn changed(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.bell.rang(&self.fleet))
    }

    /// A process that ends says nothing: who waits for it asks again.
    fn left(&self) -> BoxFuture<'_, ()> {
        Box::pin(sleep(AGAIN))
    }
}
