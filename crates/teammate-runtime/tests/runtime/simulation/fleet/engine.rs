//! The engine that several workers share: logs in memory that append under compare and know who appended. It stores nothing
//! while it elects a leader, and what is planted in it is wrong with it.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    MemberName, Message,
    name::WorkerName,
    port::{
        BoxFuture, Durability, Journal as _, JournalError, MailError, Mailbox as _, OpenTranscript,
        Record, TranscriptError, TranscriptStore,
    },
    request::RequestEvent,
    team::TeamEvent,
    transcript::Entry,
};
use teammate_testkit::memory::{MemoryJournal, MemoryMailbox};
use tokio::{sync::watch, time::Instant};

use super::{
    bells::Bells,
    life::Life,
    mishaps::{Mishap, Mishaps},
    planted::Planted,
    trace::Trace,
};
use crate::simulation::chance::Chance;

/// What a disk that acknowledges before it has synced loses at a power cut.
const UNSYNCED: Duration = Duration::from_secs(5);

/// Of so many requests one is lost on its way, and of as many answers one.
const LOST_OF: u64 = 800;

pub(crate) const UNKNOWN: &str = "the engine does not answer";

/// A line of a transcript, and which process wrote it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) entry: Entry,
    pub(crate) life: u64,
    pub(crate) written: Instant,
}

impl Line {
    pub(crate) fn by(life: &Life, entry: Entry) -> Self {
        Self {
            entry,
            life: life.number,
            written: Instant::now(),
        }
    }
}

/// Which process appended a record of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Writer {
    pub(crate) life: u64,
    pub(crate) worker: WorkerName,
    pub(crate) at: Instant,
    /// How far its clock was off, in milliseconds.
    pub(crate) clock_off: i64,
}

impl Writer {
    fn of(life: &Life) -> Self {
        Self {
            life: life.number,
            worker: life.worker.clone(),
            at: Instant::now(),
            clock_off: life.clock_off(),
        }
    }
}

/// The engine. Clones are the same.
#[derive(Clone)]
pub(crate) struct Engine(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) journal: Arc<MemoryJournal>,
    pub(crate) mailbox: Arc<MemoryMailbox>,
    transcripts: Mutex<BTreeMap<MemberName, Vec<Line>>>,
    /// Who appended each record.
    writers: Mutex<Vec<Writer>>,
    bells: Mutex<Vec<Weak<Bells>>>,
    elects: watch::Sender<bool>,
    is_calm: AtomicBool,
    /// Whether messages are lost and come late while nobody is cut off.
    is_lossy: bool,
    pub(crate) chance: Chance,
    pub(crate) planted: Option<Planted>,
    pub(crate) mishaps: Mishaps,
    pub(crate) trace: Trace,
}

impl std::ops::Deref for Engine {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Engine {
    pub(crate) fn new(chance: &Chance, planted: Option<Planted>, is_lossy: bool) -> Self {
        Self(Arc::new(Shared {
            journal: Arc::default(),
            mailbox: Arc::default(),
            transcripts: Mutex::default(),
            writers: Mutex::default(),
            bells: Mutex::default(),
            elects: watch::Sender::new(false),
            is_calm: AtomicBool::new(false),
            is_lossy,
            chance: chance.clone(),
            planted,
            mishaps: Mishaps::default(),
            trace: Trace::default(),
        }))
    }

    /// It stores nothing for so long.
    pub(crate) async fn elect(&self, lasts: Duration) {
        self.elects.send_replace(true);
        tokio::time::sleep(lasts).await;
        self.elects.send_replace(false);
    }

    /// The power of all its machines fails, and comes back after so long.
    pub(crate) async fn cut_power(&self, lasts: Duration) {
        if self.has(Planted::SyncsOff) {
            let mut transcripts = self.transcripts.lock().unwrap();
            for lines in transcripts.values_mut() {
                lines.retain(|line| line.written.elapsed() > UNSYNCED);
            }
        }
        self.elect(lasts).await;
    }

    /// Whether this is wrong with it.
    pub(crate) fn has(&self, planted: Planted) -> bool {
        self.planted == Some(planted)
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
        self.trace.note((life.number, life.begun.elapsed()));
        let there = async {
            life.reaches().await;
            self.stores().await;
            self.way().await;
        };
        life.within(there).await?;
        let fate = self.fate(LOST_OF);
        if fate == Some(0) || !life.is_reaching() {
            self.mishaps.count(Mishap::RequestLost);
            return life.within(std::future::pending()).await;
        }
        let done = work.await;
        self.way().await;
        // An answer that was lost is asked for again, by the operation's name.
        let answered = async {
            life.reaches().await;
            if fate == Some(1) {
                std::future::pending::<()>().await;
            }
        };
        let answered = life.within(answered).await;
        if answered.is_none() {
            self.mishaps.count(Mishap::AnswerLost);
        }
        answered.map(|()| done)
    }

