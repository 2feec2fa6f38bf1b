//! What a process has of the store while something is wrong with it: it is paused in the middle of an append, so what it writes to
//! transcripts, or mails, waits until it wakes up; or the store does not answer some of what it asks.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use teammate_core::{
    MemberName, Message,
    port::{
        Batch, BatchId, BoxFuture, Durability, Journal, JournalError, JournalRead, MailError,
        Mailbox, OpenTranscript, Record, Transcript, TranscriptError, TranscriptStore,
    },
    team::TeamEvent,
    transcript::Entry,
};
use tokio::sync::watch;

/// Says which events are not taken.
pub(crate) type IsRefused = fn(&TeamEvent) -> bool;

/// What of the process is paused, or is not answered.
#[derive(Clone)]
pub(crate) struct Stall {
    transcripts: Arc<watch::Sender<bool>>,
    mail: Arc<watch::Sender<bool>>,
    /// Whether transcripts can be opened.
    is_unreadable: Arc<AtomicBool>,
    /// What the journal does not take.
    refuses: Arc<Mutex<Option<IsRefused>>>,
}

impl Default for Stall {
    fn default() -> Self {
        let [transcripts, mail] = [(); 2].map(|()| Arc::new(watch::Sender::new(false)));
        Self {
            transcripts,
            mail,
            is_unreadable: Arc::default(),
            refuses: Arc::default(),
        }
    }
}

impl Stall {
    pub(crate) fn set(&self, is_paused: bool) {
        self.transcripts.send_replace(is_paused);
    }

    pub(crate) fn set_mail(&self, is_paused: bool) {
        self.mail.send_replace(is_paused);
    }

    pub(crate) fn set_unreadable(&self, is_unreadable: bool) {
        self.is_unreadable.store(is_unreadable, Ordering::SeqCst);
    }

    /// The journal takes no record with such an event, or all again.
    pub(crate) fn refuse(&self, what: Option<IsRefused>) {
        *self.refuses.lock().unwrap() = what;
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
            if self.stall.is_unreadable.load(Ordering::SeqCst) {
                let (owner, why) = (owner.clone(), "no answer".into());
                return Err(TranscriptError::Broken { owner, why });
            }
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

impl<T: Journal> Journal for Stalling<T> {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let refuses = *self.stall.refuses.lock().unwrap();
        if refuses.is_some_and(|is_refused| record.events.iter().any(is_refused)) {
            let error = JournalError::Broken("no answer".into());
            return Box::pin(std::future::ready(Err(error)));
        }
        self.store.append_record(record, durability)
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        self.store.read(from)
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        self.store.grew()
    }
}
