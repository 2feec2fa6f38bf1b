//! The engine as one process has it: every operation takes its way there and back, and may be lost on either.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName, Message,
    name::WorkerName,
    port::{
        Batch, BatchId, BoxFuture, Durability, FileError, Fleet, FleetAsked, FleetFeed,
        FleetQuestion, FleetReply, Journal, JournalError, JournalRead, MailError, Mailbox,
        OpenTranscript, Record, RecordWriter, Tail, Transcript, TranscriptError, TranscriptStore,
    },
    team::Beat,
    transcript::Entry,
};
use teammate_testkit::memory::MemoryWire;

use super::{
    bells::Bells,
    engine::{Engine, Line, UNKNOWN, broken},
    life::{Life, LifeFeed},
    mishaps::Mishap,
    planted::Planted,
};

/// What a process has of the engine and of the wire. Clones are the same.
#[derive(Clone)]
pub(crate) struct Access {
    engine: Engine,
    life: Life,
    bells: Arc<Bells>,
    wire: Arc<MemoryWire>,
    /// What its last beat said of its rest.
    rests: Arc<Mutex<Option<u64>>>,
}

/// Of so many writes one arrives late.
const LATE_OF: u64 = 400;

impl Access {
    pub(crate) fn new(engine: &Engine, life: &Life, wire: MemoryWire) -> Self {
        let bells = Arc::new(Bells::default());
        engine.listen(&bells);
        Self {
            engine: engine.clone(),
            life: life.clone(),
            bells,
            wire: Arc::new(wire),
            rests: Arc::default(),
        }
    }

    pub(crate) fn last_rest(&self) -> Option<u64> {
        *self.rests.lock().unwrap()
    }

    /// The cable is whole again: what came meanwhile is looked for.
    pub(crate) fn ring_all(&self) {
        self.bells.ring_all();
    }

    /// Carries a write out, perhaps after its process has given up.
    async fn write<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let engine = self.engine.clone();
        if engine.fate(LATE_OF) != Some(0) {
            return engine.serve(&self.life, work).await;
        }
        engine.mishaps.count(Mishap::Late);
        self.life.runs().await;
        let late = Duration::from_millis(engine.chance.below(30_000));
        drop(tokio::spawn(async move {
            tokio::time::sleep(late).await;
            engine.stores().await;
            work.await
        }));
        self.life.within(std::future::pending()).await
    }

    /// Resolves when a bell has rung that this process can hear.
    async fn rang_at(&self, bell: &tokio::sync::Notify) {
        loop {
            self.life.reaches().await;
            bell.notified().await;
            if self.life.is_reaching() {
                return;
            }
            bell.notify_one();
        }
    }
}

impl Journal for Access {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            let (engine, life) = (self.engine.clone(), self.life.clone());
            let work = async move {
                let stored = engine.append_record(&life, record, durability);
                stored.await
            };
            let done = self.write(work).await;
            done.unwrap_or_else(|| Err(JournalError::Broken(UNKNOWN.to_owned().into())))
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(async move {
            let work = self.engine.journal.read(from);
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(JournalError::Broken(UNKNOWN.to_owned().into())))
        })
    }

    fn writer(&self) -> RecordWriter {
        RecordWriter::Worker(self.life.worker.clone())
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.rang_at(&self.bells.journal))
    }
}

impl Mailbox for Access {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move {
            let to = message.to.clone();
            // It arrives twice, under one id, now and then.
            let times = 1 + u64::from(self.engine.chance.below(8) == 0);
            let engine = self.engine.clone();
            let work = async move { engine.store_mail(&message, times).await };
            let why = || UNKNOWN.to_owned().into();
            let done = self.write(work).await;
            done.unwrap_or_else(|| Err(MailError::Unknown { to, why: why() }))
        })
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        Box::pin(async move {
            let work = self.engine.mailbox.take(owner);
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(broken(owner)))
        })
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let work = async {
                if self.engine.has(Planted::SettleTakesAll) {
                    for batch in self.engine.mailbox.take(owner).await? {
                        self.engine.mailbox.ack(owner, batch.id).await?;
                    }
                }
                self.engine.mailbox.ack(owner, claim).await
            };
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(broken(owner)))
        })
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        Box::pin(async move {
            let work = self.engine.mailbox.peek(owner);
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(broken(owner)))
        })
    }

    fn end<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Option<u64>, MailError>> {
        Box::pin(async move {
            let work = self.engine.mailbox.end(owner);
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(broken(owner)))
        })
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        Box::pin(async move { self.rang_at(&self.bells.of(owner)).await })
    }
}

fn unread(owner: &MemberName) -> TranscriptError {
    TranscriptError::Broken {
        owner: owner.clone(),
        why: UNKNOWN.to_owned().into(),
    }
}

impl TranscriptStore for Access {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(async move {
            let work = async { self.engine.lines(owner) };
            let lines = self.engine.serve(&self.life, work).await;
            let mut lines = lines.ok_or_else(|| unread(owner))?;
            let length = lines.len();
            if self.engine.has(Planted::StaleReads) {
                lines.truncate(length - length.min(2));
            }
            let log = Log {
                access: self.clone(),
                owner: owner.clone(),
                length,
            };
            Ok(OpenTranscript {
                log: Box::new(log),
                entries: lines.into_iter().map(|line| line.entry).collect(),
                gaps: Vec::new(),
                repairs: Vec::new(),
                tail: Tail::Proven,
            })
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        Box::pin(async move {
            let work = self.engine.peek(owner);
            let done = self.engine.serve(&self.life, work).await;
            done.unwrap_or_else(|| Err(unread(owner)))
        })
    }
}

/// A transcript that is fenced by its end: of two writers the one that appends first goes on.
struct Log {
    access: Access,
    owner: MemberName,
    length: usize,
}

impl Transcript for Log {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        Box::pin(async move {
            let Access { engine, life, .. } = self.access.clone();
            let line = Line::by(&life, entry.clone());
            let (owner, expects) = (self.owner.clone(), self.length);
            let work = async move { engine.append(&owner, line, expects) };
            let done = self.access.write(work).await;
            let stored = done.ok_or_else(|| unread(&self.owner))?;
            let Some(length) = stored else {
                return Err(TranscriptError::Owned {
                    owner: self.owner.clone(),
                    by: "on another worker".to_owned(),
                });
            };
            self.length = length;
            Ok(())
        })
    }
}

impl Fleet for Access {
    fn beat<'a>(&'a self, beat: &'a Beat) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.life.runs().await;
            *self.rests.lock().unwrap() = beat.rests;
            self.wire.beat(beat).await;
        })
    }

    fn beats(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Beat>>, FileError>> {
        Box::pin(async move {
            let (life, feed) = (self.life.clone(), self.wire.beats().await?);
            Ok(Box::new(LifeFeed { life, feed }) as Box<dyn FleetFeed<Beat>>)
        })
    }

    fn ask<'a>(
        &'a self,
        worker: &'a WorkerName,
        question: &'a FleetQuestion,
        within: Duration,
    ) -> BoxFuture<'a, FleetReply> {
        Box::pin(async move {
            self.life.runs().await;
            let reply = self.wire.ask(worker, question, within).await;
            self.life.runs().await;
            reply
        })
    }

    fn asked(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<FleetAsked>>, FileError>> {
        Box::pin(async move {
            let (life, feed) = (self.life.clone(), self.wire.asked().await?);
            Ok(Box::new(LifeFeed { life, feed }) as Box<dyn FleetFeed<FleetAsked>>)
        })
    }
}
