//! Mailboxes on subjects: a sealed line a message, in the order in which the server stored them.
//!
//! Nothing is taken away. What was taken is settled by a mark, the number up to which mail is settled,
//! on a subject of its own. Mail that a crash kept from being marked comes again, and the transcript
//! knows its ids.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex as StdMutex},
};

use ring::digest::{SHA256, digest};
use teammate_core::{
    MemberName, Message,
    lock::Hold,
    port::{Batch, BatchId, BoxFuture, FileError, MailError, Mailbox, Seal},
};
use teammate_wire::{
    chain::{LineDigest, Log},
    hex, mail,
};
use tokio::sync::Mutex;

use crate::{
    append::{Append, AppendAfter, AppendError},
    bell::Bell,
    journal::NatsJournal,
    listen::Subjects,
    mail::{room::MailRoom, taking::MailTaking},
    parts::Parts,
    read::StreamReadError,
};

mod mark;
mod reading;
mod room;
mod taking;

/// Everybody's mailbox in one team.
pub(crate) struct NatsMail {
    parts: Parts,
    seal: Arc<dyn Seal>,
    journal: Arc<NatsJournal>,
    bell: Bell,
    boxes: StdMutex<HashMap<MemberName, Arc<MemberBox>>>,
}

/// One member's mailbox, as this process knows it.
#[derive(Default)]
struct MemberBox {
    /// As its owner.
    taking: Mutex<MailTaking>,
    /// As a sender.
    room: MailRoom,
}

impl NatsMail {
    pub(crate) fn new(parts: Parts, seal: Arc<dyn Seal>, journal: Arc<NatsJournal>) -> Self {
        let bell = Bell::of(Subjects {
            engine: parts.engine.clone(),
            stream: parts.place.partition.mail(),
            filter: parts.place.all_mail(),
        });
        Self {
            parts,
            seal,
            journal,
            bell,
            boxes: StdMutex::default(),
        }
    }

    fn of(&self, member: &MemberName) -> Arc<MemberBox> {
        let mut boxes = self.boxes.hold();
        boxes.entry(member.clone()).or_default().clone()
    }

    async fn send_now(&self, message: Message) -> Result<(), MailError> {
        let object = mail::object_within_limits(&message)?;
        let to = &message.to;
        let line = Log::inbox(self.seal.clone(), to).line(&object, LineDigest::NONE);
        let member = self.of(to);
        member.room.claim(self, to, line.len() as u64).await?;
        let packed = self
            .parts
            .pack(line)
            .await
            .map_err(|error| not_sent(to, error))?;
        let append = Append {
            stream: self.parts.place.partition.mail(),
            subject: self.parts.place.mail(to),
            id: self.id(&message),
            after: AppendAfter::Any,
            headers: packed.headers,
            body: packed.body,
        };
        let stored = self.parts.engine.append(&append).await;
        stored.map(|_| ()).map_err(|error| not_sent(to, error))
    }

    /// The id of a message to a member of this team; any id makes a header.
    fn id(&self, message: &Message) -> String {
        let whole = format!("{}\n{}\n{}", self.parts.place.team, message.to, message.id);
        hex::text(&digest(&SHA256, whole.as_bytes()).as_ref()[..16])
    }
}

fn broken(owner: &MemberName, why: FileError) -> MailError {
    MailError::Broken {
        owner: owner.clone(),
        why,
    }
}

fn unread(owner: &MemberName, error: &StreamReadError) -> MailError {
    broken(owner, error.to_string().into())
}

fn not_sent(to: &MemberName, error: AppendError) -> MailError {
    match error {
        AppendError::Unknown(why) => MailError::Unknown {
            to: to.clone(),
            why: why.into(),
        },
        other => broken(to, other.into()),
    }
}

impl Mailbox for NatsMail {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(self.send_now(message))
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(async move {
            let member = self.of(owner);
            let mut taking = member.taking.lock().await;
            taking.take(self, owner).await
        })
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let member = self.of(owner);
            let mut taking = member.taking.lock().await;
            let Some(through) = taking.settle(claim) else {
                return Ok(());
            };
            self.settle_through(owner, through).await
        })
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(async move { Ok(self.unread(owner).await?.0) })
    }

    fn end<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Option<u64>, MailError>> {
        Box::pin(async move {
            let last = self.parts.engine.last(&self.parts.place.mail(owner)).await;
            last.map(Some).map_err(|error| unread(owner, &error))
        })
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(async move { self.bell.rang(&self.parts.place.mail(owner)).await })
    }
}
