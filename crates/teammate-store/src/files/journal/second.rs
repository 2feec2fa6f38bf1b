//! The second copy of a journal, on another place of the disk: the same lines, written after them.
//!
//! It is behind the journal by what was appended since the last line was copied, and durable when its
//! keeper syncs it. It never decides anything while the journal is there; a journal that is gone is put
//! back from it.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use teammate_core::port::{Disk, DiskFile, Seal};

use super::{FileJournal, Provenance};
use crate::files::{
    dir::TeamDir,
    lines::{FileLines, PIECE},
};

/// So many bytes at the end of the copy are compared with the journal: more than a line's seal.
const COMPARED_BYTES: u64 = 256;

/// How long to wait for a process that appends.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The most damaged journals that are kept.
const KEPT_MAX: usize = 100;

/// Where the second copy of a journal is.
#[derive(Clone)]
pub struct JournalCopy {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

/// A journal that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutBack {
    /// How many lines it has now.
    pub lines: u64,
    /// Where the file is that was in its place, if it held anything.
    pub kept_in: Option<PathBuf>,
}

impl JournalCopy {
    /// The copy in this file, which is made at the first append.
    pub fn new(disk: Arc<dyn Disk>, path: PathBuf) -> Self {
        Self { disk, path }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where an earlier copy is kept that had lines which the journal had not.
    pub fn aside(&self) -> PathBuf {
        self.path.with_extension("journal.aside")
    }

    /// Makes what was copied durable. No error if there is no copy.
    pub fn sync(&self) -> io::Result<()> {
        match self.disk.sync_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            synced => synced,
        }
    }

    /// Removes it: another team begins in the place of the one it is of.
    pub fn remove(&self) -> io::Result<()> {
        for path in [&self.path, &self.aside()] {
            match self.disk.remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Whether at least one line has this seal.
    pub fn is_proven(&self, seal: Arc<dyn Seal>) -> io::Result<bool> {
        let provenance = FileJournal::provenance(&*self.disk, &self.path, Some(seal))?;
        Ok(provenance == Provenance::Proven)
    }

    /// Puts the copy in the place of a team's journal that is gone; what is there is kept beside it.
    /// `None` if the copy has no line with this seal, or if the journal has one by now.
    pub fn put_back(
        &self,
        disk: &dyn Disk,
        dir: &TeamDir,
        seal: Arc<dyn Seal>,
    ) -> io::Result<Option<PutBack>> {
        let _held = disk.lock(&dir.journal_lock(), LOCK_WAIT)?;
        self.put_back_locked(disk, dir, seal)
    }

    /// Puts the copy back, for the process that holds the journal's lock.
    pub(super) fn put_back_locked(
        &self,
        disk: &dyn Disk,
        dir: &TeamDir,
        seal: Arc<dyn Seal>,
    ) -> io::Result<Option<PutBack>> {
        let journal = dir.journal();
        let there = FileJournal::provenance(disk, &journal, Some(seal.clone()))?;
        if there == Provenance::Proven || !self.is_proven(seal)? {
            return Ok(None);
        }
        let new = journal.with_extension("jsonl.restored");
        let lines = self.write_to(disk, &new)?;
        let kept_in = keep_aside(disk, &journal)?;
        disk.rename(&new, &journal)?;
        disk.sync_dir(dir.path())?;
        Ok(Some(PutBack { lines, kept_in }))
    }

    /// Writes all whole lines into a file and syncs it; returns how many.
    fn write_to(&self, disk: &dyn Disk, path: &Path) -> io::Result<u64> {
        let mut from = self.disk.open_read(&self.path)?;
        disk.write(path, b"")?;
        let mut to = disk.open_append(path)?;
        let (mut lines, mut count, mut held) = (FileLines::from(&mut *from, 0), 0, Vec::new());
        while let Some(line) = lines.next()? {
            // A torn one was on its way when its writer died.
            let (true, Some(text)) = (line.is_whole, line.text) else {
                continue;
            };
            count += 1;
            held.extend_from_slice(text);
            held.push(b'\n');
            if held.len() > PIECE {
                to.append(&held)?;
                held.clear();
            }
        }
        to.append(&held)?;
        to.sync()?;
        Ok(count)
    }

    /// Copies what the journal has up to `end` and the copy has not. Returns the copy, open.
    pub(super) fn catch_up(
        &self,
        journal: &mut dyn DiskFile,
        end: u64,
    ) -> io::Result<Box<dyn DiskFile>> {
        let mut copy = self.disk.open_append(&self.path)?;
        if !is_start(&mut *copy, journal, end)? {
            // It may have what the journal has lost.
            drop(copy);
            self.disk.rename(&self.path, &self.aside())?;
            copy = self.disk.open_append(&self.path)?;
        }
        let (mut at, mut piece) = (copy.len()?, vec![0; PIECE]);
        while at < end {
            let most = usize::try_from(end - at).map_or(PIECE, |left| left.min(PIECE));
            match journal.read_at(at, &mut piece[..most])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    copy.append(&piece[..read])?;
                    at += read as u64;
                }
            }
        }
        Ok(copy)
    }
}

/// Whether a copy is the beginning of a journal, as far as its end tells.
fn is_start(copy: &mut dyn DiskFile, journal: &mut dyn DiskFile, end: u64) -> io::Result<bool> {
    let len = copy.len()?;
    if len > end {
        return Ok(false);
    }
    let from = len.saturating_sub(COMPARED_BYTES);
    let part = |file: &mut dyn DiskFile| -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(len - from).map_err(io::Error::other)?];
        let mut done = 0;
        while done < bytes.len() {
            match file.read_at(from + done as u64, &mut bytes[done..])? {
                0 => break,
                read => done += read,
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    };
    Ok(part(copy)? == part(journal)?)
}

/// Renames what is in a journal's place, if it holds anything; says where it is.
fn keep_aside(disk: &dyn Disk, journal: &Path) -> io::Result<Option<PathBuf>> {
    if !disk.exists(journal) || disk.open_read(journal)?.is_empty()? {
        return Ok(None);
    }
    let named = |number: usize| match number {
        1 => journal.with_extension("jsonl.damaged"),
        number => journal.with_extension(format!("jsonl.damaged.{number}")),
    };
    let free = (1..=KEPT_MAX).map(named).find(|path| !disk.exists(path));
    let Some(free) = free else {
        let what = format!("{KEPT_MAX} damaged journals are kept already; move them away");
        return Err(io::Error::other(what));
    };
    disk.rename(journal, &free)?;
    Ok(Some(free))
}
