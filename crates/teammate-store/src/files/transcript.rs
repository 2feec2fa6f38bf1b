//! Transcripts in files: one owner, one line an entry, every append synced.

use std::{
    io, mem,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{
        BoxFuture, Disk, DiskFile, DiskLock, OpenTranscript, Transcript, TranscriptError,
        TranscriptStore,
    },
    transcript::Entry,
};

use super::{
    blocking, cannot,
    dir::{TeamDir, durable_dir, keep_aside},
};
use crate::{locked, wire};

/// The transcripts of a team, in `agents/<name>/transcript.jsonl`.
#[derive(Clone)]
pub struct FileTranscripts {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
}

impl FileTranscripts {
    /// The transcripts in `dir`, which [`TeamDir::create`] has made.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir) -> Self {
        Self { disk, dir }
    }

    fn open_now(&self, owner: &MemberName) -> Result<OpenTranscript, TranscriptError> {
        let broken = |step: &'static str| move |error| broken(owner, cannot(step)(error));
        let disk = &*self.disk;
        durable_dir(disk, &self.dir.agent_dir(owner)).map_err(broken("make its directory"))?;
        let lock = self.own(owner)?;
        let mut file = disk
            .open_append(&self.dir.transcript(owner))
            .map_err(broken("open it"))?;
        let mut bytes = file.read_from(0).map_err(broken("read it"))?;
        let mut salvage = Vec::new();
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        if whole < bytes.len() {
            salvage.push(
                self.cut(owner, &mut *file, &bytes, whole)
                    .map_err(broken("cut its torn end"))?,
            );
            bytes.truncate(whole);
        }
        if bytes.is_empty() {
            bytes = wire::entry::header(owner);
            disk.sync_dir(&self.dir.agent_dir(owner))
                .and_then(|()| file.append(&bytes))
                .map_err(broken("begin it"))?;
        }
        // Whoever wrote last may have died before it synced. What is read from here on must not be lost any more.
        file.sync().map_err(broken("sync it"))?;
        let read = wire::entry::read_all(&bytes);
        salvage.extend(read.damaged.into_iter().map(|(line, why)| {
            format!(
                "line {line} of {} cannot be read ({why}); it is kept there",
                self.dir.transcript(owner).display()
            )
        }));
        let log = FileTranscript {
            owner: owner.clone(),
            tail: Arc::new(Mutex::new(Tail {
                file,
                len: bytes.len() as u64,
                is_clean: true,
                _lock: lock,
            })),
        };
        Ok(OpenTranscript {
            log: Box::new(log),
            entries: read.entries,
            salvage,
        })
    }

    /// Becomes the one owner, and says so in the lock file.
    fn own(&self, owner: &MemberName) -> Result<Box<dyn DiskLock>, TranscriptError> {
        let path = self.dir.owner_lock(owner);
        match self.disk.lock(&path, Duration::ZERO) {
            Ok(lock) => {
                let me = format!("process {}\n", std::process::id());
                // Only for the message that others read; the lock itself is what counts.
                let _ = self.disk.write(&path, me.as_bytes());
                Ok(lock)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let by = self.disk.read(&path).unwrap_or_default();
                let by = String::from_utf8_lossy(&by);
                let by = match by.trim() {
                    "" => "in another process",
                    by => by,
                };
                Err(TranscriptError::Owned {
                    owner: owner.clone(),
                    by: by.to_owned(),
                })
            }
            Err(error) => Err(broken(owner, cannot("lock it")(error))),
        }
    }

    /// Cuts what a crash left of a line, keeping it aside. Returns what to tell a person.
    fn cut(
        &self,
        owner: &MemberName,
        file: &mut dyn DiskFile,
        bytes: &[u8],
        whole: usize,
    ) -> io::Result<String> {
        let kept = self.dir.transcript_bad(owner);
        keep_aside(&*self.disk, &kept, &[&bytes[whole..], b"\n"].concat())?;
        file.truncate(whole as u64)?;
        Ok(format!(
            "the last line of {} was cut off by a crash ({} bytes); it is kept in {}",
            self.dir.transcript(owner).display(),
            bytes.len() - whole,
            kept.display()
        ))
    }

    fn peek_now(&self, owner: &MemberName) -> Result<Vec<Entry>, TranscriptError> {
        let mut bytes = match self.disk.read(&self.dir.transcript(owner)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(broken(owner, cannot("read it")(error))),
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |at| at + 1));
        Ok(wire::entry::read_all(&bytes).entries)
    }
}

fn broken(owner: &MemberName, why: String) -> TranscriptError {
    TranscriptError::Broken {
        owner: owner.clone(),
        why,
    }
}

impl TranscriptStore for FileTranscripts {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        let (this, name) = (self.clone(), owner.clone());
        Box::pin(async move {
            blocking(move || this.open_now(&name))
                .await
                .unwrap_or_else(|why| Err(broken(owner, why)))
        })
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        let (this, name) = (self.clone(), owner.clone());
        Box::pin(async move {
            blocking(move || this.peek_now(&name))
                .await
                .unwrap_or_else(|why| Err(broken(owner, why)))
        })
    }
}

/// An owned transcript. An append that was given up goes on by itself; the next one waits for it.
struct FileTranscript {
    owner: MemberName,
    tail: Arc<Mutex<Tail>>,
}

struct Tail {
    file: Box<dyn DiskFile>,
    /// Where the last whole entry ends.
    len: u64,
    /// Whether the file surely ends there.
    is_clean: bool,
    _lock: Box<dyn DiskLock>,
}

impl Tail {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if !mem::replace(&mut self.is_clean, false) {
            self.file.truncate(self.len)?;
        }
        let written = self.file.append(line).and_then(|()| self.file.sync());
        match written {
            Ok(()) => self.len += line.len() as u64,
            // Also after a failed sync: it must not be tried again, so the entry is taken back.
            Err(error) => {
                self.is_clean = self.file.truncate(self.len).is_ok();
                return Err(error);
            }
        }
        self.is_clean = true;
        Ok(())
    }
}

impl Transcript for FileTranscript {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        let tail = self.tail.clone();
        let line = wire::entry::write(entry);
        Box::pin(async move {
            let written = blocking(move || locked(&tail).append(&line)).await;
            written
                .and_then(|result| result.map_err(cannot("write to it")))
                .map_err(|why| broken(&self.owner, why))
        })
    }
}
