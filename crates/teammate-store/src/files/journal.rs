//! The journal in a file: one line a record, compare-and-swap under a lock, torn tails cut.
//!
//! A process remembers where it has read to, so an append costs the same however long the journal is.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    Timestamp,
    port::{BoxFuture, Disk, DiskFile, Durability, Journal, JournalError, JournalRead, Record},
    team::TeamEvent,
};
use tokio::sync::Notify;

use super::{
    blocking, cannot,
    dir::{TeamDir, keep_aside},
};
use crate::{locked, wire};

/// How long an append waits for another process.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// Between two remembered places there are this many records at most: what a read of old records costs too much.
const MARK_EVERY: u64 = 64;

/// The journal of a team, in `journal.jsonl`.
pub struct FileJournal(Arc<Inner>);

struct Inner {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    open: Mutex<Option<Open>>,
    grown: Notify,
    /// How long this process knows the file to be.
    known_len: AtomicU64,
}

/// The opened file and how far it is known.
struct Open {
    file: Box<dyn DiskFile>,
    end: Place,
    marks: Vec<Place>,
    /// Up to here this process has synced it.
    synced: u64,
}

/// A place between two lines.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    offset: u64,
    /// The number the next record has if nothing says otherwise: damaged lines count as one each.
    next: u64,
    /// The lowest number it can have: one more than the last that could be read.
    floor: u64,
}

impl Place {
    /// Steps over one line, its line end included; what it holds, or why not.
    fn step(&mut self, line: &[u8]) -> Result<Record, String> {
        let read = wire::record::read(line).and_then(|record| {
            if record.number < self.floor {
                return Err(format!("record {} is there twice", record.number));
            }
            if record.number == u64::MAX {
                return Err("no record could follow it".to_owned());
            }
            Ok(record)
        });
        self.offset += line.len() as u64 + 1;
        match &read {
            Ok(record) => {
                self.next = record.number + 1;
                self.floor = self.next;
            }
            Err(_) => self.next += 1,
        }
        read
    }
}

/// The whole lines at the beginning of `bytes`.
fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_suffix(b"\n"))
}

impl FileJournal {
    /// The journal in `dir`, which [`TeamDir::create`] has made.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir) -> Self {
        Self(Arc::new(Inner {
            disk,
            dir,
            open: Mutex::default(),
            grown: Notify::new(),
            known_len: AtomicU64::new(0),
        }))
    }

    /// Rings if the file has another length than this process gave it.
    pub(super) fn changed_outside(&self, len: u64) {
        if self.0.known_len.load(Ordering::Acquire) != len {
            self.0.grown.notify_one();
        }
    }

    pub(super) fn dir(&self) -> &TeamDir {
        &self.0.dir
    }
}

impl Journal for FileJournal {
    fn append(
        &self,
        expected: u64,
        at: Timestamp,
        events: Vec<TeamEvent>,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let inner = self.0.clone();
        let line = wire::record::write(expected, at, &events);
        Box::pin(async move {
            blocking(move || inner.append(expected, &line, durability))
                .await
                .unwrap_or_else(|why| Err(JournalError::Broken(why)))
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let inner = self.0.clone();
        Box::pin(async move {
            blocking(move || inner.read(from))
                .await
                .unwrap_or_else(Err)
                .map_err(JournalError::Broken)
        })
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.grown.notified())
    }
}

impl Inner {
    fn append(
        &self,
        expected: u64,
        line: &[u8],
        durability: Durability,
    ) -> Result<(), JournalError> {
        let mut slot = locked(&self.open);
        let _held = self
            .disk
            .lock(&self.dir.journal_lock(), LOCK_WAIT)
            .map_err(|error| JournalError::Broken(cannot("lock it")(error)))?;
        let length = self
            .catch_up(&mut slot)
            .map_err(|error| JournalError::Broken(cannot("read it")(error)))?;
        if length != expected {
            return Err(JournalError::Conflict { length });
        }
        let Some(open) = slot.as_mut() else {
            return Err(JournalError::Broken("it is not open".to_owned()));
        };
        match open.append(line, durability) {
            Ok(()) => {
                self.known_len.store(open.end.offset, Ordering::Release);
                Ok(())
            }
            Err(error) => {
                // What the file holds is in doubt: look again before the next append.
                *slot = None;
                Err(JournalError::Broken(cannot("write to it")(error)))
            }
        }
    }

