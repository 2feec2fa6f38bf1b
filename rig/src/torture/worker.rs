//! The processes that are killed: a sender counts upwards and says on its standard output what was acknowledged to it;
//! the reader moves mail into its transcript.

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use super::unsynced::Unsynced;
use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    port::{Disk, Mailbox as _, OpenTranscript, Seal, Transcript, TranscriptStore as _},
    transcript::Entry,
};
use teammate_store::{
    clock::SystemClock,
    disk::RealDisk,
    files::{self, FileJournal, FileMailbox, FileTranscripts, TeamDir},
    seal::HmacSeal,
    wire::{
        self,
        chain::{LineDigest, Log},
    },
};

/// How mail goes from the inbox into the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Design {
    /// The file mailbox of this project.
    Claiming,
    /// The same on a disk that says that all is synced and does nothing for it.
    Unsynced,
    /// What is usual: append without a lock; read all, empty the file, then remember.
    Truncating,
}

impl Design {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Claiming => "claiming",
            Self::Unsynced => "unsynced",
            Self::Truncating => "truncating",
        }
    }

    fn disk(self) -> Arc<dyn Disk> {
        match self {
            Self::Claiming | Self::Truncating => Arc::new(RealDisk),
            Self::Unsynced => Arc::new(Unsynced(RealDisk)),
        }
    }

    fn parse(word: &str) -> Result<Self, String> {
        [Self::Claiming, Self::Unsynced, Self::Truncating]
            .into_iter()
            .find(|design| design.word() == word)
            .ok_or_else(|| format!("no design '{word}'"))
    }
}

/// The one who hears.
pub(crate) fn reader() -> MemberName {
    MemberName::lead()
}

/// All processes of a crew are one user's.
pub(super) fn seal() -> Arc<dyn Seal> {
    Arc::new(HmacSeal::new(&[7; 32]))
}

/// The journal of the crew.
pub(super) fn journal(dir: &Path) -> FileJournal {
    FileJournal::new(Arc::new(RealDisk), TeamDir::at(dir), seal(), Arc::default())
}

/// The transcripts of the crew. Nothing is remembered of them from one process to the next.
fn transcripts(disk: Arc<dyn Disk>, dir: TeamDir) -> FileTranscripts {
    FileTranscripts::new(disk, dir, seal(), Arc::default())
}

fn mailbox(design: Design, dir: &Path) -> FileMailbox {
    let clock = Arc::new(SystemClock);
    FileMailbox::new(design.disk(), TeamDir::at(dir), clock, seal())
}

pub(super) fn run<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    Ok(runtime.block_on(work))
}

pub(super) fn message(from: &MemberName, number: u64) -> Message {
    // Most are short, some span pages.
    let length = if number.is_multiple_of(10) {
        9_000
    } else {
        300
    };
    Message {
        id: MessageId::parse(&format!("{from}-{number}")).expect("it is short and not empty"),
        kind: MessageKind::Message,
        from: Sender::Member(from.clone()),
        from_incarnation: None,
        to: reader(),
        to_incarnation: None,
        content: format!("{number} {}", "x".repeat(length)),
        sent_at: Timestamp(number),
        wakes: None,
        request_id: None,
        metadata: teammate_core::mail::Metadata::default(),
    }
}

