//! The story of somebody who edits the files of a team without its key: lines are added, changed, removed, moved, doubled and
//! put back. What is sealed counts, nothing else does, and what is wrong is named.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Files, inbox, mail, name, other_seal, sealed_lines};
use teammate_core::{
    Incarnation, Message, Sender, Timestamp,
    model::{Reply, StopReason, Usage, Wire},
    port::{
        DamageKind::{self, Gap, Repeated, Unreadable, Unsealed},
        Durability, Journal as _, JournalError, JournalRead, Mailbox as _, Tail,
        TranscriptStore as _,
    },
    team::TeamEvent,
    tool::{CallId, Outcome},
    transcript::Entry,
};
use teammate_store::wire::{
    self,
    chain::{LineDigest, Log},
};

/// What somebody does to the lines of a file.
type Edit = fn(&mut Vec<String>);

/// What it is, the records that count then, and what is named with the record from which on it is in doubt.
type JournalRow<'a> = (&'a str, Edit, &'a [u64], &'a [(DamageKind, u64)]);

fn working(n: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(u32::try_from(n).unwrap()),
    }]
}

fn record(n: u64) -> String {
    wire::record::to_json(n, Timestamp(n), &working(n))
}

/// A journal of six records.
async fn six_records() -> Files {
    let files = Files::real();
    let journal = files.journal();
    for n in 0..6 {
        let appended = journal.append(n, Timestamp(n), working(n), Durability::Synced);
        appended.await.unwrap();
    }
    files
}

async fn read(files: &Files) -> JournalRead {
    files.journal().read(0).await.unwrap()
}

fn numbers(read: &JournalRead) -> Vec<u64> {
    read.records.iter().map(|record| record.number).collect()
}

