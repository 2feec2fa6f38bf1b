//! Stores of a process that dies at a record of the journal: once that is written, nothing that the process does takes effect.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use teammate_core::{
    MemberName, Message,
    port::{
        Batch, BatchId, BoxFuture, Durability, Journal, JournalError, JournalRead, MailError,
        Mailbox, OpenTranscript, Record, Transcript, TranscriptError, TranscriptStore,
    },
    transcript::Entry,
};
use tokio::sync::Notify;

/// The life of a process.
#[derive(Default)]
pub(crate) struct Life {
    /// How many records the journal has when it dies.
    pub(crate) until: Option<u64>,
    is_over: AtomicBool,
    over: Notify,
}

impl Life {
    pub(crate) fn until(until: Option<u64>) -> Arc<Self> {
        Arc::new(Self {
            until,
            ..Self::default()
        })
    }

    /// The journal has this many records, from any writer.
    pub(crate) fn has_grown(&self, length: u64) {
        if self.until.is_some_and(|until| length >= until) {
            self.end();
        }
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.over.notify_one();
    }

    /// Resolves when it is over.
    pub(crate) async fn over(&self) {
        self.over.notified().await;
    }

    /// The dead do nothing any more.
    async fn lives(&self) {
        if self.is_over.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
    }
}

/// A store in the hands of a process.
pub(crate) struct Mortal<T: ?Sized>(pub(crate) Arc<T>, pub(crate) Arc<Life>);

impl<T: ?Sized> Mortal<T> {
    /// What a process does, if it lives, and what it learns of that, if it still does.
    async fn does<V>(&self, work: impl Future<Output = V>) -> V {
        self.1.lives().await;
        let done = work.await;
        self.1.lives().await;
        done
    }
}

impl Journal for Mortal<dyn Journal> {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(self.does(async move {
            let number = record.number;
            let appended = self.0.append_record(record, durability).await;
            if appended.is_ok() {
                self.1.has_grown(number + 1);
            }
            appended
        }))
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(self.does(self.0.read(from)))
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.does(self.0.grew()))
    }
}

impl Mailbox for Mortal<dyn Mailbox> {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(self.does(self.0.send(message)))
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(self.does(self.0.take(owner)))
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(self.does(self.0.ack(owner, claim)))
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(self.does(self.0.peek(owner)))
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(self.does(self.0.rang(owner)))
    }
}

impl TranscriptStore for Mortal<dyn TranscriptStore> {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            let opened = self.does(self.0.open(owner)).await?;
            let log = Box::new(MortalLog(opened.log, self.1.clone()));
            Ok(OpenTranscript { log, ..opened })
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        self.0.peek(owner)
    }
}

struct MortalLog(Box<dyn Transcript>, Arc<Life>);

impl Transcript for MortalLog {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            self.1.lives().await;
            self.0.append(entry).await
        })
    }
}
