//! Files where damaged lines are kept for a person.

use std::{
    collections::HashSet,
    io, mem,
    ops::Range,
    path::{Path, PathBuf},
};

use teammate_core::port::{Disk, DiskFile};

use super::lines::{Lines, PIECE};
use crate::wire::chain::Digest;

/// So many bytes of lines are held before they are written.
const HELD_MAX: usize = 1024 * 1024;

/// Keeps lines aside in one file, each once, also over restarts.
pub(super) struct Aside<'a> {
    disk: &'a dyn Disk,
    path: PathBuf,
    /// What is there already; asked when it is first needed.
    kept: Option<HashSet<Digest>>,
    held: Vec<u8>,
}

impl<'a> Aside<'a> {
    pub(super) fn new(disk: &'a dyn Disk, path: PathBuf) -> Self {
        Self {
            disk,
            path,
            kept: None,
            held: Vec::new(),
        }
    }

    /// Keeps a line, which is given without its line end.
    pub(super) fn keep(&mut self, line: &[u8]) -> io::Result<()> {
        let kept = match &mut self.kept {
            Some(kept) => kept,
            unknown @ None => unknown.insert(digests(self.disk, &self.path)?),
        };
        if kept.insert(Digest::of(line)) {
            self.held.extend_from_slice(line);
            self.held.push(b'\n');
        }
        if self.held.len() > HELD_MAX {
            self.write()?;
        }
        Ok(())
    }

    /// Makes what was kept durable.
    pub(super) fn write(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let mut file = opened(self.disk, &self.path)?;
        file.append(&mem::take(&mut self.held))?;
        file.sync()
    }
}

fn digests(disk: &dyn Disk, path: &Path) -> io::Result<HashSet<Digest>> {
    let mut digests = HashSet::new();
    if disk.exists(path) {
        let mut file = disk.open_read(path)?;
        let mut lines = Lines::from(&mut *file, 0);
        while let Some(line) = lines.next()? {
            digests.extend(line.text.map(Digest::of));
        }
    }
    Ok(digests)
}

/// Appends what `from` holds between two offsets as a line, durably. It is copied piece by piece.
pub(super) fn keep_part_aside(
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
