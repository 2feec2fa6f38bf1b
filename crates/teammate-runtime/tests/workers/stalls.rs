//! A process that is paused in the middle of an append: what it writes to transcripts waits until it wakes up.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{BoxFuture, OpenTranscript, Transcript, TranscriptError, TranscriptStore},
    transcript::Entry,
};
use tokio::sync::watch;

/// Whether the process is paused.
#[derive(Clone)]
pub(crate) struct Stall(Arc<watch::Sender<bool>>);

impl Default for Stall {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stall {
    pub(crate) fn set(&self, is_paused: bool) {
        self.0.send_replace(is_paused);
    }

    async fn over(&self) {
        let _ = self.0.subscribe().wait_for(|paused| !paused).await;
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
