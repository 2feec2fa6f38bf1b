//! The journal on a subject: one sealed line a message, compare-and-append on the last one.
//!
//! A process remembers how far it has read, so an append is one request. When it finds that the log is
//! not one history it stops for good.

mod following;
mod live;

use std::{ops::ControlFlow, sync::Arc};

use teammate_core::{
    name::WorkerName,
    port::{
        BoxFuture, Damage, Durability, Journal, JournalError, JournalRead, Record, RecordWriter,
    },
    team::{PlaceEvent, Placements, TeamEvent},
};
use teammate_wire::record;
use tokio::sync::Mutex;
use uuid::Uuid;

use self::live::Live;
use crate::{
    append::{Append, AppendAfter, AppendError},
    chain::Tip,
    keys::Holdings,
    listen::Subjects,
    parts::{Parts, size},
    proven::{ProvenRecords, placing},
    read::{MessageSpan, StoredMessage, StreamReadError, WantedPart},
};

/// A place is remembered every so many records, which bounds the cost of reading old ones.
const MARK_EVERY: u64 = 256;

/// So many bytes of messages are held before their records are handed over.
const PAGE_BYTES: u64 = 4 << 20;

/// The journal of one team.
pub(crate) struct NatsJournal {
    parts: Parts,
    subject: String,
    records: ProvenRecords,
    /// As whom this process writes.
    own: RecordWriter,
    /// Names this process in ids of messages.
    writer: Uuid,
    holdings: Arc<Holdings>,
    known: Mutex<KnownLog>,
    live: Live,
}

/// The part of the log that this process knows.
struct KnownLog {
    tip: Tip,
    /// Places before it, in order.
    marks: Vec<Tip>,
    /// The workers that have joined, as of the tip.
    placements: Placements,
    /// How many appends this process has sent.
    sent: u64,
    /// Why nothing is read or appended any more.
    over: Option<JournalError>,
}

impl NatsJournal {
    pub(crate) fn new(parts: Parts, records: ProvenRecords, holdings: Arc<Holdings>) -> Self {
        let subject = parts.place.journal();
        let live = Live::of(Subjects {
            engine: parts.engine.clone(),
            stream: parts.place.partition.log(),
            filter: subject.clone(),
        });
        Self {
            parts,
            subject,
            own: records.log.own_writer(),
            records,
            writer: Uuid::now_v7(),
            holdings,
            known: Mutex::new(KnownLog {
                tip: Tip::START,
                marks: Vec::new(),
                placements: Placements::default(),
                sent: 0,
                over: None,
            }),
            live,
        }
    }

    async fn append_now(
        &self,
        expected: u64,
        object: String,
        events: &[TeamEvent],
    ) -> Result<(), JournalError> {
        let mut known = self.known.lock().await;
        known.require_whole()?;
        if known.tip.lines != expected || known.tip.lines == 0 {
            self.walk(&mut known, u64::MAX, &mut |_| {}).await?;
        }
        if known.tip.lines != expected {
            let length = known.tip.lines;
            return Err(JournalError::Conflict { length });
        }
        let line = known.tip.line(&self.records.log, &object);
        known.sent += 1;
        let packed = self.parts.pack(line.clone()).await.map_err(not_written)?;
        let append = Append {
            stream: self.parts.place.partition.log(),
            subject: self.subject.clone(),
            id: format!("{}-{}", self.writer, known.sent),
            after: AppendAfter::Last(known.tip.sequence),
            headers: packed.headers,
            body: packed.body,
        };
        match self.parts.engine.append(&append).await {
            Ok(sequence) => {
                let tip = known.tip.behind(line.as_bytes(), sequence);
                known.advance(tip, events);
                self.live.see(sequence);
                Ok(())
            }
            Err(AppendError::Conflict { .. }) => {
                self.walk(&mut known, u64::MAX, &mut |_| {}).await?;
                let length = known.tip.lines;
                Err(JournalError::Conflict { length })
            }
            Err(error) => Err(not_written(error)),
        }
    }

    fn see(&self, events: &[TeamEvent]) {
        places(events).for_each(|event| self.holdings.see(event));
    }

    /// The workers that have joined and not left.
    pub(crate) async fn workers(&self) -> Result<Vec<WorkerName>, JournalError> {
        let mut known = self.known.lock().await;
        self.walk(&mut known, u64::MAX, &mut |_| {}).await?;
        let joined = known.placements.workers();
        Ok(joined.map(|(name, _)| name.clone()).collect())
    }

    /// Nothing is read or appended from now on.
    pub(crate) async fn stop(&self, why: &str) {
        self.known.lock().await.over = Some(JournalError::Broken(why.into()));
    }

    /// Reads what is new, for what follows from it: who held whom.
    pub(crate) async fn catch_up(&self) -> Result<(), JournalError> {
        let mut known = self.known.lock().await;
        self.walk(&mut known, u64::MAX, &mut |_| {}).await
    }

