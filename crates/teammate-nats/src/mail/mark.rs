//! The mark up to which a member's mail is settled: the last line of its subject.

use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use teammate_core::{MemberName, port::MailError};
use teammate_wire::chain::{LineDigest, Log};
use uuid::Uuid;

use super::{NatsMail, broken, unread};
use crate::{
    append::{Append, AppendAfter},
    read::{MessageSpan, StreamReadError},
};

#[derive(Serialize, Deserialize)]
struct Mark {
    /// The sequence of the last settled message.
    settled: u64,
}

impl NatsMail {
    /// Settles all mail up to this message.
    pub(crate) async fn settle_through(
        &self,
        owner: &MemberName,
        through: u64,
    ) -> Result<(), MailError> {
        let object = serde_json::to_string(&Mark { settled: through }).expect("a number is JSON");
        let line = Log::settled(self.seal.clone(), owner).line(&object, LineDigest::NONE);
        let append = Append {
            stream: self.parts.place.partition.mail(),
            subject: self.parts.place.settled(owner),
            id: Uuid::now_v7().to_string(),
            after: AppendAfter::Any,
            headers: HeaderMap::new(),
            body: line.into(),
        };
        let stored = self.parts.engine.append(&append).await;
        stored
            .map(|_| ())
            .map_err(|error| broken(owner, error.into()))
    }

    /// The sequence up to which mail is settled. A mark that nothing proves settles nothing: the mail comes again.
    pub(super) async fn mark(&self, owner: &MemberName) -> Result<u64, MailError> {
        let read = self.mark_checked(owner).await;
        read.map_err(|error| unread(owner, &error))
    }

    async fn mark_checked(&self, owner: &MemberName) -> Result<u64, StreamReadError> {
        let engine = &self.parts.engine;
        let subject = self.parts.place.settled(owner);
        let last = engine.last(&subject).await?;
        let span = MessageSpan {
            stream: self.parts.place.partition.mail(),
            subject,
            from: last,
            through: last,
        };
        let Some(message) = engine.read(span).await?.pop() else {
            return Ok(0);
        };
        let log = Log::settled(self.seal.clone(), owner);
        let proven = log.opened(&message.body);
        let mark = proven.and_then(|_| serde_json::from_slice::<Mark>(&message.body).ok());
        Ok(mark.map_or(0, |mark| mark.settled))
    }
}
