//! Files that keep damaged lines for the user.

use std::{
    collections::HashSet,
    io, mem,
    ops::Range,
    path::{Path, PathBuf},
};

use teammate_core::port::{Disk, DiskFile};

use super::lines::{FileLines, PIECE};
use crate::wire::chain::LineDigest;

/// Lines are buffered up to so many bytes before they are written.
const HELD_MAX: usize = 1024 * 1024;

/// Quarantines lines in one file, each line once, also across restarts.
pub(super) struct Quarantine<'a> {
    disk: &'a dyn Disk,
    path: PathBuf,
    /// Short digests of the lines in the file, of which there may be millions; read at the first use.
    kept: Option<HashSet<u64>>,
    held: Vec<u8>,
}

impl<'a> Quarantine<'a> {
    pub(super) fn new(disk: &'a dyn Disk, path: PathBuf) -> Self {
        Self {
            disk,
            path,
            kept: None,
            held: Vec::new(),
        }
    }

    /// Adds a line, given without its line end.
    pub(super) fn keep(&mut self, line: &[u8]) -> io::Result<()> {
        let kept = match &mut self.kept {
            Some(kept) => kept,
            unknown @ None => unknown.insert(digests(self.disk, &self.path)?),
        };
        if kept.insert(LineDigest::of(line).short()) {
            self.held.extend_from_slice(line);
            self.held.push(b'\n');
        }
        if self.held.len() > HELD_MAX {
            self.write()?;
        }
        Ok(())
    }

    /// Writes and syncs the added lines.
    pub(super) fn write(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let mut file = opened(self.disk, &self.path)?;
        file.append(&mem::take(&mut self.held))?;
        file.sync()
    }
}

fn digests(disk: &dyn Disk, path: &Path) -> io::Result<HashSet<u64>> {
    let mut digests = HashSet::new();
    if disk.exists(path) {
        let mut file = disk.open_read(path)?;
        let mut lines = FileLines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            digests.extend(line.text.map(|text| LineDigest::of(text).short()));
        }
    }
    Ok(digests)
}

/// Appends the bytes between two offsets of `from` as one line, durably, copying piece by piece.
pub(super) fn quarantine_part(
    disk: &dyn Disk,
    path: &Path,
    from: &mut dyn DiskFile,
    part: Range<u64>,
) -> io::Result<()> {
    let mut file = opened(disk, path)?;
    let (mut at, mut piece) = (part.start, vec![0; PIECE]);
    while at < part.end {
        let most = usize::try_from(part.end - at).map_or(PIECE, |left| left.min(PIECE));
        let read = from.read_at(at, &mut piece[..most])?;
        at += read as u64;
        let mut bytes = piece[..read].to_vec();
        if read == 0 || at == part.end {
            bytes.push(b'\n');
        }
        file.append(&bytes)?;
        if read == 0 {
            break;
        }
    }
    file.sync()
}

fn opened(disk: &dyn Disk, path: &Path) -> io::Result<Box<dyn DiskFile>> {
    let file = disk.open_append(path)?;
    if file.is_empty()?
        && let Some(parent) = path.parent()
    {
        disk.sync_dir(parent)?;
    }
    Ok(file)
}
