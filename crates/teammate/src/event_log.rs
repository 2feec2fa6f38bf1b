//! The event log: what happened in a team, as it was written down for the user. The log proves nothing: it is only shown, and
//! can be read of any team's directory, also of one that is not opened.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    event::Event,
    port::{Doorbells, EventReader},
};
use teammate_store::files::EventFiles;
pub use teammate_store::files::EventLine;
use tokio::time::sleep;

use crate::{HistoryWatch, TeamError, existing::Existing, place::TeamPlace};

/// How often a log in files is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The event log of a team, read on and on: of its directory, where what was rotated away comes first, or of the store that it is
/// kept in.
pub struct EventLog(Kept);

enum Kept {
    Files(EventFiles),
    Store(StoreEvents),
}

struct StoreEvents {
    reader: Box<dyn EventReader>,
    doorbells: Arc<dyn Doorbells>,
    watch: Option<HistoryWatch>,
}

impl EventLog {
    /// The log of a team of any user; a workspace means its default team.
    ///
    /// Errors: there is no team, or its directory cannot be used. A log of more than `read_max` bytes is an error later.
    pub fn of(place: impl Into<TeamPlace>, read_max: u64) -> Result<Self, TeamError> {
        let place = place.into();
        if let Some(store) = place.store() {
            let store = store.open();
            return Ok(Self(Kept::Store(StoreEvents {
                reader: store.events.reader(),
                doorbells: store.doorbells,
                watch: None,
            })));
        }
        let files = Existing::open(&place, read_max)?;
        Ok(Self(Kept::Files(EventFiles::new(files.disk, &files.dir))))
    }

    /// Goes to the first line that begins in the last `bytes` of the log. False if all of it is shorter than that, or in a store,
    /// which is read from its beginning: then the first line of all comes next.
    ///
    /// Errors: a file cannot be read.
    pub fn go_near_end(&mut self, bytes: u64) -> Result<bool, TeamError> {
        match &mut self.0 {
            Kept::Files(files) => files.go_near_end(bytes).map_err(|error| broken(&error)),
            Kept::Store(_) => Ok(false),
        }
    }

    /// Gives each whole line since the last call, one after the other, in the memory of one line.
    ///
    /// Errors: a file cannot be read.
    pub async fn read_on(
        &mut self,
        mut show: impl FnMut(EventLine<'_>) + Send,
    ) -> Result<(), TeamError> {
        let events = match &mut self.0 {
            Kept::Files(files) => return files.read_lines_on(show).map_err(|error| broken(&error)),
            Kept::Store(events) => &mut events.reader,
        };
        let mut give = |event: Arc<Event>| {
            if let Ok(line) = serde_json::to_string(&*event) {
                show(EventLine::Text(&line));
            }
        };
        let read = events.read_on(&mut give).await;
        read.map_err(|error| TeamError::Storage(error.to_string()))
    }

    /// Resolves when there may be more to read: files are looked at again and again, a store rings.
    pub async fn changed(&mut self) {
        let events = match &mut self.0 {
            Kept::Files(_) => return sleep(LOOK_EVERY).await,
            Kept::Store(events) => events,
        };
        match &events.watch {
            Some(watch) => watch.changed().await,
            // What was written before it began is read at once.
            None => events.watch = Some(HistoryWatch::of(&*events.doorbells)),
        }
    }
}

fn broken(error: &std::io::Error) -> TeamError {
    TeamError::Storage(error.to_string())
}
