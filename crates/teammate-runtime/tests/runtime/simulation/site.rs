//! Where a simulated team lives: in memory, or in files on a simulated disk. Every operation takes its time before and
//! after, so that a host can die in between.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName, Message,
    port::{
        Batch, BatchId, BoxFuture, Disk, Durability, Journal, JournalError, JournalRead, MailError,
        Mailbox, OpenTranscript, Record, Transcript, TranscriptError, TranscriptStore,
    },
    transcript::Entry,
};
use teammate_store::{
    clock::SystemClock,
    files::{FileJournal, FileMailbox, FileTranscripts, TeamDir},
    seal::HmacSeal,
};
use teammate_testkit::{
    memory::{MemoryJournal, MemoryMailbox, MemoryTranscripts},
    sim::SimDisk,
};

use crate::simulation::chance::Chance;

/// The stores of one team.
pub(crate) struct Site {
    disk: Option<SimDisk>,
    memory: Option<Arc<MemoryMailbox>>,
    journal: Arc<dyn Journal>,
    mailbox: Arc<dyn Mailbox>,
    transcripts: Arc<dyn TranscriptStore>,
}

impl Site {
    pub(crate) fn memory() -> Self {
        let mailbox = Arc::new(MemoryMailbox::default());
        Self {
            disk: None,
            memory: Some(mailbox.clone()),
            journal: Arc::new(MemoryJournal::default()),
            mailbox,
            transcripts: Arc::new(MemoryTranscripts::default()),
        }
    }

    /// One whose stores somebody else keeps.
    pub(crate) fn of(
        journal: Arc<dyn Journal>,
        mailbox: Arc<dyn Mailbox>,
        transcripts: Arc<dyn TranscriptStore>,
    ) -> Self {
        Self {
            disk: None,
            memory: None,
            journal,
            mailbox,
            transcripts,
        }
    }

    pub(crate) fn disk() -> Self {
        Self::on(SimDisk::new())
    }

    fn on(disk: SimDisk) -> Self {
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let dir = TeamDir::create(&*shared, "/team").unwrap();
        let clock = Arc::new(SystemClock);
        let seal = Arc::new(HmacSeal::new(&[7; 32]));
        let heads = Arc::default();
        Self {
            disk: Some(disk),
            memory: None,
            journal: Arc::new(FileJournal::new(
                shared.clone(),
                dir.clone(),
                seal.clone(),
                Arc::clone(&heads),
            )),
            mailbox: Arc::new(FileMailbox::new(
                shared.clone(),
                dir.clone(),
                clock,
                seal.clone(),
            )),
            transcripts: Arc::new(FileTranscripts::new(shared, dir, seal, heads)),
        }
    }

    /// The process dies here and now: what it still tries on the disk fails. Memory has no such moment; there the tasks
    /// just end. In neither does anything ring again for mail that came before.
    pub(crate) fn crash(&mut self) {
        if let Some(disk) = &self.disk {
            *self = Self::on(disk.restarted());
        } else if let Some(memory) = &self.memory {
            memory.lose_rings();
        }
    }

    pub(crate) fn mailbox(&self) -> &dyn Mailbox {
        &*self.mailbox
    }

    /// The same for those who outlive the borrow.
    pub(crate) fn journal_of_record(&self) -> Arc<dyn Journal> {
        self.journal.clone()
    }

    pub(crate) fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    pub(crate) fn transcripts(&self) -> &dyn TranscriptStore {
        &*self.transcripts
    }

    pub(crate) fn slow_journal(&self, chance: &Chance) -> Arc<dyn Journal> {
        slow(self.journal.clone(), chance)
    }

    pub(crate) fn slow_mailbox(&self, chance: &Chance) -> Arc<dyn Mailbox> {
        slow(self.mailbox.clone(), chance)
    }

    pub(crate) fn slow_transcripts(&self, chance: &Chance) -> Arc<dyn TranscriptStore> {
        slow(self.transcripts.clone(), chance)
    }
}

/// A store that takes its time.
struct Slow<T: ?Sized> {
    store: Arc<T>,
    chance: Chance,
}

fn slow<T: ?Sized>(store: Arc<T>, chance: &Chance) -> Arc<Slow<T>> {
    Arc::new(Slow {
        store,
        chance: chance.clone(),
    })
}

async fn slowly<T>(chance: &Chance, work: impl Future<Output = T>) -> T {
    pause(chance).await;
    let done = work.await;
    pause(chance).await;
    done
}

async fn pause(chance: &Chance) {
    match chance.below(4) {
        0 => tokio::time::sleep(Duration::from_millis(chance.between(1, 4))).await,
        1 => tokio::task::yield_now().await,
        _ => {}
    }
}

impl Journal for Slow<dyn Journal> {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let work = self.store.append_record(record, durability);
        Box::pin(slowly(&self.chance, work))
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(slowly(&self.chance, self.store.read(from)))
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        self.store.grew()
    }
}

impl Mailbox for Slow<dyn Mailbox> {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(slowly(&self.chance, self.store.send(message)))
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(slowly(&self.chance, self.store.take(owner)))
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(slowly(&self.chance, self.store.ack(owner, claim)))
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(slowly(&self.chance, self.store.peek(owner)))
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        self.store.rang(owner)
    }
}

impl TranscriptStore for Slow<dyn TranscriptStore> {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            let opened = slowly(&self.chance, self.store.open(owner)).await?;
            let log = Box::new(SlowLog {
                log: opened.log,
                chance: self.chance.clone(),
            });
            Ok(OpenTranscript { log, ..opened })
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        self.store.peek(owner)
    }
}

struct SlowLog {
    log: Box<dyn Transcript>,
    chance: Chance,
}

impl Transcript for SlowLog {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(slowly(&self.chance, self.log.append(entry)))
    }
}
