//! A store of one's own: journal, mail and transcripts in memory. The team is closed, and opened again on what it kept.
//!
//! `cargo run -p teammate --example own_store`
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use std::{
    collections::HashMap,
    future::{pending, ready},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use teammate::{
    Mode, Team, TeamError,
    store::{
        Archive, Batch, BatchId, BoxFuture, Durability, Entry, Journal, JournalError, JournalRead,
        MailError, Mailbox, MemberName, Message, OpenTranscript, Record, Store, Tail, Transcript,
        TranscriptError, TranscriptStore,
    },
};
use tokio::sync::Notify;

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "when": { "mail_contains": "Tell bob" }, "calls": [
            { "tool": "spawn_teammate", "input": { "name": "bob", "prompt": "Listen." } },
            { "tool": "send_message", "input": { "to": "bob", "content": "The lamp is lit." } }
        ] },
        { "when": { "mail_contains": "What" }, "say": "I told bob, and he is still here." },
        { "when": { "otherwise": true }, "say": "Done.", "repeat": true }
    ],
    "bob": [{ "say": "I heard: {{mail}}", "repeat": true }]
} }"#;

/// Whatever a statement panics in, the data is whole between any two.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a member's mailbox holds: unread mail, and batches that were taken and not yet settled.
#[derive(Default)]
struct Letters {
    unread: Vec<Message>,
    taken: Vec<Batch>,
    batches: u64,
    bell: Arc<Notify>,
}

/// Everything that the team knows. One value implements all ports.
#[derive(Default)]
struct Memory {
    journal: Mutex<Vec<Record>>,
    mail: Mutex<HashMap<MemberName, Letters>>,
    transcripts: Mutex<HashMap<MemberName, Arc<Mutex<Vec<Entry>>>>>,
}

impl Journal for Memory {
    fn append_record(
        &self,
        record: Record,
        _durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let mut records = locked(&self.journal);
        let length = records.len() as u64;
        // Compare and swap: of two that decide on the same team, one decides again.
        let appended = if length == record.number {
            records.push(record);
            Ok(())
        } else {
            Err(JournalError::Conflict { length })
        };
        Box::pin(ready(appended))
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let records = locked(&self.journal);
        let known = records.iter().filter(|record| record.number >= from);
        let read = JournalRead {
            records: known.cloned().collect(),
            damaged: Vec::new(),
        };
        Box::pin(ready(Ok(read)))
    }

    /// Nobody else appends to it.
    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(pending())
    }
}

impl Memory {
    fn letters<T>(&self, owner: &MemberName, look: impl FnOnce(&mut Letters) -> T) -> T {
        look(locked(&self.mail).entry(owner.clone()).or_default())
    }

    fn entries(&self, owner: &MemberName) -> Arc<Mutex<Vec<Entry>>> {
        let mut transcripts = locked(&self.transcripts);
        transcripts.entry(owner.clone()).or_default().clone()
    }
}

impl Mailbox for Memory {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        self.letters(&message.to.clone(), |letters| {
            letters.unread.push(message);
            letters.bell.notify_one();
        });
        Box::pin(ready(Ok(())))
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        let taken = self.letters(owner, |letters| {
            if !letters.unread.is_empty() {
                letters.batches += 1;
                letters.taken.push(Batch {
                    id: BatchId(letters.batches),
                    messages: std::mem::take(&mut letters.unread),
                    damaged: Vec::new(),
                    unsealed: Vec::new(),
                    gaps: Vec::new(),
                });
            }
            letters.taken.clone()
        });
        Box::pin(ready(Ok(taken)))
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        batch: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        self.letters(owner, |letters| {
            letters.taken.retain(|taken| taken.id != batch);
        });
        Box::pin(ready(Ok(())))
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        let waiting = self.letters(owner, |letters| {
            let taken = letters.taken.iter().flat_map(|batch| &batch.messages);
            taken.chain(&letters.unread).cloned().collect()
        });
        Box::pin(ready(Ok(waiting)))
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        let bell = self.letters(owner, |letters| letters.bell.clone());
        Box::pin(async move { bell.notified().await })
    }
}

/// The end of one member's transcript.
struct Kept(Arc<Mutex<Vec<Entry>>>);

impl Transcript for Kept {
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>> {
        locked(&self.0).push(entry.clone());
        Box::pin(ready(Ok(())))
    }
}

impl TranscriptStore for Memory {
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        let kept = self.entries(owner);
        let entries = locked(&kept).clone();
        Box::pin(ready(Ok(OpenTranscript {
            log: Box::new(Kept(kept)),
            entries,
            gaps: Vec::new(),
            repairs: Vec::new(),
            tail: Tail::Proven,
        })))
    }

    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        Box::pin(ready(Ok(locked(&self.entries(owner)).clone())))
    }
}

impl Archive for Memory {
    fn archive<'a>(
        &'a self,
        label: &'a str,
        _members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>> {
        // Nothing is in the way here.
        Box::pin(ready(Ok(label.to_owned())))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // This program, started again, holds what members' commands start.
    teammate::begin();
    play()
}

#[tokio::main]
async fn play() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let play = dir.path().join("play.json");
    std::fs::write(&play, PLAY)?;
    let model = format!("scripted:{}", play.display());

    let memory = Arc::new(Memory::default());
    let open = async || -> Result<Team, TeamError> {
        let model = model.parse().expect("a provider and a name");
        let store = Store {
            journal: memory.clone(),
            mailbox: memory.clone(),
            transcripts: memory.clone(),
            archive: memory.clone(),
        };
        let team = Team::builder(dir.path(), model).mode(Mode::Bypass);
        team.store(store).open().await
    };

    let team = open().await?;
    team.run("Tell bob.").await?;
    team.close().await;
    let (records, entries) = (
        locked(&memory.journal).len(),
        locked(&memory.entries(&MemberName::parse("bob")?)).len(),
    );
    println!("Kept: {records} records of the team, {entries} entries of bob.");
    assert!(!dir.path().join(".team/journal.jsonl").exists());

    let team = open().await?;
    let ending = team.run("What did you do?").await?;
    println!("After the team was opened again: {}", ending.text);
    assert_eq!(team.roster().len(), 2, "the lead and bob");
    team.close().await;
    Ok(())
}
