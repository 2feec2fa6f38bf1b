//! A claim that this process holds: it answers for the team, beats where no worker does, and looks out for the next claim.

use std::sync::Arc;

use bytes::Bytes;
use teammate_core::port::TeamClaim;
use tokio::task::AbortHandle;

use super::{NatsPresence, claim::Claim, listening::beat_alone};
use crate::{
    bell::Bell,
    journal::NatsJournal,
    listen::Subjects,
    parts::Parts,
    read::{MessageSpan, StreamReadError},
    wire::WireFeed,
};

/// Why a process that was replaced writes nothing more.
const REPLACED: &str = "this process was cut off from the servers, and another one runs the team since; nothing more is written here";

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
        let bell = Bell::of(Subjects {
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
    async fn read_on(&mut self, stream: &str, subject: &str) -> Result<bool, StreamReadError> {
        let through = self.parts.engine.last(subject).await?;
        let span = MessageSpan {
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
