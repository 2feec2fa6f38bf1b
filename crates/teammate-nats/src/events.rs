//! What happened, for those who watch: kept for some days, proof of nothing, never waited for.

use bytes::Bytes;
use teammate_core::MemberName;

use crate::{
    engine::Engine,
    layout::NatsPlace,
    read::{ReadError, Span},
};

/// The events of one team.
#[derive(Clone)]
pub struct TeamEvents {
    pub(crate) engine: Engine,
    pub(crate) place: NatsPlace,
}

/// An event as it was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentEvent {
    /// Its place among the events of all teams of the partition.
    pub sequence: u64,
    /// The event's JSON.
    pub line: Bytes,
}

impl TeamEvents {
    /// Tells an event of a member, given as JSON. It may be lost, as all that nobody waits for.
    pub async fn publish(&self, member: &MemberName, line: String) {
        let subject = self.place.events(member);
        let _ = self.engine.client.publish(subject, line.into()).await;
    }

    /// A member's events from a place on, as far as they are kept.
    ///
    /// Errors: why they cannot be read, in words.
    pub async fn since(&self, member: &MemberName, from: u64) -> Result<Vec<SentEvent>, String> {
        let read = self.read(member, from).await;
        read.map_err(|error| error.to_string())
    }

    async fn read(&self, member: &MemberName, from: u64) -> Result<Vec<SentEvent>, ReadError> {
        let subject = self.place.events(member);
        let through = self.engine.last(&subject).await?;
        let span = Span {
            stream: self.place.partition.events(),
            subject,
            from,
            through,
        };
        let messages = self.engine.read(span).await?;
        let told = messages.into_iter().map(|message| SentEvent {
            sequence: message.sequence,
            line: message.body,
        });
        Ok(told.collect())
    }
}