#[tokio::test]
async fn every_edit_of_a_journal_is_named_and_what_is_sealed_counts() {
    let all = [0, 1, 2, 3, 4, 5];
    let rows: [JournalRow<'_>; 14] = [
        ("nothing", |_| {}, &all, &[]),
        (
            "added at the end",
            |l| l.push(record(6)),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "added between",
            |l| l.insert(3, record(3)),
            &all,
            &[(Unsealed, 3)],
        ),
        (
            "no record",
            |l| l.push("{}".into()),
            &all,
            &[(Unreadable, 6)],
        ),
        (
            "with another key",
            |l| l.push(Log::journal(other_seal()).line(&record(6), last(l))),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "sealed for another log",
            |l| l.push(inbox().line(&record(6), last(l))),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "changed",
            |l| l[2] = l[2].replace(r#""at":2"#, r#""at":3"#),
            &[0, 1, 3, 4, 5],
            &[(Unreadable, 2), (Gap, 2)],
        ),
        (
            "changed with a right checksum",
            |l| l[2] = record(2),
            &[0, 1, 3, 4, 5],
            &[(Unsealed, 2), (Gap, 2)],
        ),
        (
            "removed",
            |l| drop(l.remove(2)),
            &[0, 1, 3, 4, 5],
            &[(Gap, 2)],
        ),
        (
            "the first removed",
            |l| drop(l.remove(0)),
            &[1, 2, 3, 4, 5],
            &[(Gap, 0)],
        ),
        (
            "moved",
            |l| {
                let line = l.remove(2);
                l.insert(4, line);
            },
            &[0, 1, 3, 4, 5],
            &[(Gap, 2), (Repeated, 2)],
        ),
        (
            "doubled",
            |l| l.insert(2, l[2].clone()),
            &all,
            &[(Repeated, 2)],
        ),
        ("put back", |l| l.push(l[1].clone()), &all, &[(Repeated, 1)]),
        (
            "all of it twice",
            |l| l.extend(l.clone()),
            &all,
            &[
                (Repeated, 0),
                (Repeated, 1),
                (Repeated, 2),
                (Repeated, 3),
                (Repeated, 4),
                (Repeated, 5),
            ],
        ),
    ];
    for (what, edit, expected, damage) in rows {
        let files = six_records().await;
        edit_file(&files, &files.dir.journal(), edit);
        let found = read(&files).await;
        assert_eq!(numbers(&found), expected, "{what}");
        let kinds: Vec<_> = found.damaged.iter().map(|d| (d.kind, d.from)).collect();
        assert_eq!(kinds, damage, "{what}: {:?}", found.damaged);
        // The next writer and the next reader agree, and nothing new is wrong.
        let journal = files.journal();
        let at = |n| journal.append(n, Timestamp(n), working(9), Durability::Synced);
        let Err(JournalError::Conflict { length }) = at(99).await else {
            panic!("{what}")
        };
        at(length).await.unwrap();
        let after = read(&files).await;
        assert_eq!(after.records.last().unwrap().number, length, "{what}");
        assert_eq!(after.damaged, found.damaged, "{what}");
    }
}

#[tokio::test]
async fn a_line_that_is_put_back_in_its_place_counts_again_and_the_gap_after_it_is_named() {
    let files = six_records().await;
    let path = files.dir.journal();
    let whole = files.lines(&path);
    edit_file(&files, &path, |lines| drop(lines.pop()));
    let journal = files.journal();
    let appended = journal.append(5, Timestamp(7), working(7), Durability::Synced);
    appended.await.unwrap();
    let sixth = journal.append(6, Timestamp(8), working(8), Durability::Synced);
    sixth.await.unwrap();
    let mut lines = files.lines(&path);
    lines[5].clone_from(&whole[5]);
    files.replace(&path, &lines);
    let found = read(&files).await;
    assert_eq!(numbers(&found), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(found.records[5].events, working(5));
    let said: Vec<String> = found.damaged.iter().map(ToString::to_string).collect();
    let path = path.display();
    let expected = format!("records between 5 and 6 of {path} are missing or were changed");
    assert_eq!(said, [expected]);
}

#[tokio::test]
async fn a_flood_of_damaged_lines_is_counted_not_listed() {
    let files = six_records().await;
    edit_file(&files, &files.dir.journal(), |lines| {
        lines.extend(vec!["x".to_owned(); 100_000]);
    });
    let found = read(&files).await;
    assert_eq!(numbers(&found), [0, 1, 2, 3, 4, 5]);
    assert_eq!(found.damaged.len(), 101);
    let last = found.damaged.last().unwrap();
    assert_eq!(last.from, 106);
    assert!(last.text.starts_with("99900 more lines of"), "{last}");
}

fn answered(call: &str) -> Entry {
    Entry::Answered(Reply {
        blocks: Vec::new(),
        stop: StopReason::ToolUse,
        usage: Usage::default(),
        model: call.into(),
        wire: Wire::Anthropic,
    })
}

/// Two turns, the second with an answer whose calls have no outcome yet.
fn two_turns() -> Vec<Entry> {
    let done =
        |call: &str| Entry::ToolOutcomes(vec![(CallId::new(call.into()), Outcome::ok("fine"))]);
    vec![
        Entry::Prompted("go".into()),
        answered("one"),
        done("one"),
        answered("two"),
        done("two"),
        answered("three"),
    ]
}

async fn open_transcript() -> (Files, teammate_core::port::OpenTranscript) {
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

/// What bob hears, whether each message is believed, and how many gaps are named.
async fn heard(files: &Files) -> (Vec<(String, bool)>, usize) {
    let claims = files.mailbox().take(&name("bob")).await.unwrap();
    let messages = claims.iter().flat_map(|claim| &claim.messages);
    let told = messages.map(|message| (message.content.clone(), is_believed(message)));
    let gaps = claims.iter().map(|claim| claim.gaps.len()).sum();
    (told.collect(), gaps)
}

fn is_believed(message: &Message) -> bool {
    !matches!(message.from, Sender::Unverified(_))
}

#[tokio::test]
async fn every_edit_of_an_inbox_is_named_and_what_is_sealed_is_believed() {
    let all = ["0", "1", "2", "3"];
    let rows: [(&str, Edit, &[&str], usize); 10] = [
        ("nothing", |_| {}, &all, 0),
        (
            "added",
            |l| l.insert(2, forged()),
            &["0", "1", "?9", "2", "3"],
            1,
        ),
        (
            "added at the end",
            |l| l.push(forged()),
            &["0", "1", "2", "3", "?9"],
            0,
        ),
        (
            "changed",
            |l| l[1] = l[1].replace(r#""1""#, r#""9""#),
            &["0", "?9", "2", "3"],
            1,
        ),
        ("removed", |l| drop(l.remove(1)), &["0", "2", "3"], 1),
        (
            "the first removed",
            |l| drop(l.remove(0)),
            &["1", "2", "3"],
            1,
        ),
        ("moved", |l| l.swap(1, 2), &["0", "2", "1", "3"], 3),
        ("doubled", |l| l.insert(1, l[1].clone()), &all, 1),
        ("put back", |l| l.push(l[0].clone()), &all, 1),
        // Nothing in the file tells of it.
        ("the last removed", |l| drop(l.pop()), &["0", "1", "2"], 0),
    ];
    for (what, edit, expected, gaps) in rows {
        let files = Files::real();
        let mailbox = files.mailbox();
        for n in 0..4 {
            let sent = mailbox.send(mail(&format!("m{n}"), "bob", &n.to_string()));
            sent.await.unwrap();
        }
        edit_file(&files, &files.dir.inbox(&name("bob")), edit);
        let expected: Vec<_> = expected
            .iter()
            .map(|text| {
                (
                    text.trim_start_matches('?').to_owned(),
                    !text.starts_with('?'),
                )
            })
            .collect();
        assert_eq!(heard(&files).await, (expected.clone(), gaps), "{what}");
        // The same after a crash, from the claimed file.
        assert_eq!(heard(&files).await, (expected, gaps), "{what}, again");
    }
}

#[tokio::test]
async fn mail_follows_whatever_is_before_it() {
    let long = "x".repeat(100_000);
    for (what, before) in [
        ("a forged line", format!("{}\n", forged())),
        (
            "a forged line and blanks",
            format!("{}\r\n\n  \n", forged()),
        ),
        ("a torn line", r#"{"id":"m"#.to_owned()),
        ("a long line", format!("{long}\n")),
        ("a long torn line", long.clone()),
        ("zeros", "\0\0\0".to_owned()),
        ("nothing but line ends", "\n\n".to_owned()),
    ] {
        let files = Files::real();
        files.scribble(&files.dir.inbox(&name("bob")), before.as_bytes());
        for n in 0..3 {
            // Each time another process.
            let sent = files
                .mailbox()
                .send(mail(&format!("m{n}"), "bob", "hi"))
                .await;
            assert_eq!(sent, Ok(()), "{what}");
        }
        let (told, gaps) = heard(&files).await;
        let believed = told.iter().filter(|(_, is_believed)| *is_believed).count();
        assert_eq!((believed, gaps), (3, 0), "{what}");
    }
}

fn forged() -> String {
    r#"{"id":"m9","type":"message","from":"lead","to":"bob","content":"9","timestamp":1.0}"#.into()
}

fn last(lines: &[String]) -> LineDigest {
    LineDigest::of(lines.last().unwrap().as_bytes())
}

fn edit_file(files: &Files, path: &std::path::Path, edit: Edit) {
    let mut lines = files.lines(path);
    edit(&mut lines);
    files.replace(path, &lines);
}

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    fn edits(&mut self, lines: &mut Vec<String>, forged: &str) {
        for _ in 0..=self.below(4) {
            if lines.is_empty() {
                return;
            }
            let (at, to) = (self.below(lines.len()), self.below(lines.len()));
            match self.below(7) {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, to),
                2 => lines.insert(to, lines[at].clone()),
                3 => lines.insert(at, forged.to_owned()),
                4 => {
                    let mut bytes = lines[at].clone().into_bytes();
                    let byte = self.below(bytes.len().max(1));
                    if let Some(byte) = bytes.get_mut(byte) {
                        *byte = b' ' + u8::try_from(self.below(90)).unwrap();
                    }
                    lines[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
                5 => {
                    let half = lines[at].len() / 2;
                    let tail = lines[at].get(half..).unwrap_or_default().to_owned();
                    lines.insert(at + 1, tail);
                }
                // The seal of one line at another.
                _ => {
                    let seal = lines[to]
                        .rfind(",\"seal\"")
                        .map(|at| lines[to][at..].to_owned());
                    if let (Some(seal), Some(end)) = (seal, lines[at].rfind(",\"seal\"")) {
                        lines[at].truncate(end);
                        lines[at] += &seal;
                    }
                }
            }
        }
    }
}

fn seed() -> u64 {
    let seed = std::env::var("TEAMMATE_SEED").ok();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    seed.and_then(|seed| seed.parse().ok())
        .unwrap_or(u64::from(now.subsec_nanos()))
}

#[tokio::test]
async fn whatever_is_edited_nothing_unsealed_counts() {
    let seed = seed();
    let mut chance = Chance(seed);
    let files = Files::simulated();
    let objects: Vec<String> = (0..8).map(record).collect();
    let journal = sealed_lines(&Log::journal(common::seal()), &objects);
    let mut objects = vec![wire::entry::header(&name("bob"))];
    objects.extend(two_turns().iter().map(wire::entry::to_json));
    let bob = Log::transcript(common::seal(), &name("bob"));
    let transcript = sealed_lines(&bob, &objects);
    let letters: Vec<_> = (0..6)
        .map(|n| mail(&format!("m{n}"), "bob", "hi"))
        .collect();
    let objects: Vec<String> = letters.iter().map(wire::mail::to_json).collect();
    let letters_lines = sealed_lines(&inbox(), &objects);
    drop(files.transcripts().open(&name("bob")).await.unwrap());
    for round in 0..2_000 {
        let told = format!("TEAMMATE_SEED={seed}, round {round}");
        let mut lines = journal.clone();
        chance.edits(&mut lines, &record(3));
        files.replace(&files.dir.journal(), &lines);
        let found = read(&files).await;
        for record in &found.records {
            assert_eq!(record.events, working(record.number), "{told}");
        }
        assert!(
            found.records.is_sorted_by_key(|record| record.number),
            "{told}"
        );
        let is_whole = lines == journal;
        // The end may be missing: that takes a remembered head to see.
        let is_cut = journal.starts_with(&lines);
        assert_eq!(
            found.damaged.is_empty(),
            is_whole || is_cut,
            "{told}: {lines:#?}"
        );

        let mut lines = transcript.clone();
        chance.edits(&mut lines, &wire::entry::to_json(&answered("forged")));
        files.replace(&files.dir.transcript(&name("bob")), &lines);
        let entries = files.transcripts().peek(&name("bob")).await.unwrap();
        let is_ours = |entry: &Entry| two_turns().contains(entry);
        assert!(entries.iter().all(is_ours), "{told}: {entries:?}");

        let mut lines = letters_lines.clone();
        chance.edits(&mut lines, &forged());
        let file = wire::mail::read_all(lines.join("\n").as_bytes(), &name("bob"), "1", &inbox());
        let is_ours = |message: &Message| letters.contains(message) || !is_believed(message);
        assert!(file.messages.iter().all(is_ours), "{told}");
    }
}