    /// Under the lock: opens the file, reads what others appended, cuts a torn tail. Returns the number of records.
    fn catch_up(&self, slot: &mut Option<Open>) -> io::Result<u64> {
        let open = self.opened(slot)?;
        let len = open.file.len()?;
        if len == 0 {
            // The name first, so that a record that is there is found.
            self.disk.sync_dir(self.dir.path())?;
        }
        if len != open.end.offset {
            let bytes = open.file.read_from(open.end.offset)?;
            let start = open.end.offset;
            for line in whole_lines(&bytes) {
                // What is damaged is told to those who read, not to those who write.
                let _ = open.step(line);
            }
            let whole = usize::try_from(open.end.offset - start).map_err(io::Error::other)?;
            if let Some(tail) = bytes.get(whole..)
                && !tail.is_empty()
            {
                keep_aside(
                    &*self.disk,
                    &self.dir.journal_bad(),
                    &[tail, b"\n"].concat(),
                )?;
                open.file.truncate(open.end.offset)?;
            }
        }
        Ok(open.end.next)
    }

    fn opened<'a>(&self, slot: &'a mut Option<Open>) -> io::Result<&'a mut Open> {
        // Shorter than it was: somebody put another file in its place or cut it. Begin anew.
        if let Some(open) = slot.as_ref()
            && open.file.len()? < open.end.offset
        {
            *slot = None;
        }
        if let Some(open) = slot {
            return Ok(open);
        }
        let mut file = self.disk.open_append(&self.dir.journal())?;
        // Whoever wrote last may have died before it synced, and what follows from a record must not outlive it.
        let synced = file.len()?;
        if synced > 0 {
            file.sync()?;
        }
        Ok(slot.insert(Open {
            file,
            end: Place::default(),
            marks: Vec::new(),
            synced,
        }))
    }

    fn read(&self, from: u64) -> Result<JournalRead, String> {
        let mut slot = locked(&self.open);
        if slot.is_none() && !self.disk.exists(&self.dir.journal()) {
            return Ok(JournalRead::default());
        }
        let open = self.opened(&mut slot).map_err(cannot("open it"))?;
        let mut place = open.before(from);
        let bytes = open
            .file
            .read_from(place.offset)
            .map_err(cannot("read it"))?;
        let mut found = JournalRead::default();
        for line in whole_lines(&bytes) {
            let number = place.next;
            let is_new = place.offset >= open.end.offset;
            let read = place.step(line);
            if is_new {
                open.step(line).ok();
            }
            match read {
                Ok(record) if record.number >= from => found.records.push(record),
                Err(why) if number >= from => found.damaged.push(format!(
                    "record {number} of {} cannot be read ({why}); its line is kept there",
                    self.dir.journal().display()
                )),
                Ok(_) | Err(_) => {}
            }
        }
        self.known_len.store(open.end.offset, Ordering::Release);
        Ok(found)
    }
}

impl Open {
    /// Steps over a new line at the end.
    fn step(&mut self, line: &[u8]) -> Result<Record, String> {
        if self
            .marks
            .last()
            .is_none_or(|mark| self.end.next >= mark.next + MARK_EVERY)
        {
            self.marks.push(self.end);
        }
        self.end.step(line)
    }

    /// A known place at or before record `from`.
    fn before(&self, from: u64) -> Place {
        if from >= self.end.next {
            return self.end;
        }
        let after = self.marks.partition_point(|mark| mark.next <= from);
        after
            .checked_sub(1)
            .map_or_else(Place::default, |at| self.marks[at])
    }

    fn append(&mut self, line: &[u8], durability: Durability) -> io::Result<()> {
        let start = self.end.offset;
        if let Err(error) = self.file.append(line) {
            self.file.truncate(start)?;
            return Err(error);
        }
        if durability == Durability::Synced {
            if let Err(error) = self.file.sync() {
                self.rewind(start)?;
                return Err(error);
            }
            self.synced = start + line.len() as u64;
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        self.step(line).map_err(io::Error::other)?;
        Ok(())
    }

    /// After a failed sync, which must not be tried again: takes back what was appended at `start` and writes anew
    /// what was not yet synced before it, because the kernel may have dropped that as well.
    fn rewind(&mut self, start: u64) -> io::Result<()> {
        let mut before = self.file.read_from(self.synced)?;
        before.truncate(usize::try_from(start - self.synced).map_err(io::Error::other)?);
        self.file.truncate(self.synced)?;
        self.file.append(&before)
    }
}