/// Sends messages from number `next` on until killed, saying each number that was acknowledged.
pub(crate) fn send(design: &str, dir: &Path, name: &str, next: &str) -> Result<ExitCode, String> {
    let name = MemberName::parse(name).map_err(|error| error.to_string())?;
    let next = next.parse().map_err(|_| format!("'{next}' is no number"))?;
    let design = Design::parse(design)?;
    match design {
        Design::Claiming | Design::Unsynced => run(send_mail(design, dir, &name, next))?,
        Design::Truncating => send_naively(dir, &name, next).map_err(|error| error.to_string())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// One write, so that a kill cannot cut a number in half. Ends when nobody listens.
fn acknowledge(numbers: &[u64]) -> io::Result<()> {
    let lines: Vec<String> = numbers.iter().map(|number| format!("{number}\n")).collect();
    let mut out = io::stdout().lock();
    out.write_all(lines.concat().as_bytes())?;
    out.flush()
}

async fn send_mail(design: Design, dir: &Path, name: &MemberName, mut next: u64) {
    let mailbox = mailbox(design, dir);
    loop {
        // Three at once share a commit, as those of many members of one process do.
        let sent = tokio::join!(
            mailbox.send(message(name, next)),
            mailbox.send(message(name, next + 1)),
            mailbox.send(message(name, next + 2)),
        );
        let sent = [sent.0, sent.1, sent.2];
        let whole = sent.iter().take_while(|result| result.is_ok()).count() as u64;
        let numbers: Vec<u64> = (next..next + whole).collect();
        if acknowledge(&numbers).is_err() {
            return;
        }
        next += whole;
    }
}

fn send_naively(dir: &Path, name: &MemberName, next: u64) -> io::Result<()> {
    for number in next.. {
        let mut inbox = OpenOptions::new()
            .append(true)
            .create(true)
            .open(TeamDir::at(dir).inbox(&reader()))?;
        let object = wire::mail::to_json(&message(name, number));
        let line = Log::inbox(seal(), &reader()).line(&object, LineDigest::NONE);
        inbox.write_all(format!("{line}\n").as_bytes())?;
        acknowledge(&[number])?;
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}

/// Hears what comes until killed.
pub(crate) fn hear(design: &str, dir: &Path) -> Result<ExitCode, String> {
    let design = Design::parse(design)?;
    run(async {
        let mut desk = InboxReader::open(design, dir).await?;
        match design {
            Design::Claiming | Design::Unsynced => {
                let _watch = files::watch(desk.mailbox.clone(), Arc::new(journal(dir)));
                loop {
                    desk.hear().await?;
                    // The bell is a hint, so nobody waits for it for ever.
                    let bell = desk.mailbox.rang(&desk.me);
                    let _ = tokio::time::timeout(Duration::from_millis(200), bell).await;
                }
            }
            Design::Truncating => loop {
                desk.hear_naively(dir).await?;
                tokio::time::sleep(Duration::from_millis(2)).await;
            },
        }
    })?
}

/// The reader's place: its mailbox and the transcript it owns.
pub(crate) struct InboxReader {
    me: MemberName,
    mailbox: Arc<FileMailbox>,
    log: Box<dyn Transcript>,
    known: HashSet<MessageId>,
}

impl InboxReader {
    pub(crate) async fn open(design: Design, dir: &Path) -> Result<Self, String> {
        let (disk, dir) = (design.disk(), TeamDir::at(dir));
        let me = reader();
        let OpenTranscript { log, entries, .. } = transcripts(disk.clone(), dir.clone())
            .open(&me)
            .await
            .map_err(|error| error.to_string())?;
        Ok(Self {
            mailbox: Arc::new(mailbox(design, dir.path())),
            me,
            log,
            known: heard(&entries).map(|message| message.id.clone()).collect(),
        })
    }

    /// Takes what is there, once.
    pub(crate) async fn hear(&mut self) -> Result<(), String> {
        let claims = self.mailbox.take(&self.me).await;
        for claim in claims.map_err(|error| error.to_string())? {
            self.remember(claim.messages).await?;
            self.mailbox
                .ack(&self.me, claim.id)
                .await
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    async fn hear_naively(&mut self, dir: &Path) -> Result<(), String> {
        let inbox = TeamDir::at(dir).inbox(&self.me);
        let Ok(bytes) = fs::read(&inbox) else {
            return Ok(());
        };
        fs::write(&inbox, b"").map_err(|error| error.to_string())?;
        let mail = wire::mail::read_all(&bytes, &self.me, "0", &Log::inbox(seal(), &self.me));
        self.remember(mail.messages).await
    }

    async fn remember(&mut self, mut messages: Vec<Message>) -> Result<(), String> {
        messages.retain(|message| self.known.insert(message.id.clone()));
        if messages.is_empty() {
            return Ok(());
        }
        self.log
            .append(&Entry::Heard(messages))
            .await
            .map_err(|error| error.to_string())
    }
}

/// The messages in a transcript, in order.
pub(crate) fn heard(entries: &[Entry]) -> impl Iterator<Item = &Message> {
    entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            Entry::MemoryReset
            | Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::Answered(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::TurnEnded(_)
            | Entry::HandedOver(_)
            | Entry::Shortened { .. }
            | Entry::Compacted(_)
            | Entry::SummaryFailed { .. } => None,
        })
        .flatten()
}

/// The ids of all that was heard, in order, after the last of it was taken in. No worker may be alive.
pub(crate) fn take_stock(design: Design, dir: &Path) -> Result<Vec<String>, String> {
    run(async {
        let mut desk = InboxReader::open(design, dir).await?;
        match design {
            Design::Claiming | Design::Unsynced => desk.hear().await?,
            Design::Truncating => desk.hear_naively(dir).await?,
        }
        let entries = transcripts(Arc::new(RealDisk), TeamDir::at(dir))
            .peek(&desk.me)
            .await
            .map_err(|error| error.to_string())?;
        Ok(heard(&entries)
            .map(|message| message.id.to_string())
            .collect())
    })?
}
