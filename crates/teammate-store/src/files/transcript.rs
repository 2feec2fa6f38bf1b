//! Transcripts in files: one owner, one sealed line an entry, every append synced.

mod copy;
mod following;
mod reading;

use std::{
    io, mem,
    ops::Range,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{
        BoxFuture, Disk, DiskFile, DiskLock, FileError, OpenTranscript, ReadMark, Seal, Tail,
        Transcript, TranscriptError, TranscriptStore,
    },
    transcript::Entry,
};

pub use self::copy::UnprovenTranscript;
use self::reading::TranscriptReader;
use super::{
    Heads, blocking,
    dir::{TeamDir, durable_dir},
    failed_to,
    lines::FileLines,
    quarantine::{Quarantine, quarantine_part},
};
use crate::wire::{
    chain::{Head, LineDigest, Log},
    entry,
};

/// How long to wait for an owner that is just releasing the lock: a command that starts at that
/// moment holds a copy of the lock until it runs its own program.
const OWNER_LOCK_WAIT: Duration = Duration::from_secs(1);

/// The transcripts of a team, in `agents/<name>/transcript.jsonl`.
#[derive(Clone)]
pub struct FileTranscripts {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    seal: Arc<dyn Seal>,
    heads: Arc<Heads>,
}

impl FileTranscripts {
    /// The transcripts in `dir`, which [`TeamDir::create`] has made. Only lines with this seal are valid.
    /// Durable lines are recorded in `heads`, and a head remembered there must be in the file.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir, seal: Arc<dyn Seal>, heads: Arc<Heads>) -> Self {
        Self {
            disk,
            dir,
            seal,
            heads,
        }
    }

    fn open_now(&self, owner: &MemberName) -> Result<OpenTranscript, TranscriptError> {
        let broken = |step: &'static str| move |error| failed(owner, failed_to(step)(error));
        let (disk, path) = (&*self.disk, self.dir.transcript(owner));
        durable_dir(disk, &self.dir.agent_dir(owner)).map_err(broken("make its directory"))?;
        let lock = self.lock_owner(owner)?;
        let mut file = disk.open_append(&path).map_err(broken("open it"))?;
        let log = Log::transcript(self.seal.clone(), owner);
        let mut reading = TranscriptReader::new(&log, &path, self.heads.of(&log));
        let torn = self
            .read_into(owner, &mut reading, &mut *file)
            .map_err(broken("read it"))?;
        let lost = reading.end();
        let mut salvage = reading.notices();
        if let Some(torn) = torn {
            salvage.push(
                self.cut_torn_tail(owner, &mut *file, torn)
                    .map_err(broken("cut its torn end"))?,
            );
        }
        if let Some(last) = salvage.last_mut().filter(|_| reading.sets_aside) {
            let kept = self.dir.transcript_quarantine(owner);
            last.push_str(&format!(
                "; what does not count is kept in {}",
                kept.display()
            ));
        }
        let tail = reading.tail();
        // The last writer may have died before its sync. What is read from here on must not be lost.
        let last = match reading.last {
            Some(last) => file.sync().map(|()| last).map_err(broken("sync it"))?,
            None => disk
                .sync_dir(&self.dir.agent_dir(owner))
                .and_then(|()| write_header(&log, owner, &mut *file))
                .map_err(broken("begin it"))?,
        };
        // If the end is not proven, keep the remembered head until the next append, so that a restart
        // reports it again.
        if tail == Tail::Proven {
            self.heads.set(&log, last);
        }
        let (entries, gaps) = (reading.entries, reading.gaps);
        let len = file.len().map_err(broken("look at it"))?;
        let log = FileTranscript {
            owner: owner.clone(),
            writer: Arc::new(Mutex::new(TranscriptWriter {
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
            repairs: salvage,
            tail,
        })
    }

    /// Reads all complete lines and quarantines invalid ones. Returns the offset of a torn end.
    fn read_into(
        &self,
        owner: &MemberName,
        reading: &mut TranscriptReader<'_>,
        file: &mut dyn DiskFile,
    ) -> io::Result<Option<Range<u64>>> {
        let mut aside = Quarantine::new(&*self.disk, self.dir.transcript_quarantine(owner));
        let mut lines = FileLines::from(file, 0);
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

    /// Becomes the owner, and writes that into the lock file.
    fn lock_owner(&self, owner: &MemberName) -> Result<Box<dyn DiskLock>, TranscriptError> {
        let path = self.dir.owner_lock(owner);
        match self.disk.lock(&path, OWNER_LOCK_WAIT) {
            Ok(lock) => {
                let me = format!("process {}\n", std::process::id());
                // Only for the message that others show; the lock itself decides.
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
            Err(error) => Err(failed(owner, failed_to("lock it")(error))),
        }
    }

    /// Cuts a torn last line and quarantines it. Returns a sentence for the user.
    fn cut_torn_tail(
        &self,
        owner: &MemberName,
        file: &mut dyn DiskFile,
        torn: Range<u64>,
    ) -> io::Result<String> {
        let (kept, whole) = (self.dir.transcript_quarantine(owner), torn.start);
        let bytes = torn.end - torn.start;
        quarantine_part(&*self.disk, &kept, file, torn)?;
        file.truncate(whole)?;
        Ok(format!(
            "the last line of {} was cut off by a crash ({bytes} bytes); it is kept in {}",
            self.dir.transcript(owner).display(),
            kept.display()
        ))
    }

    fn peek_now(&self, owner: &MemberName) -> Result<Vec<Entry>, TranscriptError> {
        self.require_lockable(owner)?;
        Ok(self.peek_whole(owner)?.0)
    }

    /// What nobody can lock, nobody can open either.
    fn require_lockable(&self, owner: &MemberName) -> Result<(), TranscriptError> {
        match self.disk.read(&self.dir.owner_lock(owner)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed(owner, failed_to("lock it")(error)))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The transcript's file; nothing if it has none.
    fn open_to_read(&self, owner: &MemberName) -> io::Result<Option<Box<dyn DiskFile>>> {
        match self.disk.open_read(&self.dir.transcript(owner)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All entries, and behind which line one can read on.
    fn peek_whole(&self, owner: &MemberName) -> Result<(Vec<Entry>, Place), TranscriptError> {
        let broken = |error| failed(owner, failed_to("read it")(error));
        let Some(mut file) = self.open_to_read(owner).map_err(broken)? else {
            return Ok((Vec::new(), None));
        };
        let path = self.dir.transcript(owner);
        let log = Log::transcript(self.seal.clone(), owner);
        let mut reading = TranscriptReader::new(&log, &path, None);
        let mut lines = FileLines::from(&mut *file, 0);
        let mut end = 0;
        while let Some(line) = lines.next().map_err(broken)? {
            if line.is_whole {
                end = line.end;
                reading.line(&line);
            }
        }
        let place = reading.last.map(|last| (end, last.digest.to_string()));
        Ok((reading.entries, place))
    }
}

/// The offset behind a line, and the digest that the next one links to.
type Place = Option<(u64, String)>;

/// Writes the header of a transcript, durably or not at all.
fn write_header(log: &Log, owner: &MemberName, file: &mut dyn DiskFile) -> io::Result<Head> {
    let start = file.len()?;
    let line = log.line(&entry::header(owner), LineDigest::NONE);
    let written = file
        .append(format!("{line}\n").as_bytes())
        .and_then(|()| file.sync());
    if let Err(error) = written {
        // Not synced again: the next open would rely on a line that only seems to be there.
        let _ = file.truncate(start);
        return Err(error);
    }
    Ok(behind(None, &line))
}

/// The head after `line` is appended to `last`.
fn behind(last: Option<Head>, line: &str) -> Head {
    Head {
        number: last.map_or(0, |last| last.number + 1),
        digest: LineDigest::of(line.as_bytes()),
    }
}

fn failed(owner: &MemberName, why: FileError) -> TranscriptError {
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
                .unwrap_or_else(|why| Err(failed(owner, why)))
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
                .unwrap_or_else(|why| Err(failed(owner, why)))
        })
    }

    fn peek_from<'a>(
        &'a self,
        owner: &'a MemberName,
        mark: ReadMark,
    ) -> BoxFuture<'a, Result<(Vec<Entry>, ReadMark), TranscriptError>> {
        let (this, name) = (self.clone(), owner.clone());
        Box::pin(async move {
            blocking(move || this.peek_from_now(&name, &mark))
                .await
                .unwrap_or_else(|why| Err(failed(owner, why)))
        })
    }
}

/// An owned transcript. A dropped append still completes; the next one waits for it.
struct FileTranscript {
    owner: MemberName,
    writer: Arc<Mutex<TranscriptWriter>>,
}

struct TranscriptWriter {
    file: Box<dyn DiskFile>,
    log: Log,
    heads: Arc<Heads>,
    /// The last valid line.
    last: Head,
    /// The end of the last complete entry.
    len: u64,
    /// True if the file is known to end there.
    is_clean: bool,
    _lock: Box<dyn DiskLock>,
}

impl TranscriptWriter {
    fn append(&mut self, object: &str) -> io::Result<()> {
        let line = self.log.line(object, self.last.digest);
        if !mem::replace(&mut self.is_clean, false) {
            self.file.truncate(self.len)?;
        }
        let bytes = format!("{line}\n").into_bytes();
        let written = self.file.append(&bytes).and_then(|()| self.file.sync());
        // Also after a failed sync, which must not be tried again: the entry is removed.
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
        let object = entry::to_json(entry);
        Box::pin(async move {
            let written = blocking(move || writer.hold().append(&object)).await;
            written
                .and_then(|result| result.map_err(failed_to("write to it")))
                .map_err(|why| failed(&self.owner, why))
        })
    }
}
