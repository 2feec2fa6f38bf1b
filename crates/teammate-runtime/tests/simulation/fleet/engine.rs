//! The engine that several workers share: logs in memory that append under compare and know who appended. It stores nothing
//! while it elects a leader, and what is planted in it is wrong with it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{BoxFuture, OpenTranscript, TranscriptError, TranscriptStore},
    transcript::Entry,
};
use teammate_testkit::memory::{MemoryJournal, MemoryMailbox};
use tokio::sync::{Notify, watch};

use super::life::Life;
use crate::chance::Chance;

/// What is wrong with the engine on purpose, to see that it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Take-overs are acknowledged and not stored.
    TakenLeftOut,
    /// A holder of an older term appends as well as the newest.
    TermsIgnored,
    /// An engine that is busy has decided against the writer.
    BusyIsConflict,
    /// Settling mail takes what nobody has seen, too.
    SettleTakesAll,
}

/// A line of a transcript, and which process wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) entry: Entry,
    pub(crate) life: u64,
}

/// The engine. Clones are the same.
#[derive(Clone)]
pub(crate) struct Engine(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) mailbox: Arc<MemoryMailbox>,
    transcripts: Mutex<BTreeMap<MemberName, Vec<Line>>>,
    bells: Mutex<Vec<Weak<Bells>>>,
    elects: watch::Sender<bool>,
    pub(crate) chance: Chance,
    pub(crate) planted: Option<Planted>,
}

/// The doorbells of one process.
#[derive(Default)]
pub(crate) struct Bells {
    pub(crate) journal: Notify,
    mail: Mutex<BTreeMap<MemberName, Arc<Notify>>>,
}

impl Bells {
    pub(crate) fn of(&self, member: &MemberName) -> Arc<Notify> {
        let mut mail = self.mail.lock().unwrap();
        mail.entry(member.clone()).or_default().clone()
    }

    /// After a time in which nothing was heard.
    pub(crate) fn ring_all(&self) {
        self.journal.notify_one();
        let mail = self.mail.lock().unwrap();
        mail.values().for_each(|bell| bell.notify_one());
    }
}

impl std::ops::Deref for Engine {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Engine {
    pub(crate) fn new(chance: &Chance, planted: Option<Planted>) -> Self {
        Self(Arc::new(Shared {
            journal: Arc::default(),
            mailbox: Arc::default(),
            transcripts: Mutex::default(),
            bells: Mutex::default(),
            elects: watch::Sender::new(false),
            chance: chance.clone(),
            planted,
        }))
    }

    pub(crate) fn elect(&self, elects: bool) {
        self.elects.send_replace(elects);
    }

    pub(crate) fn listen(&self, bells: &Arc<Bells>) {
        self.bells.lock().unwrap().push(Arc::downgrade(bells));
    }

    pub(crate) fn journal_grew(&self) {
        for bells in self.listeners() {
            bells.journal.notify_one();
        }
    }

    pub(crate) fn mail_came(&self, member: &MemberName) {
        for bells in self.listeners() {
            bells.of(member).notify_one();
        }
    }

    fn listeners(&self) -> Vec<Arc<Bells>> {
        let mut all = self.bells.lock().unwrap();
        all.retain(|bells| bells.strong_count() > 0);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    /// Carries out an operation of a process, as far as it arrives; `None` if the process has no answer: it may have been carried
    /// out or not.
    pub(crate) async fn serve<T>(&self, life: &Life, work: impl Future<Output = T>) -> Option<T> {
        life.runs().await;
        let there = async {
            life.reaches().await;
            let _ = self.elects.subscribe().wait_for(|elects| !elects).await;
            self.way().await;
        };
        life.within(there).await?;
        if life.is_reaching() {
            let done = work.await;
            self.way().await;
            // An answer that was lost is asked for again, by the operation's name.
            life.within(life.reaches()).await?;
            return Some(done);
        }
        life.within(std::future::pending()).await
    }

    /// What a message takes on its way.
    async fn way(&self) {
        let most = match self.chance.below(20) {
            0 => 300,
            1..=6 => 4,
            _ => return tokio::task::yield_now().await,
        };
        tokio::time::sleep(Duration::from_millis(self.chance.below(most))).await;
    }

    /// The lines of a member's transcript.
    pub(crate) fn lines(&self, member: &MemberName) -> Vec<Line> {
        let transcripts = self.transcripts.lock().unwrap();
        transcripts.get(member).cloned().unwrap_or_default()
    }

    /// Appends a line where the writer believes the end to be; `None` if it is not.
    pub(crate) fn append(&self, member: &MemberName, line: Line, expects: usize) -> Option<usize> {
        let mut transcripts = self.transcripts.lock().unwrap();
        let lines = transcripts.entry(member.clone()).or_default();
        let is_taken = matches!(line.entry, Entry::Taken { .. });
        let is_end = lines.len() == expects || self.planted == Some(Planted::TermsIgnored);
        if self.planted == Some(Planted::BusyIsConflict) && self.chance.below(60) == 0 {
            return None;
        }
        if is_end && !(is_taken && self.planted == Some(Planted::TakenLeftOut)) {
            lines.push(line);
        }
        is_end.then_some(lines.len())
    }
}

/// The transcripts as they are, for who judges.
impl TranscriptStore for Engine {
    fn open<'a>(
        &'a self,
        _: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        unreachable!("who judges only reads")
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        let lines = self.lines(owner).into_iter();
        let entries = lines.map(|line| line.entry).collect();
        Box::pin(std::future::ready(Ok(entries)))
    }
}
