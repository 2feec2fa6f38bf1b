//! Mailboxes in memory.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName, Message,
    mail::{CONTENT_BYTES_MAX, INBOX_BYTES_MAX},
    port::{Batch, BatchId, BoxFuture, MailError, Mailbox},
};
use tokio::sync::Notify;

use crate::locked;

/// Mailboxes that live as long as the value.
#[derive(Debug, Default)]
pub struct MemoryMailbox(Mutex<BTreeMap<MemberName, MemberBox>>);

#[derive(Debug, Default)]
struct MemberBox {
    waiting: Vec<Message>,
    bytes: u64,
    claims: Vec<Batch>,
    claimed: u64,
    /// How many were ever put.
    arrived: u64,
    bell: Arc<Notify>,
}

impl MemoryMailbox {
    fn with<T>(&self, owner: &MemberName, look: impl FnOnce(&mut MemberBox) -> T) -> T {
        look(locked(&self.0).entry(owner.clone()).or_default())
    }

    /// The process ends, and another one goes on with the mail: nothing rings there for what came before.
    pub fn lose_rings(&self) {
        for member in locked(&self.0).values_mut() {
            member.bell = Arc::default();
        }
    }

    /// The member's mail is gone.
    pub(super) fn forget(&self, owner: &MemberName) {
        self.with(owner, |member| {
            member.claim();
            member.claims.clear();
        });
    }
}

impl MemberBox {
    fn put(&mut self, message: Message) -> Result<(), MailError> {
        let bytes = message.content.len();
        if bytes > CONTENT_BYTES_MAX {
            let max = CONTENT_BYTES_MAX;
            return Err(MailError::TooLarge { bytes, max });
        }
        let bytes = bytes + message.metadata.attachments.base64_bytes();
        if self.bytes + bytes as u64 > INBOX_BYTES_MAX {
            return Err(MailError::Full {
                to: message.to,
                bytes: self.bytes,
            });
        }
        self.bytes += bytes as u64;
        self.waiting.push(message);
        self.arrived += 1;
        self.bell.notify_one();
        Ok(())
    }

    fn claim(&mut self) -> Vec<Batch> {
        if !self.waiting.is_empty() {
            self.claimed += 1;
            self.bytes = 0;
            self.claims.push(Batch {
                id: BatchId(self.claimed),
                messages: mem::take(&mut self.waiting),
                damaged: Vec::new(),
                unsealed: Vec::new(),
                gaps: Vec::new(),
            });
        }
        self.claims.clone()
    }

    fn peek(&self) -> Vec<Message> {
        let claimed = self.claims.iter().flat_map(|claim| &claim.messages);
        claimed.chain(&self.waiting).cloned().collect()
    }
}

impl Mailbox for MemoryMailbox {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move { self.with(&message.to.clone(), |member| member.put(message)) })
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(async move { Ok(self.with(owner, MemberBox::claim)) })
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            self.with(owner, |member| {
                member.claims.retain(|open| open.id != claim);
            });
            Ok(())
        })
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(async move { Ok(self.with(owner, |member| member.peek())) })
    }

    fn end<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Option<u64>, MailError>> {
        Box::pin(async move { Ok(Some(self.with(owner, |member| member.arrived))) })
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let bell = self.with(owner, |member| member.bell.clone());
            bell.notified().await;
        })
    }
}
