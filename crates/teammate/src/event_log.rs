//! What happened in a team, as it was written down for the user. The log proves nothing: it is only shown, and can be read of any
//! team's directory, also of one that is not opened.

use teammate_store::files::EventFiles;
pub use teammate_store::files::EventLine;

use crate::{TeamError, client::Existing, place::TeamPlace};

/// The event log of a team's directory, read on and on: what was rotated away comes first, then what is written now.
pub struct EventLog(EventFiles);

impl EventLog {
    /// The log of a team of any user; a workspace means its default team.
    ///
    /// Errors: there is no team, or its directory cannot be used. A log of more than `read_max` bytes is an error later.
    pub fn of(place: impl Into<TeamPlace>, read_max: u64) -> Result<Self, TeamError> {
        let files = Existing::open(&place.into(), read_max)?;
        Ok(Self(EventFiles::new(files.disk, &files.dir)))
    }

    /// Goes to the first line that begins in the last `bytes` of the log. False if all of it is shorter than that: then the
    /// first line of all comes next.
    ///
    /// Errors: a file cannot be read.
    pub fn go_near_end(&mut self, bytes: u64) -> Result<bool, TeamError> {
        self.0.go_near_end(bytes).map_err(|error| broken(&error))
    }

    /// Gives each whole line since the last call, one after the other, in the memory of one line.
    ///
    /// Errors: a file cannot be read.
    pub fn read_on(&mut self, show: impl FnMut(EventLine<'_>)) -> Result<(), TeamError> {
        self.0.read_lines_on(show).map_err(|error| broken(&error))
    }
}

fn broken(error: &std::io::Error) -> TeamError {
    TeamError::Storage(error.to_string())
}
