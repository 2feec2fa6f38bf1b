//! The file of the log, to which several processes add lines: the program that runs the team, and those that answer it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};
use teammate_core::{
    audit::{AuditEntry, AuditEvent},
    lock::Hold,
    port::{AuditError, AuditLog, Clock},
};
use teammate_store::{
    disk::{open_regular, read_regular},
    files::Head,
    wire::chain::{LineDigest, Log},
};

use super::AuditRecord;
use crate::{
    ownership::KnownTeams,
    project::{UserDirs, UserState, UserStateError},
};

/// How long other processes are waited for, which write for microseconds.
const LOCK_WAIT: Duration = Duration::from_secs(2);
const LOCK_PAUSE: Duration = Duration::from_millis(1);
/// How long the file of the head is: more than any head, so that a shorter one covers a longer one.
const HEAD_BYTES: usize = 128;
/// How much of the end is read first to find the last line.
const END_BYTES: u64 = 64 << 10;

/// The file, and what seals its lines.
pub(crate) struct AuditFile {
    path: PathBuf,
    pub(super) log: Log,
    opened: Mutex<Option<Opened>>,
}

/// The files, and the end of the log as this process left it.
struct Opened {
    file: File,
    /// Holds how far the log went.
    head: File,
    bytes: Option<u64>,
    last: Option<Head>,
}

struct Locked(File);

impl AuditFile {
    /// That of the team with this key, in a workspace; `None` if nothing can be kept for the user, or nothing could be proven.
    ///
    /// Errors: its directory cannot be made.
    pub(crate) fn of(
        user: &UserDirs,
        workspace: &Path,
        key: &Path,
    ) -> Result<Option<Self>, UserStateError> {
        let Some(seal) = KnownTeams::of_user(user, workspace).audit_seal(key) else {
            return Ok(None);
        };
        let dir = UserState::at(user.state.as_deref(), "audit").also_within_workspaces();
        Ok(Some(Self {
            path: dir.file(key, "jsonl")?,
            log: Log::audit(seal),
            opened: Mutex::default(),
        }))
    }

    /// Adds what is about the team and nobody in it.
    pub(crate) fn note(&self, clock: &dyn Clock, what: AuditEvent) -> Result<(), AuditError> {
        self.record(&AuditEntry {
            at: clock.now(),
            pid: std::process::id(),
            member: None,
            what,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The lines that are there, without their ends; the last may be cut off.
    pub(super) fn lines(&self) -> io::Result<Box<dyn Iterator<Item = io::Result<String>>>> {
        let file = match open_regular(OpenOptions::new().read(true), &self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Box::new(std::iter::empty()));
            }
            Err(error) => return Err(error),
        };
        let lines = BufReader::new(file).split(b'\n');
        Ok(Box::new(lines.map(|line| {
            Ok(String::from_utf8_lossy(&line?).into_owned())
        })))
    }

    /// How far the log went when a line was last written.
    pub(super) fn remembered(&self) -> io::Result<Option<Head>> {
        match read_regular(&self.head_path()) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Syncs the file: everything written so far is on the disk when this returns.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match open_regular(OpenOptions::new().read(true), &self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            opened => opened?.sync_all(),
        }
    }

    fn head_path(&self) -> PathBuf {
        self.path.with_extension("head")
    }

    fn add(&self, entry: &AuditEntry) -> io::Result<()> {
        let mut opened = self.opened.hold();
        let opened = match opened.take() {
            Some(known) if known.is_in_place()? => opened.insert(known),
            Some(_) | None => opened.insert(self.open()?),
        };
        let _others_wait = self.lock(&opened.file)?;
        let bytes = opened.file.metadata()?.len();
        if opened.bytes != Some(bytes) {
            opened.last = self.end(&mut opened.file, bytes)?;
            if !ends_with_line(&mut opened.file, bytes)? {
                // A line that a crash of the machine cut off gets its end: it stays, and is found.
                opened.file.write_all(b"\n")?;
            }
        }
        let record = AuditRecord {
            n: opened.last.map_or(0, |last| last.number + 1),
            entry: entry.clone(),
        };
        let prev = opened.last.map_or(LineDigest::NONE, |last| last.digest);
        let line = self.log.line(&serde_json::to_string(&record)?, prev);
        let head = Head {
            number: record.n,
            digest: LineDigest::of(line.as_bytes()),
        };
        opened.file.write_all(format!("{line}\n").as_bytes())?;
        let text = serde_json::to_string(&head)?;
        opened
            .head
            .write_all_at(format!("{text:HEAD_BYTES$}").as_bytes(), 0)?;
        opened.bytes = Some(opened.file.metadata()?.len());
        opened.last = Some(head);
        Ok(())
    }

    fn open(&self) -> io::Result<Opened> {
        if let Some(dir) = self.path.parent() {
            fs::create_dir_all(dir)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).create(true).mode(0o600);
        Ok(Opened {
            file: open_regular(options.clone().append(true), &self.path)?,
            head: open_regular(options.write(true), &self.head_path())?,
            bytes: None,
            last: None,
        })
    }

    /// No other process writes to the file until this is dropped.
    fn lock(&self, file: &File) -> io::Result<Locked> {
        let file = file.try_clone()?;
        let begun = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Locked(file)),
                Err(Errno::WOULDBLOCK) if begun.elapsed() < LOCK_WAIT => thread::sleep(LOCK_PAUSE),
                Err(Errno::WOULDBLOCK) => {
                    let why = format!("another process holds {}", self.path.display());
                    return Err(io::Error::other(why));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The last line, also if it was removed meanwhile: what follows does not close the gap. What cannot be read remembers
    /// nothing.
    fn end(&self, file: &mut File, bytes: u64) -> io::Result<Option<Head>> {
        let last = self.last_line(file, bytes)?;
        let remembered = self.remembered().unwrap_or(None);
        let latest = last.into_iter().chain(remembered);
        Ok(latest.max_by_key(|head| head.number))
    }

    /// The last line that bears the seal.
    fn last_line(&self, file: &mut File, bytes: u64) -> io::Result<Option<Head>> {
        let mut wanted = END_BYTES;
        loop {
            let from = bytes.saturating_sub(wanted);
            file.seek(SeekFrom::Start(from))?;
            let mut text = Vec::new();
            file.take(bytes - from).read_to_end(&mut text)?;
            // The first line of a part may have begun before it: then it does not bear the seal.
            let found = text.split(|byte| *byte == b'\n').rev().find_map(|line| {
                let linked = self.log.opened(line)?;
                let record: AuditRecord = serde_json::from_slice(line).ok()?;
                Some(Head {
                    number: record.n,
                    digest: linked.digest,
                })
            });
            if found.is_some() || from == 0 {
                return Ok(found);
            }
            wanted = wanted.saturating_mul(4);
        }
    }
}

impl Opened {
    /// Whether it is still the file that others see.
    fn is_in_place(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.nlink() > 0 && self.head.metadata()?.nlink() > 0)
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing a copy would not do it.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

impl AuditLog for AuditFile {
    fn record(&self, entry: &AuditEntry) -> Result<(), AuditError> {
        self.add(entry)
            .map_err(|error| AuditError(error.to_string()))
    }
}

fn ends_with_line(file: &mut File, bytes: u64) -> io::Result<bool> {
    let Some(last) = bytes.checked_sub(1) else {
        return Ok(true);
    };
    file.seek(SeekFrom::Start(last))?;
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    Ok(byte == [b'\n'])
}
