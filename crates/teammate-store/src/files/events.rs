//! Events in files: `events.jsonl`, and what of it was set aside. `writing` appends, `reading` reads, `numbers` says where the
//! numbers go on.

mod numbers;
mod reading;
mod writing;

use std::sync::{Arc, Once};

use teammate_core::{
    event::Event,
    port::{BoxFuture, Disk, EventReader, EventStore, FileError},
};

use super::{blocking, dir::TeamDir};
pub use reading::{EventFiles, EventLine};

/// The event log of a team's directory.
#[derive(Clone)]
pub struct FileEvents {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    /// Whether the line that a crash has torn was ended, before the first append.
    is_mended: Arc<Once>,
}

impl FileEvents {
    /// The log in `dir`.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir) -> Self {
        Self {
            disk,
            dir,
            is_mended: Arc::new(Once::new()),
        }
    }

    fn write(&self, lines: &[u8]) -> Result<(), FileError> {
        let path = self.dir.events();
        self.is_mended.call_once(|| {
            // What cannot be written stops nothing.
            let _ = writing::end_torn_line(&*self.disk, &path);
        });
        writing::append(&*self.disk, &path, lines).map_err(|error| error.to_string().into())
    }
}

impl EventStore for FileEvents {
    fn next_number(&self) -> BoxFuture<'_, u64> {
        Box::pin(async { numbers::next_number(&*self.disk, &self.dir) })
    }

    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), FileError>> {
        let (log, lines) = (self.clone(), writing::lines(events));
        Box::pin(async move {
            blocking(move || log.write(&lines))
                .await
                .unwrap_or_else(Err)
        })
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(EventFiles::new(self.disk.clone(), &self.dir))
    }
}

impl EventReader for EventFiles {
    fn read_on<'a>(
        &'a mut self,
        give: &'a mut (dyn FnMut(Arc<Event>) + Send),
    ) -> BoxFuture<'a, Result<(), FileError>> {
        Box::pin(async move {
            let read = self.read_lines_on(|line| {
                // Lines of another version that cannot be read are passed over.
                if let EventLine::Text(line) = line
                    && let Ok(event) = serde_json::from_str::<Event>(line)
                {
                    give(Arc::new(event));
                }
            });
            read.map_err(|error| error.to_string().into())
        })
    }
}
