//! The engine as one process has it: every operation takes its way there and back, and may be lost on either.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName, Message,
    name::WorkerName,
    port::{
        Batch, BatchId, BoxFuture, Durability, FileError, Fleet, FleetAsked, FleetFeed,
        FleetQuestion, FleetReply, Journal, JournalError, JournalRead, MailError, Mailbox,
        OpenTranscript, Record, Tail, Transcript, TranscriptError, TranscriptStore,
    },
    team::Beat,
    transcript::Entry,
};
use teammate_testkit::memory::MemoryWire;

use super::{
    engine::{Bells, Engine, Line, Planted},
    life::{Life, LifeFeed},
};

/// What a process has of the engine and of the wire. Clones are the same.
#[derive(Clone)]
pub(crate) struct Access {
    engine: Engine,
    life: Life,
    bells: Arc<Bells>,
    wire: Arc<MemoryWire>,
}

const UNKNOWN: &str = "the engine does not answer";

impl Access {
    pub(crate) fn new(engine: &Engine, life: &Life, wire: MemoryWire) -> Self {
        let bells = Arc::new(Bells::default());
        engine.listen(&bells);
        Self {
            engine: engine.clone(),
            life: life.clone(),
            bells,
            wire: Arc::new(wire),
        }
    }

    /// The cable is whole again: what came meanwhile is looked for.
    pub(crate) fn ring_all(&self) {
        self.bells.ring_all();
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
            let work = async {
                let stored = self.engine.journal.append_record(record, durability);
                let stored = stored.await;
                self.engine.journal_grew();
                stored
            };
            let done = self.engine.serve(&self.life, work).await;
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

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.rang_at(&self.bells.journal))
    }
}

fn broken(owner: &MemberName) -> MailError {
    MailError::Broken {
        owner: owner.clone(),
        why: UNKNOWN.to_owned().into(),
    }
}

impl Mailbox for Access {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        Box::pin(async move {
            let to = message.to.clone();
            // It arrives twice, under one id, now and then.
            let times = 1 + u64::from(self.engine.chance.below(8) == 0);
            let work = async {
                for _ in 0..times {
                    self.engine.mailbox.send(message.clone()).await?;
                }
                self.engine.mail_came(&message.to);
                Ok(())
            };
            let why = || UNKNOWN.to_owned().into();
            let done = self.engine.serve(&self.life, work).await;
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
                if self.engine.planted == Some(Planted::SettleTakesAll) {
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
            let lines = lines.ok_or_else(|| unread(owner))?;
            let log = Log {
                access: self.clone(),
                owner: owner.clone(),
                length: lines.len(),
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
            let Access { engine, life, .. } = &self.access;
            let line = Line {
                entry: entry.clone(),
                life: life.number,
            };
            let work = async { engine.append(&self.owner, line, self.length) };
            let done = engine.serve(life, work).await;
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
