//! What the stories share: words for messages, and the worlds in which they are told.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test file uses some of it"
)]

use std::sync::Arc;

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    port::{Disk, Journal, Mailbox, TranscriptStore},
};
use teammate_store::{
    clock::SystemClock,
    disk::TeamDisk,
    files::{FileJournal, FileMailbox, FileTranscripts, TeamDir},
    memory::{MemoryJournal, MemoryMailbox, MemoryTranscripts},
    seal::Seal,
    sim::SimDisk,
};

/// A place where a story is told.
pub struct World {
    pub name: &'static str,
    pub mailbox: Arc<dyn Mailbox>,
    pub journal: Arc<dyn Journal>,
    pub transcripts: Arc<dyn TranscriptStore>,
    pub files: Option<Files>,
}

/// The files below, where there are any.
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
    pub fn mailbox_of(&self, seal: Seal) -> FileMailbox {
        let clock = Arc::new(SystemClock);
        FileMailbox::new(self.disk.clone(), self.dir.clone(), clock, Arc::new(seal))
    }

    pub fn journal(&self) -> FileJournal {
        FileJournal::new(self.disk.clone(), self.dir.clone())
    }

    pub fn transcripts(&self) -> FileTranscripts {
        FileTranscripts::new(self.disk.clone(), self.dir.clone())
    }

    /// Writes into a file of the team past all rules, as another program would.
    pub fn scribble(&self, path: &std::path::Path, bytes: &[u8]) {
        let mut file = self.disk.open_append(path).unwrap();
        file.append(bytes).unwrap();
    }

    pub fn world(self, name: &'static str) -> World {
        World {
            name,
            mailbox: Arc::new(self.mailbox()),
            journal: Arc::new(self.journal()),
            transcripts: Arc::new(self.transcripts()),
            files: Some(self),
        }
    }
}

pub fn worlds() -> Vec<World> {
    let memory = World {
        name: "memory",
        mailbox: Arc::new(MemoryMailbox::default()),
        journal: Arc::new(MemoryJournal::default()),
        transcripts: Arc::new(MemoryTranscripts::default()),
        files: None,
    };
    vec![
        memory,
        Files::real().world("real files"),
        Files::simulated().world("simulated files"),
    ]
}

pub fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

/// The seal of all stories.
pub fn seal() -> Seal {
    Seal::new(&[7; 32])
}

pub fn mail(id: &str, to: &str, content: &str) -> Message {
    Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::Member(name("alice")),
        from_incarnation: None,
        to: name(to),
        to_incarnation: None,
        content: content.into(),
        sent_at: Timestamp(1_732_230_000_500),
        request_id: None,
        metadata: serde_json::Map::new(),
    }
}

/// The ids in claims, in order.
pub fn ids(claims: &[teammate_core::port::Claim]) -> Vec<String> {
    claims
        .iter()
        .flat_map(|claim| &claim.messages)
        .map(|message| message.id.to_string())
        .collect()
}
