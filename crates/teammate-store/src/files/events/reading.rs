//! The event log, read line by line. It proves nothing: it is only shown.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::Disk;

use crate::files::{FileLines, TeamDir};

/// A line of the event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventLine<'a> {
    /// Its text, without the line end.
    Text(&'a str),
    /// It has more than 64 MiB, and is passed over.
    TooLong {
        /// How many bytes it has.
        bytes: u64,
    },
}

/// The event log of a team, read on and on: what was rotated away comes first, then what is written now.
pub struct EventFiles {
    disk: Arc<dyn Disk>,
    old: PathBuf,
    path: PathBuf,
    /// Where in the rotated file the first line is that was not read yet; nothing, once all of it was.
    old_from: Option<u64>,
    /// The offset in the file that is written now.
    offset: u64,
}

impl EventFiles {
    /// The log in `dir`, which need not be there.
    pub fn new(disk: Arc<dyn Disk>, dir: &TeamDir) -> Self {
        Self {
            old: dir.old_events(),
            path: dir.events(),
            disk,
            old_from: Some(0),
            offset: 0,
        }
    }

    /// Goes to the first line that begins in the last `bytes` of the log. False if all of it is shorter than that: then the
    /// first line of all comes next.
    ///
    /// Errors: a file cannot be read.
    pub fn go_near_end(&mut self, bytes: u64) -> io::Result<bool> {
        (self.old_from, self.offset) = (None, 0);
        let length = self.length(&self.path)?;
        if bytes < length {
            self.offset = self.line_after(&self.path, length - bytes)?;
            return Ok(true);
        }
        let (wanted, length) = (bytes - length, self.length(&self.old)?);
        if wanted < length {
            self.old_from = Some(self.line_after(&self.old, length - wanted)?);
            return Ok(true);
        }
        self.old_from = Some(0);
        Ok(false)
    }

    /// Gives each whole line since the last call, one after the other, in the memory of one line.
    ///
    /// Errors: a file cannot be read.
    pub fn read_lines_on(&mut self, mut show: impl FnMut(EventLine<'_>)) -> io::Result<()> {
        if self.length(&self.path)? < self.offset {
            // It was rotated away meanwhile, perhaps with lines that were not read yet.
            (self.old_from, self.offset) = (Some(self.offset), 0);
        }
        if let Some(from) = self.old_from {
            self.read_lines(&self.old, from, &mut show)?;
            self.old_from = None;
        }
        self.offset = self.read_lines(&self.path, self.offset, &mut show)?;
        Ok(())
    }

    /// How long a file is; one that is not there is empty.
    fn length(&self, path: &Path) -> io::Result<u64> {
        if !self.disk.exists(path) {
            return Ok(0);
        }
        self.disk.open_read(path)?.len()
    }

    /// Where the first line begins that begins at `from`, which is not 0, or after it.
    fn line_after(&self, path: &Path, from: u64) -> io::Result<u64> {
        let mut file = self.disk.open_read(path)?;
        // The line that the last byte before belongs to is passed over.
        let mut lines = FileLines::from(&mut *file, from - 1);
        let line = lines.next()?;
        Ok(line.map_or(from, |line| line.end))
    }

    /// Gives the whole lines of a file from an offset on. Returns where the first one begins that is not there yet.
    fn read_lines(
        &self,
        path: &Path,
        mut from: u64,
        show: &mut impl FnMut(EventLine<'_>),
    ) -> io::Result<u64> {
        if !self.disk.exists(path) {
            return Ok(from);
        }
        let mut file = self.disk.open_read(path)?;
        let mut lines = FileLines::from(&mut *file, from);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                break;
            }
            from = line.end;
            match line.text {
                Some(text) => show(EventLine::Text(&String::from_utf8_lossy(text))),
                None => show(EventLine::TooLong {
                    bytes: line.end - line.at,
                }),
            }
        }
        Ok(from)
    }
}
