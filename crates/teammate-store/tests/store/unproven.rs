//! The story of a directory that is not provably ours: it can be read without a key, and written anew once the user says that it
//! is theirs.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use crate::common::{Files, ids, mail, name, seal};
use teammate_core::port::{Journal as _, Mailbox as _, Tail, TranscriptStore as _};
use teammate_store::files::{FileJournal, FileMailbox, FileTranscripts, Heads};

fn old(golden: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::read(dir.join(golden)).unwrap()
}

#[tokio::test]
async fn an_old_journal_counts_after_it_was_written_anew() {
    let files = Files::real();
    let (path, new) = (files.dir.journal(), files.dir.path().join("journal.new"));
    let broken = [&old("journal-lines-1.jsonl"), &b"x\n"[..]].concat();
    files.disk.write(&path, &broken).unwrap();
    let sealed = files.journal().read(0).await.unwrap();
    assert_eq!((sealed.records.len(), sealed.damaged.len()), (0, 5));
    let unproven = FileJournal::read_unproven(&*files.disk, &path).unwrap();
    assert_eq!((unproven.records.len(), unproven.damaged.len()), (4, 1));

    let head = FileJournal::write_sealed(&*files.disk, &new, &unproven.records, seal()).unwrap();
    files.disk.rename(&new, &path).unwrap();
    let remembered = BTreeMap::from([("journal".to_owned(), head.unwrap())]);
    let heads = Arc::new(Heads::remembered(remembered));
    let read = files.journal_remembered(&heads).read(0).await.unwrap();
    assert_eq!((read.records, read.damaged), (unproven.records, Vec::new()));
    assert!(!heads.has_changed());
}

#[tokio::test]
async fn an_old_transcript_counts_after_it_was_written_anew() {
    let (files, bob) = (Files::real(), name("bob"));
    let (path, new) = (files.dir.transcript(&bob), files.dir.path().join("new"));
    drop(files.transcripts().open(&bob).await.unwrap());
    let golden = old("transcript-1.jsonl");
    // Each line but the head is an entry.
    let entries = golden.iter().filter(|byte| **byte == b'\n').count() - 1;
    files.disk.write(&path, &golden).unwrap();
    assert_eq!(files.transcripts().peek(&bob).await.unwrap(), []);
    let unproven = FileTranscripts::read_unproven(&*files.disk, &path).unwrap();
    assert_eq!(
        (unproven.entries.len(), unproven.damaged.len()),
        (entries, 0)
    );

    let written =
        FileTranscripts::write_sealed(&*files.disk, &new, &bob, &unproven.entries, seal());
    files.disk.rename(&new, &path).unwrap();
    let remembered = BTreeMap::from([("transcript/bob".to_owned(), written.unwrap())]);
    let heads = Arc::new(Heads::remembered(remembered));
    let transcripts = files.transcripts_remembered(&heads);
    let open = transcripts.open(&bob).await.unwrap();
    assert_eq!((open.entries, open.tail), (unproven.entries, Tail::Proven));
    assert_eq!(open.repairs, [""; 0]);
}

#[tokio::test]
async fn mail_and_files_that_are_not_there_are_read_as_what_they_are() {
    let (files, bob) = (Files::real(), name("bob"));
    let (disk, inbox) = (&*files.disk, files.dir.inbox(&bob));
    files.mailbox().send(mail("m1", "bob", "hi")).await.unwrap();
    files.scribble(&inbox, b"x\n{\"from\":\"lead\",\"content\":\"by hand\"}\n");
    let read = FileMailbox::read_unproven(disk, &inbox, &bob).unwrap();
    let told: Vec<_> = read
        .iter()
        .map(|m| format!("{}: {}", m.from, m.content))
        .collect();
    assert_eq!(told, ["alice: hi", "unverified:lead: by hand"]);
    assert_eq!(ids(&files.mailbox().take(&bob).await.unwrap()).len(), 2);

    let nothing = files.dir.path().join("nothing");
    let journal = FileJournal::read_unproven(disk, &nothing).unwrap();
    let transcript = FileTranscripts::read_unproven(disk, &nothing).unwrap();
    let mail = FileMailbox::read_unproven(disk, &nothing, &bob).unwrap();
    assert!(journal.records.is_empty() && transcript.entries.is_empty() && mail.is_empty());
}
