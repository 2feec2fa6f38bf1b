//! Everything that is known of a team, read on and on: its journal and its event log, in the order in which it happened.

use std::sync::Arc;

use teammate_core::{
    event::Event,
    port::{Doorbells, EventReader, Journal, Listening, Record},
};
use tokio::sync::Notify;

use crate::{TeamError, store::TeamStore};

/// A record of the journal, or an event.
#[derive(Debug, Clone)]
pub enum Happening {
    /// A record of the journal, after which the team is another.
    Record(Arc<Record>),
    /// An event of the log; it proves nothing.
    Event(Arc<Event>),
}

/// Reads a team's journal and event log on and on.
pub struct TeamHistory {
    journal: Arc<dyn Journal>,
    records: u64,
    log: Box<dyn EventReader>,
    doorbells: Arc<dyn Doorbells>,
}

/// Rings when the journal or the event log of a team may have changed.
pub struct HistoryWatch {
    changed: Arc<Notify>,
    _listening: Option<Listening>,
}

impl HistoryWatch {
    /// Rings for writes of other processes. Where the kernel has no watch left it never rings.
    pub(crate) fn of(doorbells: &dyn Doorbells) -> Self {
        let changed = Arc::new(Notify::new());
        let ring = changed.clone();
        let listening = doorbells.on_change(Box::new(move || ring.notify_one()));
        Self {
            changed,
            _listening: listening,
        }
    }

    /// Resolves at the next change, or at once if there was one since the last call.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }
}

impl TeamHistory {
    pub(crate) fn of(store: &TeamStore) -> Self {
        Self {
            journal: store.store.journal.clone(),
            records: 0,
            log: store.events.reader(),
            doorbells: store.doorbells.clone(),
        }
    }

    /// Reads everything that has been added since the last call, oldest first: at first all that there is.
    ///
    /// Errors: a file cannot be read.
    pub async fn read_on(&mut self) -> Result<Vec<Happening>, TeamError> {
        let mut all = Vec::new();
        self.read_each(|happening| all.push(happening)).await?;
        Ok(all)
    }

    /// Reads on, handing over one after the other, in the memory of one event and of the records.
    ///
    /// Errors: a file cannot be read.
    pub async fn read_each(
        &mut self,
        mut give: impl FnMut(Happening) + Send,
    ) -> Result<(), TeamError> {
        let mut records = self.records_on().await?.into_iter().peekable();
        let known = self.records;
        let mut late = Vec::new();
        self.events_on(|event| {
            // What it follows from was written meanwhile.
            if !late.is_empty() || event.r.is_some_and(|length| length > known) {
                late.push(event);
                return;
            }
            while let Some(record) = records.next_if(|record| is_before(record, &event)) {
                give(Happening::Record(record));
            }
            give(Happening::Event(event));
        })
        .await?;
        records.map(Happening::Record).for_each(&mut give);
        if late.is_empty() {
            return Ok(());
        }
        let records = self.records_on().await?;
        merged(records, late).into_iter().for_each(give);
        Ok(())
    }

    /// The records of the journal since the last call.
    ///
    /// Errors: the journal cannot be read.
    pub async fn records_on(&mut self) -> Result<Vec<Arc<Record>>, TeamError> {
        let read = self.journal.read(self.records).await;
        let read = read.map_err(|error| TeamError::Storage(error.to_string()))?;
        if let Some(last) = read.records.last() {
            self.records = last.number + 1;
        }
        Ok(read.records.into_iter().map(Arc::new).collect())
    }

    async fn events_on(
        &mut self,
        mut give: impl FnMut(Arc<Event>) + Send,
    ) -> Result<(), TeamError> {
        let read = self.log.read_on(&mut give).await;
        read.map_err(|error| TeamError::Storage(error.to_string()))
    }

    /// Rings for writes of other processes. Where the kernel has no watch left it never rings.
    pub fn watch(&self) -> HistoryWatch {
        HistoryWatch::of(&*self.doorbells)
    }
}

/// Both in one order. An event comes after the records that were there when it happened: by number, or by time in logs of earlier
/// versions.
fn merged(records: Vec<Arc<Record>>, events: Vec<Arc<Event>>) -> Vec<Happening> {
    let mut all = Vec::with_capacity(records.len() + events.len());
    let mut records = records.into_iter().peekable();
    for event in events {
        while let Some(record) = records.next_if(|record| is_before(record, &event)) {
            all.push(Happening::Record(record));
        }
        all.push(Happening::Event(event));
    }
    all.extend(records.map(Happening::Record));
    all
}

fn is_before(record: &Record, event: &Event) -> bool {
    match event.r {
        Some(known) => record.number < known,
        None => record.at <= event.at,
    }
}
