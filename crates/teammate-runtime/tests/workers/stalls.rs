//! A process that is paused in the middle of an append: what it writes to transcripts, or mails, waits until it wakes up.

use std::sync::Arc;

use teammate_core::{
    MemberName, Message,
    port::{
        Batch, BatchId, BoxFuture, MailError, Mailbox, OpenTranscript, Transcript, TranscriptError,
        TranscriptStore,
    },
    transcript::Entry,
};
use tokio::sync::watch;

/// What of the process is paused.
#[derive(Clone)]
pub(crate) struct Stall {
    transcripts: Arc<watch::Sender<bool>>,
    mail: Arc<watch::Sender<bool>>,
}

impl Default for Stall {
    fn default() -> Self {
        let [transcripts, mail] = [(); 2].map(|()| Arc::new(watch::Sender::new(false)));
        Self { transcripts, mail }
    }
}

impl Stall {
    pub(crate) fn set(&self, is_paused: bool) {
        self.transcripts.send_replace(is_paused);
    }

    pub(crate) fn set_mail(&self, is_paused: bool) {
        self.mail.send_replace(is_paused);
    }

    async fn over(&self) {
        let _ = self
            .transcripts
            .subscribe()
            .wait_for(|paused| !paused)
            .await;
    }
}

/// Transcripts of a process that may be paused.
pub(crate) struct Stalling<T> {
    store: Arc<T>,
    stall: Stall,
}

impl<T> Stalling<T> {
    pub(crate) fn of(store: Arc<T>, stall: &Stall) -> Self {
        let stall = stall.clone();
        Self { store, stall }
    }
}

impl<T: TranscriptStore> TranscriptStore for Stalling<T> {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            self.stall.over().await;
            let opened = self.store.open(owner).await?;
            let log = StallingLog(opened.log, self.stall.clone());
            Ok(OpenTranscript {
                log: Box::new(log),
                ..opened
            })
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        self.store.peek(owner)
    }
}

struct StallingLog(Box<dyn Transcript>, Stall);

impl Transcript for StallingLog {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            self.1.over().await;
            self.0.append(entry).await
        })
    }
}

impl<T: Mailbox> Mailbox for Stalling<T> {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move {
            let _ = self.stall.mail.subscribe().wait_for(|paused| !paused).await;
            self.store.send(message).await
        })
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        self.store.take(owner)
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        self.store.ack(owner, claim)
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        self.store.peek(owner)
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        self.store.rang(owner)
    }

    fn end<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Option<u64>, MailError>> {
        self.store.end(owner)
    }
}
