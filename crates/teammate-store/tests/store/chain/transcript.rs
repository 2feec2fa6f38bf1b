//! Edits of a transcript.

use teammate_core::port::{OpenTranscript, Tail, TranscriptStore as _};
use teammate_store::wire::{self, chain::Log};

use super::{Edit, answered, edit_file, last, two_turns};
use crate::common::{Files, name, other_seal};

async fn open_transcript() -> (Files, OpenTranscript) {
    let files = Files::real();
    let open = files.transcripts().open(&name("bob")).await.unwrap();
    (files, open)
}

/// Lines: the header, then the entries of [`two_turns`].
#[tokio::test]
async fn every_edit_of_a_transcript_is_named_and_what_is_sealed_counts() {
    // What counts by its place among the entries, how many things are said, and whether the end is proven.
    let rows: [(&str, Edit, &[usize], usize, Tail); 12] = [
        ("nothing", |_| {}, &[0, 1, 2, 3, 4, 5], 0, Tail::Proven),
        (
            "added at the end",
            |l| l.push(wire::entry::to_json(&answered("forged"))),
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "with another key",
            |l| {
                let log = Log::transcript(other_seal(), &name("bob"));
                l.push(log.line(&wire::entry::to_json(&answered("forged")), last(l)));
            },
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "no entry",
            |l| l.push("x".into()),
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "the last answer changed",
            |l| l[6] = l[6].replace("three", "four"),
            &[0, 1, 2, 3, 4],
            1,
            Tail::InDoubt,
        ),
        (
            "the last outcome removed",
            |l| drop(l.remove(5)),
            &[0, 1, 2, 3, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "an old answer removed",
            |l| drop(l.remove(2)),
            &[0, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "the header removed",
            |l| drop(l.remove(0)),
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "moved",
            |l| l.swap(5, 6),
            &[0, 1, 2, 3, 5, 4],
            2,
            Tail::InDoubt,
        ),
        (
            "the last answer doubled",
            |l| l.push(l[6].clone()),
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "an old answer put back",
            |l| l.push(l[2].clone()),
            &[0, 1, 2, 3, 4, 5],
            1,
            Tail::InDoubt,
        ),
        (
            "an old answer put back with what was before it",
            |l| l.extend([l[1].clone(), l[2].clone()]),
            &[0, 1, 2, 3, 4, 5],
            2,
            Tail::InDoubt,
        ),
    ];
    for (what, edit, expected, said, tail) in rows {
        let (files, mut open) = open_transcript().await;
        for entry in two_turns() {
            open.log.append(&entry).await.unwrap();
        }
        drop(open);
        let path = files.dir.transcript(&name("bob"));
        edit_file(&files, &path, edit);
        let expected: Vec<_> = expected.iter().map(|n| two_turns()[*n].clone()).collect();
        let open = files.transcripts().open(&name("bob")).await.unwrap();
        assert_eq!(open.entries, expected, "{what}");
        assert_eq!(
            (open.repairs.len(), open.tail),
            (said, tail),
            "{what}: {:?}",
            open.repairs
        );
        let peeked = files.transcripts().peek(&name("bob")).await.unwrap();
        assert_eq!(peeked, expected, "{what}");
        // What does not count is quarantined once, however often it is opened.
        drop(open);
        let bad = path.with_file_name("transcript.bad.jsonl");
        let kept = files.disk.read(&bad).unwrap_or_default();
        drop(files.transcripts().open(&name("bob")).await.unwrap());
        assert_eq!(files.disk.read(&bad).unwrap_or_default(), kept, "{what}");
    }
}

#[tokio::test]
async fn old_damage_is_no_doubt_once_the_program_has_written_behind_it() {
    let heads = std::sync::Arc::default();
    let files = Files::real();
    let (bob, path) = (name("bob"), files.dir.transcript(&name("bob")));
    let mut open = files.transcripts().open(&bob).await.unwrap();
    for entry in two_turns() {
        open.log.append(&entry).await.unwrap();
    }
    drop(open);
    edit_file(&files, &path, |lines| drop(lines.remove(2)));
    // Opened repeatedly by a process that remembers nothing of it, it stays in doubt until something is written.
    let transcripts = files.transcripts_remembered(&heads);
    for _ in 0..2 {
        let open = transcripts.open(&bob).await.unwrap();
        assert_eq!(open.tail, Tail::InDoubt);
    }
    let mut open = transcripts.open(&bob).await.unwrap();
    open.log.append(&answered("four")).await.unwrap();
    drop(open);
    let open = transcripts.open(&bob).await.unwrap();
    assert_eq!((open.repairs.len(), open.tail), (1, Tail::Proven));
}