    /// Resolves while it has a leader.
    pub(crate) async fn stores(&self) {
        let _ = self.elects.subscribe().wait_for(|elects| !elects).await;
    }

    /// From now on nothing is lost any more.
    pub(crate) fn calm(&self) {
        self.is_calm.store(true, Ordering::SeqCst);
    }

    /// One of so many fates of a message, while fate strikes.
    pub(crate) fn fate(&self, of: u64) -> Option<u64> {
        let strikes = self.is_lossy && !self.is_calm.load(Ordering::SeqCst);
        strikes.then(|| self.chance.below(of))
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

    /// How many lines all transcripts have.
    pub(crate) fn written(&self) -> usize {
        self.transcripts
            .lock()
            .unwrap()
            .values()
            .map(Vec::len)
            .sum()
    }

    /// Whose transcripts there are.
    pub(crate) fn members(&self) -> Vec<MemberName> {
        self.transcripts.lock().unwrap().keys().cloned().collect()
    }

    /// The lines of a member's transcript.
    pub(crate) fn lines(&self, member: &MemberName) -> Vec<Line> {
        let transcripts = self.transcripts.lock().unwrap();
        transcripts.get(member).cloned().unwrap_or_default()
    }

    /// Appends a record for a process where it believes the end of the journal to be.
    pub(crate) async fn append_record(
        &self,
        by: &Life,
        mut record: Record,
        durability: Durability,
    ) -> Result<(), JournalError> {
        if self.has(Planted::CompareLeftOut) {
            record.number = self.writers.lock().unwrap().len() as u64;
        }
        let expires = record.events.iter().any(is_expiry);
        let twice = (self.has(Planted::DeadlinesTwice) && expires).then(|| {
            let (number, at) = (record.number + 1, record.at);
            Record::of(number, at, record.events.clone())
        });
        self.journal.append_record(record, durability).await?;
        self.writers.lock().unwrap().push(Writer::of(by));
        if let Some(again) = twice {
            self.journal.append_record(again, durability).await?;
            self.writers.lock().unwrap().push(Writer::of(by));
        }
        self.journal_grew();
        Ok(())
    }

    /// Puts mail into its recipient's mailbox, perhaps twice under one id.
    pub(crate) async fn store_mail(&self, mail: &Message, times: u64) -> Result<(), MailError> {
        let rings_early = self.has(Planted::BellBeforeMail);
        if rings_early {
            self.mail_came(&mail.to);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for time in 0..times {
            if time > 0 {
                self.mishaps.count(Mishap::MailDoubled);
            }
            self.mailbox.send(mail.clone()).await?;
        }
        if !rings_early {
            self.mail_came(&mail.to);
        }
        match self.has(Planted::BusyIsRefusal) && self.chance.below(12) == 0 {
            // A failure would be tried again under the same id.
            true => Err(MailError::Locked {
                owner: mail.to.clone(),
            }),
            false => Ok(()),
        }
    }

    /// Who appended each record of the journal.
    pub(crate) fn writers(&self) -> Vec<Writer> {
        self.writers.lock().unwrap().clone()
    }

    /// Appends a line where the writer believes the end to be; `None` if it is not.
    pub(crate) fn append(&self, member: &MemberName, line: Line, expects: usize) -> Option<usize> {
        let mut transcripts = self.transcripts.lock().unwrap();
        let lines = transcripts.entry(member.clone()).or_default();
        let is_taken = matches!(line.entry, Entry::Taken { .. });
        let is_end = lines.len() == expects || self.has(Planted::TermsIgnored);
        if self.has(Planted::BusyIsConflict) && self.chance.below(12) == 0 {
            return None;
        }
        if is_end && !(is_taken && self.has(Planted::TakenLeftOut)) {
            lines.push(line);
        }
        is_end.then_some(lines.len())
    }
}

pub(crate) fn broken(owner: &MemberName) -> MailError {
    MailError::Broken {
        owner: owner.clone(),
        why: UNKNOWN.to_owned().into(),
    }
}

fn is_expiry(event: &TeamEvent) -> bool {
    let expired = RequestEvent::Expired;
    matches!(event, TeamEvent::Request { change, .. } if *change == expired)
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
