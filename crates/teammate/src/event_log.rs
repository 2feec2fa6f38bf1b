//! What happened in a team, as it was written down for the user. The log proves nothing: it is only shown, and can be read of any
//! team's directory, also of one that is not opened.

mod numbers;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::Disk;
use teammate_store::files::{Lines, TeamDir};

pub(crate) use self::numbers::next_number;
use crate::{TeamError, client::Existing, place::TeamPlace};

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
pub struct EventLog {
    disk: Arc<dyn Disk>,
    old: PathBuf,
    path: PathBuf,
    /// Where in the rotated file the first line is that was not read yet; nothing, once all of it was.
    old_from: Option<u64>,
    /// The same in the file that is written now.
    offset: u64,
}

impl EventLog {
    /// The log of a team of any user; a workspace means its default team.
    ///
    /// Errors: there is no team, or its directory cannot be used. A log of more than `read_max` bytes is an error later.
    pub fn of(place: impl Into<TeamPlace>, read_max: u64) -> Result<Self, TeamError> {
        let files = Existing::open(&place.into(), read_max)?;
        Ok(Self::of_files(files.disk, &files.dir))
    }

    pub(crate) fn of_files(disk: Arc<dyn Disk>, dir: &TeamDir) -> Self {
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
    pub fn go_near_end(&mut self, bytes: u64) -> Result<bool, TeamError> {
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
    pub fn read_on(&mut self, mut show: impl FnMut(EventLine<'_>)) -> Result<(), TeamError> {
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
    fn length(&self, path: &Path) -> Result<u64, TeamError> {
        if !self.disk.exists(path) {
            return Ok(0);
        }
        let file = self.disk.open_read(path).map_err(|error| broken(&error))?;
        file.len().map_err(|error| broken(&error))
    }

    /// Where the first line begins that begins at `from`, which is not 0, or after it.
    fn line_after(&self, path: &Path, from: u64) -> Result<u64, TeamError> {
        let mut file = self.disk.open_read(path).map_err(|error| broken(&error))?;
        // The line that the last byte before belongs to is passed over.
        let mut lines = Lines::from(&mut *file, from - 1);
        let line = lines.next().map_err(|error| broken(&error))?;
        Ok(line.map_or(from, |line| line.end))
    }

    /// Gives the whole lines of a file from an offset on. Returns where the first one begins that is not there yet.
    fn read_lines(
        &self,
        path: &Path,
        mut from: u64,
        show: &mut impl FnMut(EventLine<'_>),
    ) -> Result<u64, TeamError> {
        if !self.disk.exists(path) {
            return Ok(from);
        }
        let mut file = self.disk.open_read(path).map_err(|error| broken(&error))?;
        let mut lines = Lines::from(&mut *file, from);
        while let Some(line) = lines.next().map_err(|error| broken(&error))? {
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

fn broken(error: &std::io::Error) -> TeamError {
    TeamError::Storage(error.to_string())
}
