//! What happened in a team, as it was written down for people. The log proves nothing: it is only shown, and can be read of any
//! team's directory, also of one that is not opened.

use std::{path::PathBuf, sync::Arc};

use teammate_core::port::Disk;
use teammate_store::files::Lines;

use crate::{TeamError, outside::Existing, place::TeamPlace};

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

/// The event log of a team, read on and on.
pub struct EventLog {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    /// Where the first line is that was not read yet.
    offset: u64,
}

impl EventLog {
    /// The log of a team, whoever it belongs to; a workspace stands for its default team.
    ///
    /// Errors: there is no team, or its directory cannot be used. A log of more than `read_max` bytes is an error later.
    pub fn of(place: impl Into<TeamPlace>, read_max: u64) -> Result<Self, TeamError> {
        let files = Existing::open(&place.into(), read_max)?;
        Ok(Self {
            path: files.dir.events(),
            disk: files.disk,
            offset: 0,
        })
    }

    /// Goes to the first line that begins in the last `bytes` of the log. False if all of it is shorter than that: then the
    /// first line of all comes next.
    ///
    /// Errors: the file cannot be read.
    pub fn go_near_end(&mut self, bytes: u64) -> Result<bool, TeamError> {
        self.offset = 0;
        if !self.disk.exists(&self.path) {
            return Ok(false);
        }
        let broken = |error: std::io::Error| TeamError::Files(error.to_string());
        let mut file = self.disk.open_read(&self.path).map_err(broken)?;
        let from = file.len().map_err(broken)?.saturating_sub(bytes);
        if from == 0 {
            return Ok(false);
        }
        // The line that the last byte before belongs to is passed over.
        let mut lines = Lines::from(&mut *file, from - 1);
        if let Some(line) = lines.next().map_err(broken)? {
            self.offset = line.end;
        }
        Ok(true)
    }

    /// Gives each whole line since the last call, one after the other, in the memory of one line.
    ///
    /// Errors: the file cannot be read.
    pub fn read_on(&mut self, mut show: impl FnMut(EventLine<'_>)) -> Result<(), TeamError> {
        if !self.disk.exists(&self.path) {
            return Ok(());
        }
        let broken = |error: std::io::Error| TeamError::Files(error.to_string());
        let mut file = self.disk.open_read(&self.path).map_err(broken)?;
        if file.len().map_err(broken)? < self.offset {
            // A new log has begun.
            self.offset = 0;
        }
        let mut lines = Lines::from(&mut *file, self.offset);
        while let Some(line) = lines.next().map_err(broken)? {
            if !line.is_whole {
                break;
            }
            self.offset = line.end;
            match line.text {
                Some(text) => show(EventLine::Text(&String::from_utf8_lossy(text))),
                None => show(EventLine::TooLong {
                    bytes: line.end - line.at,
                }),
            }
        }
        Ok(())
    }
}