    /// Reads the records from number `from` on, and whatever is new.
    async fn walk(
        &self,
        known: &mut KnownLog,
        from: u64,
        each: &mut (dyn FnMut(Record) + Send),
    ) -> Result<(), JournalError> {
        known.require_whole()?;
        let walked = self.walk_checked(known, from, each).await;
        self.live.see(known.tip.sequence);
        walked.map_err(|error| match error {
            error @ StreamReadError::Failed(_) => JournalError::Broken(error.to_string().into()),
            StreamReadError::Broken(why) => {
                let over = JournalError::Unsound(why);
                known.over = Some(over.clone());
                over
            }
        })
    }

    async fn walk_checked(
        &self,
        known: &mut KnownLog,
        from: u64,
        each: &mut (dyn FnMut(Record) + Send),
    ) -> Result<(), StreamReadError> {
        let last = self.parts.engine.last(&self.subject).await?;
        known.tip.lies_within(&self.records.log, last)?;
        let mut place = known.before(from);
        while place.sequence < last {
            for message in self.page(place.sequence + 1, last).await? {
                let record = self.take(known, &mut place, &message).await?;
                if record.number >= from {
                    each(record);
                }
            }
        }
        Ok(())
    }

    /// The record of the message that follows this place, which is then behind it.
    async fn take(
        &self,
        known: &mut KnownLog,
        place: &mut Tip,
        message: &StoredMessage,
    ) -> Result<Record, StreamReadError> {
        let line = self.parts.unpack(message).await?;
        *place = place.follow(&self.records.log, &line, message.sequence)?;
        let record = self.records.read(&line);
        let record = record.map_err(|why| not_a_record(place, &why))?;
        if record.number + 1 != place.lines {
            return Err(not_a_record(place, "it has another number"));
        }
        let placing = placing(&record.writer, &record.events);
        if place.lines == known.tip.lines {
            known.tip.still_holds(&self.records.log, place)?;
        } else if place.lines > known.tip.lines {
            known.advance(*place, placing);
        }
        self.see(placing);
        Ok(record)
    }

    /// Some messages from sequence `from` on.
    async fn page(&self, from: u64, through: u64) -> Result<Vec<StoredMessage>, StreamReadError> {
        let (mut page, mut bytes) = (Vec::new(), 0);
        let span = MessageSpan {
            stream: self.parts.place.partition.log(),
            subject: self.subject.clone(),
            from,
            through,
        };
        let keep = |message: StoredMessage| {
            bytes += message.body.len() as u64 + size(&message);
            page.push(message);
            match bytes < PAGE_BYTES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        self.parts.engine.walk(span, WantedPart::All, keep).await?;
        Ok(page)
    }
}

/// The events about workers among these.
fn places(events: &[TeamEvent]) -> impl Iterator<Item = &PlaceEvent> {
    events.iter().filter_map(|event| match event {
        TeamEvent::Place(event) => Some(event),
        _ => None,
    })
}

fn not_a_record(place: &Tip, why: &str) -> StreamReadError {
    StreamReadError::Broken(format!(
        "record {} of journal (message {}) cannot be read: {why}",
        place.lines - 1,
        place.sequence
    ))
}

fn not_written(error: AppendError) -> JournalError {
    JournalError::Broken(error.into())
}

impl KnownLog {
    fn require_whole(&self) -> Result<(), JournalError> {
        match &self.over {
            Some(why) => Err(why.clone()),
            None => Ok(()),
        }
    }

    fn advance(&mut self, tip: Tip, events: &[TeamEvent]) {
        places(events).for_each(|event| self.placements.apply(event));
        if tip.lines.is_multiple_of(MARK_EVERY) {
            self.marks.push(tip);
        }
        self.tip = tip;
    }

    /// The last known place at or before record `from`.
    fn before(&self, from: u64) -> Tip {
        if from >= self.tip.lines {
            return self.tip;
        }
        let after = self.marks.partition_point(|mark| mark.lines <= from);
        after.checked_sub(1).map_or(Tip::START, |at| self.marks[at])
    }
}

impl Journal for NatsJournal {
    /// Every append is synced: the server acknowledges nothing else.
    fn append_record(
        &self,
        record: Record,
        _durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let object = record::write(&record);
        Box::pin(async move {
            let placing = placing(&self.own, &record.events);
            self.append_now(record.number, object, placing).await?;
            self.see(placing);
            Ok(())
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(async move {
            let mut records = Vec::new();
            let damaged = self.visit(from, &mut |record| records.push(record)).await?;
            Ok(JournalRead { records, damaged })
        })
    }

    /// Nothing of a log that is not one history counts: damage is an error.
    fn visit<'a>(
        &'a self,
        from: u64,
        each: &'a mut (dyn FnMut(Record) + Send),
    ) -> BoxFuture<'a, Result<Vec<Damage>, JournalError>> {
        Box::pin(async move {
            let mut known = self.known.lock().await;
            self.walk(&mut known, from, each).await?;
            Ok(Vec::new())
        })
    }

    fn follow(&self, from: u64, through: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(async move {
            let mut records = Vec::new();
            let mut keep = |record| records.push(record);
            self.follow_now(from, through, &mut keep).await?;
            let damaged = Vec::new();
            Ok(JournalRead { records, damaged })
        })
    }

    fn writer(&self) -> RecordWriter {
        self.own.clone()
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.live.rang())
    }
}
