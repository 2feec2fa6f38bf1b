//! Shared by the tests: a team's files, and lines as they stand there.
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test file uses some of it"
)]

use std::sync::Arc;

use teammate_core::{
    port::{Disk, Seal},
    transcript::Entry,
};
use teammate_store::{
    clock::SystemClock,
    disk::TeamDisk,
    files::{FileJournal, FileMailbox, FileTranscripts, Heads, TeamDir},
    seal::HmacSeal,
    wire::{
        self,
        chain::{LineDigest, Log},
    },
};
use teammate_testkit::sim::SimDisk;
pub use teammate_testkit::stories::{ids, mail, name};

/// The files of a team.
#[derive(Clone)]
pub struct Files {
    pub disk: Arc<dyn Disk>,
    pub dir: TeamDir,
    _temporary: Option<Arc<tempfile::TempDir>>,
}

impl Files {
    pub fn real() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join(".team");
        let disk: Arc<dyn Disk> = Arc::new(TeamDisk::create(&root).unwrap());
        Self {
            dir: TeamDir::create(&*disk, root).unwrap(),
            disk,
            _temporary: Some(Arc::new(temporary)),
        }
    }

    pub fn simulated() -> Self {
        let disk = SimDisk::new();
        TeamDir::create(&disk, "/team").unwrap();
        Self::at(Arc::new(disk), "/team")
    }

    /// A directory that is there already.
    pub fn at(disk: Arc<dyn Disk>, root: &str) -> Self {
        Self {
            dir: TeamDir::at(root),
            disk,
            _temporary: None,
        }
    }

    pub fn mailbox(&self) -> FileMailbox {
        self.mailbox_of(seal())
    }

    /// The mailboxes as somebody with another key sees them.
    pub fn mailbox_of(&self, seal: Arc<dyn Seal>) -> FileMailbox {
        let clock = Arc::new(SystemClock);
        FileMailbox::new(self.disk.clone(), self.dir.clone(), clock, seal)
    }

    pub fn journal(&self) -> FileJournal {
        self.journal_remembered(&Arc::default())
    }

    /// The journal as a process sees it that remembers these heads.
    pub fn journal_remembered(&self, heads: &Arc<Heads>) -> FileJournal {
        FileJournal::new(self.disk.clone(), self.dir.clone(), seal(), heads.clone())
    }

    pub fn transcripts(&self) -> FileTranscripts {
        self.transcripts_remembered(&Arc::default())
    }

    /// The transcripts as a process sees them that remembers these heads.
    pub fn transcripts_remembered(&self, heads: &Arc<Heads>) -> FileTranscripts {
        FileTranscripts::new(self.disk.clone(), self.dir.clone(), seal(), heads.clone())
    }

    /// The lines of a file.
    pub fn lines(&self, path: &std::path::Path) -> Vec<String> {
        let text = String::from_utf8(self.disk.read(path).unwrap()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Replaces a file by these lines.
    pub fn replace(&self, path: &std::path::Path, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.disk.write(path, text.as_bytes()).unwrap();
    }

    /// Writes into a file of the team past all rules, as another program would.
    pub fn scribble(&self, path: &std::path::Path, bytes: &[u8]) {
        let mut file = self.disk.open_append(path).unwrap();
        file.append(bytes).unwrap();
    }
}

/// The seal of all stories.
pub fn seal() -> Arc<dyn Seal> {
    Arc::new(HmacSeal::new(&[7; 32]))
}

/// The seal of somebody else.
pub fn other_seal() -> Arc<dyn Seal> {
    Arc::new(HmacSeal::new(&[8; 32]))
}

/// Bob's mailbox.
pub fn inbox() -> Log {
    Log::inbox(seal(), &name("bob"))
}

/// These objects as the lines of a log, from its beginning.
pub fn sealed_lines(log: &Log, objects: &[String]) -> Vec<String> {
    let mut prev = LineDigest::NONE;
    let line = |object: &String| {
        let line = log.line(object, prev);
        prev = LineDigest::of(line.as_bytes());
        line
    };
    objects.iter().map(line).collect()
}

/// The same as the content of a file.
pub fn sealed_file(log: &Log, objects: &[String]) -> Vec<u8> {
    let lines = sealed_lines(log, objects);
    lines
        .iter()
        .flat_map(|line| format!("{line}\n").into_bytes())
        .collect()
}

/// A sealed transcript of bob's.
pub fn sealed_transcript(entries: &[Entry]) -> Vec<u8> {
    let mut objects = vec![wire::entry::header(&name("bob"))];
    objects.extend(entries.iter().map(wire::entry::to_json));
    sealed_file(&Log::transcript(seal(), &name("bob")), &objects)
}
