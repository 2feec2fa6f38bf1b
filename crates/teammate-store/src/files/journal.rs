//! The journal in a file: one sealed line a record, compare-and-swap under a lock, torn tails cut.
//!
//! A process remembers how far it has read, so an append costs the same however long the journal is.
//! `position` decides which lines are valid, `known` keeps what is known about the file, `copy` reads
//! and writes journals outside of a team, `second` keeps the second copy.

mod copy;
mod found;
mod known;
mod position;
mod second;

use std::{
    io, mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    lock::Hold,
    port::{
        BoxFuture, Damage, Disk, DiskFile, Durability, FileError, Journal, JournalError,
        JournalRead, Record, Seal,
    },
};
use tokio::sync::{Notify, mpsc};

pub use self::{
    copy::{JournalContent, Provenance},
    second::{JournalCopy, PutBack},
};
use self::{found::FoundDamage, known::KnownFile};
use super::{
    Heads, blocking, dir::TeamDir, failed_to, lines::FileLines, quarantine::quarantine_part,
};
use crate::wire::{chain::Log, record};

/// How long an append waits for another process.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// So many records are handed over at once while the journal is read.
const PAGE_RECORDS: usize = 1024;

/// So many pages may be read ahead.
const PAGES_MAX: usize = 2;

/// The journal of a team, in `journal.jsonl`.
pub struct FileJournal(Arc<Inner>);

struct Inner {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    log: Log,
    seal: Arc<dyn Seal>,
    heads: Arc<Heads>,
    /// Where its second copy is kept, if it is.
    copy: Option<JournalCopy>,
    open: Mutex<Option<OpenFile>>,
    grown: Notify,
    /// The length of the file as far as this process knows it.
    known_len: AtomicU64,
}

/// The open file and its known part.
struct OpenFile {
    file: Box<dyn DiskFile>,
    known: KnownFile,
    /// The second copy, once this process has appended.
    copy: Option<Box<dyn DiskFile>>,
}

impl FileJournal {
    /// The journal in `dir`, which [`TeamDir::create`] has made. Only lines with this seal are valid.
    /// Durable lines are recorded in `heads`, and a head remembered there must be in the file.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir, seal: Arc<dyn Seal>, heads: Arc<Heads>) -> Self {
        Self::copied(disk, dir, (seal, heads), None)
    }

    /// A journal with a second copy of its lines in another place.
    pub fn copied(
        disk: Arc<dyn Disk>,
        dir: TeamDir,
        (seal, heads): (Arc<dyn Seal>, Arc<Heads>),
        copy: Option<JournalCopy>,
    ) -> Self {
        Self(Arc::new(Inner {
            disk,
            dir,
            log: Log::journal(seal.clone()),
            seal,
            heads,
            copy,
            open: Mutex::default(),
            grown: Notify::new(),
            known_len: AtomicU64::new(0),
        }))
    }

    /// Rings the doorbell if the file's length is not what this process left.
    pub(super) fn on_file_changed(&self, len: u64) {
        if self.0.known_len.load(Ordering::Acquire) != len {
            self.0.grown.notify_one();
        }
    }

    /// The directory that it is in.
    pub fn dir(&self) -> &TeamDir {
        &self.0.dir
    }
}

