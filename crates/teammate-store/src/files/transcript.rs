//! Transcripts in files: one owner, one sealed line an entry, every append synced.

mod copy;
mod reading;

use std::{
    io, mem,
    ops::Range,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{
        BoxFuture, Disk, DiskFile, DiskLock, FileError, OpenTranscript, Seal, Tail, Transcript,
        TranscriptError, TranscriptStore,
    },
    transcript::Entry,
};

pub use self::copy::UnprovenTranscript;
use self::reading::Reading;
use super::{
    Heads,
    aside::{Aside, keep_part_aside},
    blocking, cannot,
    dir::{TeamDir, durable_dir},
    lines::Lines,
};
use crate::{
    locked,
    wire::{
        chain::{Digest, Head, Log},
        entry,
    },
};

/// How long an owner that is just letting go is waited for: a command that starts at that moment holds a copy of the lock until it
/// runs its own program.
const OWN_WITHIN: Duration = Duration::from_secs(1);

/// The transcripts of a team, in `agents/<name>/transcript.jsonl`.
#[derive(Clone)]
pub struct FileTranscripts {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    seal: Arc<dyn Seal>,
    heads: Arc<Heads>,
}

impl FileTranscripts {
    /// The transcripts in `dir`, which [`TeamDir::create`] has made. Only lines with this seal count; `heads` hears of what
    /// is durable, and what it remembers should be there.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir, seal: Arc<dyn Seal>, heads: Arc<Heads>) -> Self {
        Self {
            disk,
            dir,
            seal,
            heads,
        }
    }

    fn open_now(&self, owner: &MemberName) -> Result<OpenTranscript, TranscriptError> {
        let broken = |step: &'static str| move |error| broken(owner, cannot(step)(error));
        let (disk, path) = (&*self.disk, self.dir.transcript(owner));
        durable_dir(disk, &self.dir.agent_dir(owner)).map_err(broken("make its directory"))?;
        let lock = self.own(owner)?;
        let mut file = disk.open_append(&path).map_err(broken("open it"))?;
        let log = Log::transcript(self.seal.clone(), owner);
        let mut reading = Reading::new(&log, &path, self.heads.of(&log));
        let torn = self
            .read_into(owner, &mut reading, &mut *file)
            .map_err(broken("read it"))?;
        let lost = reading.end();
        let mut salvage = reading.said();
        if let Some(torn) = torn {
            salvage.push(
                self.cut(owner, &mut *file, torn)
                    .map_err(broken("cut its torn end"))?,
            );
        }
        if let Some(last) = salvage.last_mut().filter(|_| reading.sets_aside) {
            let kept = self.dir.transcript_bad(owner);
            last.push_str(&format!(
                "; what does not count is kept in {}",
                kept.display()
            ));
        }
        let tail = reading.tail();
        // Whoever wrote last may have died before it synced. What is read from here on must not be lost any more.
        let last = match reading.last {
            Some(last) => file.sync().map(|()| last).map_err(broken("sync it"))?,
            None => disk
                .sync_dir(&self.dir.agent_dir(owner))
                .and_then(|()| begin(&log, owner, &mut *file))
                .map_err(broken("begin it"))?,
        };
        // In doubt, what is remembered stays until something new is written: a restart must see the doubt again.
        if tail == Tail::Proven {
            self.heads.set(&log, last);
        }
        let (entries, gaps) = (reading.entries, reading.gaps);
        let len = file.len().map_err(broken("look at it"))?;
        let log = FileTranscript {
            owner: owner.clone(),
            writer: Arc::new(Mutex::new(Writer {
                file,
                log,
                heads: self.heads.clone(),
                // Lost lines keep their numbers.
                last: Head {
                    number: last.number + lost,
                    ..last
                },
                len,
                is_clean: true,
                _lock: lock,
            })),
        };
        Ok(OpenTranscript {
            log: Box::new(log),
            entries,
            gaps,
            salvage,
            tail,
        })
    }

    /// Reads all whole lines and keeps aside what does not count. Returns where the torn end is, if there is one.
    fn read_into(
        &self,
        owner: &MemberName,
        reading: &mut Reading<'_>,
        file: &mut dyn DiskFile,
    ) -> io::Result<Option<Range<u64>>> {
        let mut aside = Aside::new(&*self.disk, self.dir.transcript_bad(owner));
        let mut lines = Lines::from(file, 0);
        while let Some(line) = lines.next()? {
            if !line.is_whole {
                aside.write()?;
                return Ok(Some(line.at..line.end));
            }
            if let Some(bad) = reading.line(&line) {
                aside.keep(bad)?;
            }
        }
        aside.write()?;
        Ok(None)
    }

    /// Becomes the one owner, and says so in the lock file.
    fn own(&self, owner: &MemberName) -> Result<Box<dyn DiskLock>, TranscriptError> {
        let path = self.dir.owner_lock(owner);
        match self.disk.lock(&path, OWN_WITHIN) {
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
        torn: Range<u64>,
    ) -> io::Result<String> {
        let (kept, whole) = (self.dir.transcript_bad(owner), torn.start);
        let bytes = torn.end - torn.start;
        keep_part_aside(&*self.disk, &kept, file, torn)?;
        file.truncate(whole)?;
        Ok(format!(
            "the last line of {} was cut off by a crash ({bytes} bytes); it is kept in {}",
            self.dir.transcript(owner).display(),
            kept.display()
        ))
    }

    fn peek_now(&self, owner: &MemberName) -> Result<Vec<Entry>, TranscriptError> {
        let broken = |error| broken(owner, cannot("read it")(error));
        let path = self.dir.transcript(owner);
        let mut file = match self.disk.open_read(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(broken(error)),
        };
        let log = Log::transcript(self.seal.clone(), owner);
        let mut reading = Reading::new(&log, &path, None);
        let mut lines = Lines::from(&mut *file, 0);
        while let Some(line) = lines.next().map_err(broken)? {
            if line.is_whole {
                reading.line(&line);
            }
        }
        Ok(reading.entries)
    }
}

