//! A journal and a mailbox that fail on demand.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    MemberName, Message,
    port::{
        Batch, BatchId, BoxFuture, Durability, Journal, JournalError, JournalRead, MailError,
        Mailbox, Record,
    },
};
use teammate_testkit::memory::{MemoryJournal, MemoryMailbox};

/// What fails just now.
#[derive(Default)]
pub(crate) struct Fails {
    pub(crate) journal: AtomicBool,
    pub(crate) mailbox: AtomicBool,
    /// Whether the next teammate that looks into its mailbox cannot.
    pub(crate) next_look: AtomicBool,
    /// Whether a teammate that looks into its mailbox meets a bug.
    pub(crate) teammates: AtomicBool,
    /// Whether writing takes a moment before and after, so that a host can die on either side.
    pub(crate) is_slow: AtomicBool,
}

pub(super) struct Failing<T>(pub(super) T, pub(super) Arc<Fails>);

impl<T> Failing<T> {
    /// What is written, after a moment and before another.
    fn paced<'a, R: Send + 'a>(&'a self, writing: BoxFuture<'a, R>) -> BoxFuture<'a, R> {
        if !self.1.is_slow.load(Ordering::SeqCst) {
            return writing;
        }
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let written = writing.await;
            tokio::time::sleep(Duration::from_millis(1)).await;
            written
        })
    }

    fn journal_fails(&self) -> bool {
        self.1.journal.load(Ordering::SeqCst)
    }
}

impl Journal for Failing<MemoryJournal> {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        if self.journal_fails() {
            let error = JournalError::Broken("no space left on device".into());
            return Box::pin(std::future::ready(Err(error)));
        }
        self.paced(self.0.append_record(record, durability))
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        self.0.read(from)
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        self.0.grew()
    }
}

impl Mailbox for Failing<MemoryMailbox> {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        if self.1.mailbox.load(Ordering::SeqCst) {
            let owner = message.to;
            return Box::pin(std::future::ready(Err(MailError::Locked { owner })));
        }
        self.paced(self.0.send(message))
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        let is_bug = !owner.is_lead() && self.1.teammates.load(Ordering::SeqCst);
        assert!(!is_bug, "a planted bug");
        if !owner.is_lead() && self.1.next_look.swap(false, Ordering::SeqCst) {
            let owner = owner.clone();
            return Box::pin(std::future::ready(Err(MailError::Locked { owner })));
        }
        self.0.take(owner)
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        self.0.ack(owner, claim)
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        self.0.peek(owner)
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        self.0.rang(owner)
    }
}
