//! What only transcripts in files promise, beside the stories of every transcript: who owns them is named, and damaged lines.

use crate::common::{Files, name, sealed_transcript};
use teammate_core::port::{ReadMark, TranscriptError, TranscriptStore};
use teammate_store::wire;
use teammate_testkit::stories::every_entry;

#[tokio::test]
async fn there_is_one_owner_at_a_time_and_it_is_named() {
    for files in [Files::real(), Files::simulated()] {
        let (bob, transcripts) = (name("bob"), files.transcripts());
        let first = transcripts.open(&bob).await.unwrap();
        match transcripts.open(&bob).await {
            Err(TranscriptError::Owned { by, .. }) => {
                assert_eq!(by, format!("process {}", std::process::id()));
            }
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("two owners"),
        }
        drop(first);
        transcripts.open(&bob).await.unwrap();
    }
}

/// A command that begins while a loop ends holds a copy of the lock until it runs its own program.
#[tokio::test]
async fn an_owner_that_is_just_letting_go_is_waited_for() {
    let files = Files::real();
    let transcripts = files.transcripts();
    let bob = name("bob");
    let first = transcripts.open(&bob).await.unwrap();
    let opening = tokio::spawn(async move { transcripts.open(&bob).await.map(|_| ()) });
    // It finds the lock held before it is let go.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    drop(first);
    opening.await.unwrap().unwrap();
}

#[test]
fn the_lines_of_version_1_stay_readable() {
    let golden = include_str!("../golden/transcript-1.jsonl");
    let mut written = wire::entry::header(&name("bob")) + "\n";
    for entry in every_entry() {
        written += &(wire::entry::to_json(&entry) + "\n");
    }
    let file = wire::entry::read_all(golden.as_bytes());
    assert_eq!(written, golden);
    assert_eq!((file.entries, file.damaged), (every_entry(), Vec::new()));
}

#[tokio::test]
async fn a_torn_end_is_cut_and_kept() {
    let files = Files::real();
    let bob = name("bob");
    let path = files.dir.transcript(&bob);
    let whole = sealed_transcript(&every_entry());
    files.transcripts().open(&bob).await.unwrap();
    files.disk.write(&path, &whole[..whole.len() - 5]).unwrap();

    assert_eq!(
        files.transcripts().peek(&bob).await.unwrap().len(),
        every_entry().len() - 1
    );
    let mut open = files.transcripts().open(&bob).await.unwrap();
    assert_eq!(open.entries.len(), every_entry().len() - 1);
    assert!(
        open.repairs[0].contains("transcript.bad.jsonl"),
        "{:?}",
        open.repairs
    );
    let last = every_entry().pop().unwrap();
    open.log.append(&last).await.unwrap();
    drop(open);
    let open = files.transcripts().open(&bob).await.unwrap();
    assert_eq!((open.entries, open.repairs), (every_entry(), Vec::new()));
}

#[tokio::test]
async fn a_damaged_line_costs_itself_only() {
    let files = Files::real();
    let bob = name("bob");
    files.transcripts().open(&bob).await.unwrap();
    let golden = String::from_utf8(sealed_transcript(&every_entry())).unwrap();
    for at in 0..golden.lines().count() {
        let lines: Vec<_> = golden
            .lines()
            .enumerate()
            .map(|(n, line)| {
                if n == at {
                    line.replacen(':', ";", 1) + "\n"
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        files
            .disk
            .write(&files.dir.transcript(&bob), lines.concat().as_bytes())
            .unwrap();
        let open = files.transcripts().open(&bob).await.unwrap();
        let mut expected = every_entry();
        if let Some(entry) = at.checked_sub(1) {
            expected.remove(entry);
        }
        assert_eq!(open.entries, expected);
        assert!(
            open.repairs[0].contains(&format!("line {} of", at + 1)),
            "{:?}",
            open.repairs
        );
    }
}

#[tokio::test]
async fn who_reads_on_is_told_no_line_that_does_not_count() {
    for files in [Files::real(), Files::simulated()] {
        let (bob, transcripts) = (name("bob"), files.transcripts());
        let path = files.dir.transcript(&bob);
        let mut open = transcripts.open(&bob).await.unwrap();
        for entry in &every_entry()[..2] {
            open.log.append(entry).await.unwrap();
        }
        drop(open);
        let read = transcripts.peek_from(&bob, ReadMark::default()).await;
        let (seen, mark) = read.unwrap();
        assert_eq!(seen, every_entry()[..2]);

        // A copy of its own last line, one of somebody else, and the beginning of one.
        let whole = String::from_utf8(files.disk.read(&path).unwrap()).unwrap();
        let last = whole.lines().last().unwrap();
        let more = format!("{whole}{last}\n{{\"prompted\":\"x\"}}\n{{\"pro");
        files.disk.write(&path, more.as_bytes()).unwrap();
        let (seen, mark) = transcripts.peek_from(&bob, mark).await.unwrap();
        assert_eq!((seen, mark.entries), (Vec::new(), 2));

        // A file that has become shorter tells nothing twice.
        let first = whole.lines().take(2).map(|line| format!("{line}\n"));
        let shorter = first.collect::<String>();
        files.disk.write(&path, shorter.as_bytes()).unwrap();
        let (seen, mark) = transcripts.peek_from(&bob, mark).await.unwrap();
        assert_eq!((seen, mark.entries), (Vec::new(), 2));
    }
}
