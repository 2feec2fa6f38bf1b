//! A claim to run a team: by one process alone, or by a worker beside others.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{LockHolder, TeamClaim},
};
use tokio::task::AbortHandle;

use super::{NatsPresence, listening::beat_alone};
use crate::{
    bell::Bell,
    journal::NatsJournal,
    listen::Source,
    parts::Parts,
    read::{ReadError, Span},
    wire::WireFeed,
};

/// Why a process that was replaced writes nothing more.
const REPLACED: &str = "this process was cut off from the servers, and another one runs the team since; nothing more is written here";

/// Who claims.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Claim {
    /// A process, for itself alone.
    Process {
        /// Where numbers of processes mean the same.
        machine: String,
        pid: u32,
        since: Timestamp,
    },
    /// A worker.
    Worker(WorkerName),
}

impl Claim {
    pub(super) fn of_this_process(now: Timestamp) -> Self {
        Self::Process {
            machine: machine(),
            pid: std::process::id(),
            since: now,
        }
    }

    /// `None` if it is none of this version.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    pub(super) fn json(&self) -> Bytes {
        let text = serde_json::to_vec(self);
        text.expect("texts and numbers are JSON").into()
    }

    /// Whom it names: a process can be looked at only on its own machine.
    pub(super) fn holder(self) -> LockHolder {
        match self {
            Self::Process {
                machine: of,
                pid,
                since,
            } if of == machine() => LockHolder::Process { pid, since },
            Self::Process { .. } => LockHolder::Unnamed,
            Self::Worker(_) => LockHolder::Workers { count: 1 },
        }
    }

    /// Whether both may run the team at once.
    pub(super) fn goes_with(&self, there: LockHolder) -> bool {
        matches!((self, there), (Self::Worker(_), LockHolder::Workers { .. }))
    }
}

/// One life of a system, and one space of processes in it.
fn machine() -> String {
    let life = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", life.trim(), space.display())
}

/// The claim of this process, until it is dropped: answered for, and watched for the next one.
pub(super) struct HeldClaim(Vec<AbortHandle>);

impl HeldClaim {
    pub(super) fn begin(
        presence: &NatsPresence,
        claim: &Claim,
        (asked, sequence): (WireFeed, u64),
    ) -> Self {
        let watch = Watch {
            parts: presence.parts.clone(),
            journal: presence.journal.clone(),
            claim: claim.clone(),
            sequence,
        };
        let mut tasks = vec![
            tokio::spawn(watch.until_replaced()).abort_handle(),
            tokio::spawn(answer(asked, claim.json())).abort_handle(),
        ];
        match claim {
            Claim::Process { .. } => {
                let (fleet, own) = (presence.fleet.clone(), presence.own.clone());
                let beating = beat_alone(fleet, own, claim.clone());
                tasks.push(tokio::spawn(beating).abort_handle());
            }
            // It beats for all of its teams.
            Claim::Worker(_) => {}
        }
        Self(tasks)
    }
}

impl TeamClaim for HeldClaim {}

impl Drop for HeldClaim {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}

async fn answer(mut asked: WireFeed, claim: Bytes) {
    while let Some(question) = asked.next().await {
        question.answer(claim.clone()).await;
    }
}

/// Reads later claims, and stops this process's records after one that does not go with its own.
struct Watch {
    parts: Parts,
    journal: Arc<NatsJournal>,
    claim: Claim,
    sequence: u64,
}

impl Watch {
    async fn until_replaced(mut self) {
        let (stream, subject) = (self.parts.place.partition.log(), self.parts.place.claim());
        let bell = Bell::of(Source {
            engine: self.parts.engine.clone(),
            stream: stream.clone(),
            filter: subject.clone(),
        });
        loop {
            bell.rang(&subject).await;
            if let Ok(true) = self.read_on(&stream, &subject).await {
                return self.journal.stop(REPLACED).await;
            }
        }
    }

    /// Reads the later claims; whether one replaces this one.
    async fn read_on(&mut self, stream: &str, subject: &str) -> Result<bool, ReadError> {
        let through = self.parts.engine.last(subject).await?;
        let span = Span {
            stream: stream.to_owned(),
            subject: subject.to_owned(),
            from: self.sequence + 1,
            through,
        };
        for later in self.parts.engine.read(span).await? {
            self.sequence = later.sequence;
            let goes_on = match Claim::read(&later.body) {
                Some(Claim::Worker(_)) => matches!(self.claim, Claim::Worker(_)),
                Some(Claim::Process { .. }) | None => false,
            };
            if !goes_on {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