impl Journal for FileJournal {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let inner = self.0.clone();
        let object = record::write(&record);
        Box::pin(async move {
            blocking(move || inner.append(record.number, &object, durability))
                .await
                .unwrap_or_else(|why| Err(JournalError::Broken(why)))
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let reading = blocking(move || {
                let mut records = Vec::new();
                let damaged = inner.walk(from, |record| records.push(record))?;
                Ok(JournalRead { records, damaged })
            });
            reading
                .await
                .unwrap_or_else(Err)
                .map_err(JournalError::Broken)
        })
    }

    fn visit<'a>(
        &'a self,
        from: u64,
        each: &'a mut (dyn FnMut(Record) + Send),
    ) -> BoxFuture<'a, Result<Vec<Damage>, JournalError>> {
        let inner = self.0.clone();
        Box::pin(async move {
            let (sender, mut pages) = mpsc::channel(PAGES_MAX);
            let reading = blocking(move || inner.send_pages(from, &sender));
            while let Some(page) = pages.recv().await {
                Vec::into_iter(page).for_each(&mut *each);
            }
            reading
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
        object: &str,
        durability: Durability,
    ) -> Result<(), JournalError> {
        let mut slot = self.open.hold();
        let _held = self
            .disk
            .lock(&self.dir.journal_lock(), LOCK_WAIT)
            .map_err(|error| JournalError::Broken(failed_to("lock it")(error)))?;
        let length = self
            .catch_up(&mut slot)
            .map_err(|error| JournalError::Broken(failed_to("read it")(error)))?;
        if length != expected {
            return Err(JournalError::Conflict { length });
        }
        let Some(open) = slot.as_mut() else {
            return Err(JournalError::Broken("it is not open".into()));
        };
        let line = self.log.line(object, open.known.end.prev());
        match open.append(&line, durability) {
            Ok(()) => {
                self.remember(&open.known);
                // The record is committed. What the copy lacks, the next append adds.
                let _ = self.copy_line(open, &line);
                Ok(())
            }
            Err(error) => {
                // The content of the file is uncertain: read it again before the next append.
                *slot = None;
                Err(JournalError::Broken(failed_to("write to it")(error)))
            }
        }
    }

    /// Adds the line that was just appended to the copy, and what that lacks before it.
    fn copy_line(&self, open: &mut OpenFile, line: &str) -> io::Result<()> {
        let Some(place) = &self.copy else {
            return Ok(());
        };
        let line = format!("{line}\n");
        let end = open.known.end.offset;
        if let Some(copy) = &mut open.copy
            && copy.len()? + line.len() as u64 == end
        {
            return copy.append(line.as_bytes());
        }
        open.copy = None;
        open.copy = Some(place.catch_up(&mut *open.file, end)?);
        Ok(())
    }

    /// Under the lock: a journal that went away while this process used it is put back.
    fn put_back_lost(&self, slot: &mut Option<OpenFile>) -> io::Result<()> {
        let (Some(open), Some(copy)) = (slot.as_ref(), &self.copy) else {
            return Ok(());
        };
        let is_there = self.disk.exists(&self.dir.journal()) && !open.file.is_empty()?;
        if !is_there && open.known.end.offset > 0 {
            *slot = None;
            copy.put_back_locked(&*self.disk, &self.dir, self.seal.clone())?;
        }
        Ok(())
    }

    /// Under the lock: opens the file, reads what other processes appended, cuts a torn tail. Returns the
    /// number of records.
    fn catch_up(&self, slot: &mut Option<OpenFile>) -> io::Result<u64> {
        self.put_back_lost(slot)?;
        let OpenFile { file, known, .. } = self.opened(slot)?;
        let len = file.len()?;
        if len == 0 {
            // Make the file's name durable first, so that its records can be found.
            self.disk.sync_dir(self.dir.path())?;
        }
        if len != known.end.offset {
            let mut torn = None;
            let mut lines = FileLines::from(&mut **file, known.end.offset);
            while let Some(line) = lines.next()? {
                if !line.is_whole {
                    torn = Some(line.at..line.end);
                    break;
                }
                // Readers get the damage reported, writers do not.
                let mut place = known.end;
                place.read_line(&line, &self.log);
                known.advance(place);
            }
            if let Some(torn) = torn {
                let whole = torn.start;
                quarantine_part(
                    &*self.disk,
                    &self.dir.journal_quarantine(),
                    &mut **file,
                    torn,
                )?;
                file.truncate(whole)?;
            }
        }
        known.reached_end(&self.dir.journal());
        Ok(known.end.next)
    }

    fn opened<'a>(&self, slot: &'a mut Option<OpenFile>) -> io::Result<&'a mut OpenFile> {
        // The file is shorter than it was: it was replaced or cut. Start over.
        if let Some(open) = slot.as_ref()
            && open.file.len()? < open.known.end.offset
        {
            *slot = None;
        }
        if let Some(open) = slot {
            return Ok(open);
        }
        let mut file = self.disk.open_append(&self.dir.journal())?;
        // The last writer may have died before its sync, and a record's consequences must not outlive it.
        let synced = file.len()?;
        if synced > 0 {
            file.sync()?;
        }
        let known = KnownFile::nothing(synced, self.heads.of(&self.log));
        let copy = None;
        Ok(slot.insert(OpenFile { file, known, copy }))
    }

    /// Reads the records from number `from` on and sends them page by page, as fast as they are taken.
    fn send_pages(
        &self,
        from: u64,
        pages: &mpsc::Sender<Vec<Record>>,
    ) -> Result<Vec<Damage>, FileError> {
        let mut page = Vec::with_capacity(PAGE_RECORDS);
        // If nobody takes it, nobody waits for the records.
        let send = |page| drop(pages.blocking_send(page));
        let damaged = self.walk(from, |record| {
            page.push(record);
            if page.len() == PAGE_RECORDS {
                send(mem::replace(&mut page, Vec::with_capacity(PAGE_RECORDS)));
            }
        })?;
        send(page);
        Ok(damaged)
    }

    /// Takes each record from number `from` on. Returns what is wrong with the rest.
    fn walk(&self, from: u64, mut take: impl FnMut(Record)) -> Result<Vec<Damage>, FileError> {
        let path = self.dir.journal();
        let mut slot = self.open.hold();
        let mut found = FoundDamage::from(from, &path);
        if slot.is_none() && !self.disk.exists(&path) {
            let mut known = KnownFile::nothing(0, self.heads.of(&self.log));
            known.reached_end(&path);
            return Ok(found.damaged(known.lost.as_ref()));
        }
        let OpenFile { file, known, .. } = self.opened(&mut slot).map_err(failed_to("open it"))?;
        let mut place = known.position_before(from);
        let mut lines = FileLines::from(&mut **file, place.offset);
        while let Some(line) = lines.next().map_err(failed_to("read it"))? {
            // A torn tail is still being written, or the next writer cuts it.
            if !line.is_whole {
                break;
            }
            let (number, is_new) = (place.next, line.at >= known.end.offset);
            let step = place.read_line(&line, &self.log);
            if is_new {
                known.advance(place);
            }
            if let Some(record) = found.add(number, step) {
                take(record);
            }
        }
        known.reached_end(&path);
        self.remember(known);
        Ok(found.damaged(known.lost.as_ref()))
    }

    /// Remembers the known part and the durable head.
    fn remember(&self, known: &KnownFile) {
        self.known_len.store(known.end.offset, Ordering::Release);
        if let Some(head) = known.head() {
            self.heads.set(&self.log, head);
        }
    }
}

impl OpenFile {
    /// Appends a line, which is given without its line end.
    fn append(&mut self, line: &str, durability: Durability) -> io::Result<()> {
        let start = self.known.end.offset;
        if let Err(error) = self.file.append(format!("{line}\n").as_bytes()) {
            self.file.truncate(start)?;
            return Err(error);
        }
        let is_synced = durability == Durability::Synced;
        if is_synced && let Err(error) = self.file.sync() {
            self.truncate_to(start)?;
            return Err(error);
        }
        let behind = self.known.end.behind(line);
        self.known.append(behind, is_synced);
        Ok(())
    }

    /// After a failed sync, which must not be tried again: takes back what was appended at `start` and writes anew
    /// what was not yet synced before it, because the kernel may have dropped that as well.
    fn truncate_to(&mut self, start: u64) -> io::Result<()> {
        let synced = self.known.synced;
        let mut before = self.file.read_from(synced)?;
        before.truncate(usize::try_from(start - synced).map_err(io::Error::other)?);
        self.file.truncate(synced)?;
        self.file.append(&before)
    }
}