/// Writes the first line of a transcript, durably or not at all.
fn begin(log: &Log, owner: &MemberName, file: &mut dyn DiskFile) -> io::Result<Head> {
    let start = file.len()?;
    let line = log.line(&entry::header(owner), Digest::NONE);
    let written = file
        .append(format!("{line}\n").as_bytes())
        .and_then(|()| file.sync());
    if let Err(error) = written {
        // Not synced again: the next open would follow a line that only seems to be there.
        let _ = file.truncate(start);
        return Err(error);
    }
    Ok(behind(None, &line))
}

/// The place of a line that is appended after `last`.
fn behind(last: Option<Head>, line: &str) -> Head {
    Head {
        number: last.map_or(0, |last| last.number + 1),
        digest: Digest::of(line.as_bytes()),
    }
}

fn broken(owner: &MemberName, why: FileError) -> TranscriptError {
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
    writer: Arc<Mutex<Writer>>,
}

struct Writer {
    file: Box<dyn DiskFile>,
    log: Log,
    heads: Arc<Heads>,
    /// The last line that counts.
    last: Head,
    /// Where the last whole entry ends.
    len: u64,
    /// Whether the file surely ends there.
    is_clean: bool,
    _lock: Box<dyn DiskLock>,
}

impl Writer {
    fn append(&mut self, object: &str) -> io::Result<()> {
        let line = self.log.line(object, self.last.digest);
        if !mem::replace(&mut self.is_clean, false) {
            self.file.truncate(self.len)?;
        }
        let bytes = format!("{line}\n").into_bytes();
        let written = self.file.append(&bytes).and_then(|()| self.file.sync());
        // Also after a failed sync: it must not be tried again, so the entry is taken back.
        if let Err(error) = written {
            self.is_clean = self.file.truncate(self.len).is_ok();
            return Err(error);
        }
        self.len += bytes.len() as u64;
        self.is_clean = true;
        self.last = behind(Some(self.last), &line);
        self.heads.set(&self.log, self.last);
        Ok(())
    }
}

impl Transcript for FileTranscript {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        let writer = self.writer.clone();
        let object = entry::object(entry);
        Box::pin(async move {
            let written = blocking(move || locked(&writer).append(&object)).await;
            written
                .and_then(|result| result.map_err(cannot("write to it")))
                .map_err(|why| broken(&self.owner, why))
        })
    }
}
