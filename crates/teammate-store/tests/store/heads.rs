//! The story of what is remembered outside of the directory: lines that are missing at the end are named, and what is
//! remembered is never ahead of what survives a power cut.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    sync::{Arc, LazyLock},
};

use crate::common::{Files, name};
use teammate_core::{
    Incarnation, Timestamp,
    port::{
        Archive as _, DamageKind, Durability, Journal as _, JournalError, JournalRead, Tail,
        TranscriptStore as _,
    },
    team::TeamEvent,
    transcript::{self, Entry},
};
use teammate_store::{
    files::{FileArchive, FileJournal, FileTranscripts, Heads, TeamDir},
    wire::chain::Head,
};
use teammate_testkit::sim::{Fault, SimDisk};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap()
});

fn working(n: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(u32::try_from(n).unwrap()),
    }]
}

async fn append(journal: &FileJournal, n: u64, durability: Durability) -> Result<(), JournalError> {
    let appended = journal.append(n, Timestamp(n), working(n), durability);
    appended.await
}

async fn synced(files: &Files, heads: &Arc<Heads>, count: u64) {
    let journal = files.journal_remembered(heads);
    for n in 0..count {
        append(&journal, n, Durability::Synced).await.unwrap();
    }
}

/// What a new process reads that remembers what this one does.
async fn reopened(files: &Files, heads: &Heads) -> JournalRead {
    let heads = Arc::new(Heads::remembered(heads.snapshot()));
    files.journal_remembered(&heads).read(0).await.unwrap()
}

fn cut(files: &Files, lines: usize) {
    let path = files.dir.journal();
    let mut left = files.lines(&path);
    left.truncate(lines);
    files.replace(&path, &left);
}

#[tokio::test]
async fn records_missing_at_the_end_are_named() {
    for (what, left, expected) in [
        ("none", 8, None),
        ("the last", 7, Some((7, "record 7 of"))),
        ("some", 5, Some((5, "records 5 to 7 of"))),
        ("all", 0, Some((0, "records 0 to 7 of"))),
    ] {
        let (files, heads) = (Files::real(), Arc::default());
        synced(&files, &heads, 8).await;
        cut(&files, left);
        let read = reopened(&files, &heads).await;
        assert_eq!(read.records.len(), left, "{what}");
        let Some((from, text)) = expected else {
            assert_eq!(read.damaged, [], "{what}");
            continue;
        };
        assert_eq!(read.damaged.len(), 1, "{what}");
        let damage = &read.damaged[0];
        assert_eq!(
            (damage.kind, damage.from),
            (DamageKind::MissingEnd, from),
            "{what}"
        );
        assert!(damage.text.starts_with(text), "{what}: {damage}");
    }
}

#[tokio::test]
async fn a_journal_that_is_gone_is_named() {
    let (files, heads) = (Files::real(), Arc::default());
    synced(&files, &heads, 2).await;
    files.disk.remove_file(&files.dir.journal()).unwrap();
    let read = reopened(&files, &heads).await;
    assert_eq!(read.damaged[0].kind, DamageKind::MissingEnd);
}

/// A reader does not make others forget.
#[tokio::test]
async fn what_is_missing_is_named_until_something_is_appended() {
    let (files, heads) = (Files::real(), Arc::default());
    synced(&files, &heads, 4).await;
    cut(&files, 2);
    let looking = Arc::new(Heads::remembered(heads.snapshot()));
    for _ in 0..2 {
        let read = files.journal_remembered(&looking).read(0).await.unwrap();
        assert_eq!(read.damaged.len(), 1);
        assert_eq!(looking.snapshot(), heads.snapshot());
    }
    let journal = files.journal_remembered(&looking);
    assert_eq!(journal.read(0).await.unwrap().damaged.len(), 1);
    append(&journal, 2, Durability::Synced).await.unwrap();
    assert_eq!(journal.read(0).await.unwrap().damaged, []);
    assert_eq!(reopened(&files, &looking).await.damaged, []);
}

#[tokio::test]
async fn another_record_in_the_place_of_the_last_one_is_named() {
    let (files, heads) = (Files::real(), Arc::default());
    synced(&files, &heads, 3).await;
    cut(&files, 2);
    // Another process that remembers nothing goes on.
    let other = files.journal();
    for n in [2, 3] {
        let appended = other.append(n, Timestamp(77), working(9), Durability::Synced);
        appended.await.unwrap();
    }
    let read = reopened(&files, &heads).await;
    assert_eq!(read.damaged.len(), 1);
    assert_eq!(
        (read.damaged[0].kind, read.damaged[0].from),
        (DamageKind::Gap, 2)
    );
}

#[tokio::test]
async fn a_head_that_lags_is_fine_and_lazy_records_are_not_remembered() {
    let (files, heads) = (Files::real(), Arc::default());
    synced(&files, &heads, 2).await;
    assert!(heads.has_changed());
    let known = heads.snapshot();
    assert!(!heads.has_changed());
    let journal = files.journal_remembered(&heads);
    append(&journal, 2, Durability::Lazy).await.unwrap();
    assert!(!heads.has_changed());
    let lagging = Arc::new(Heads::remembered(known.clone()));
    let read = files.journal_remembered(&lagging).read(0).await.unwrap();
    assert_eq!((read.records.len(), read.damaged), (3, Vec::new()));
    append(&journal, 3, Durability::Synced).await.unwrap();
    assert_eq!(heads.snapshot()["journal"].number, 3);
    // What is kept is kept as text.
    let text = serde_json::to_string(&heads.snapshot()).unwrap();
    let read: BTreeMap<String, Head> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, heads.snapshot());
}

#[tokio::test]
async fn a_transcript_that_lost_its_last_lines_is_in_doubt() {
    let bob = name("bob");
    for (what, left, tail) in [
        ("none", 4, Tail::Proven),
        ("the last", 3, Tail::InDoubt),
        ("all but the header", 1, Tail::InDoubt),
        ("all", 0, Tail::InDoubt),
    ] {
        let (files, heads) = (Files::real(), Arc::default());
        let mut open = files
            .transcripts_remembered(&heads)
            .open(&bob)
            .await
            .unwrap();
        for n in 0..3 {
            open.log
                .append(&Entry::Prompted(n.to_string()))
                .await
                .unwrap();
        }
        drop(open);
        let path = files.dir.transcript(&bob);
        let lines = files.lines(&path);
        files.replace(&path, &lines[..left]);
        let heads = Arc::new(Heads::remembered(heads.snapshot()));
        let open = files
            .transcripts_remembered(&heads)
            .open(&bob)
            .await
            .unwrap();
        assert_eq!(
            (open.entries.len(), open.tail),
            (left.saturating_sub(1), tail),
            "{what}"
        );
        let is_said = open
            .repairs
            .iter()
            .any(|line| line.contains("the last lines of"));
        assert_eq!(is_said, tail == Tail::InDoubt, "{what}: {:?}", open.repairs);
    }
}

#[tokio::test]
async fn a_transcript_that_was_put_away_is_not_missed() {
    let (files, heads, bob) = (Files::real(), Arc::default(), name("bob"));
    let mut open = files
        .transcripts_remembered(&heads)
        .open(&bob)
        .await
        .unwrap();
    open.log
        .append(&Entry::Prompted("go".into()))
        .await
        .unwrap();
    drop(open);
    let archive = FileArchive::new(files.disk.clone(), files.dir.clone(), heads.clone());
    archive
        .archive("1", std::slice::from_ref(&bob))
        .await
        .unwrap();
    let open = files
        .transcripts_remembered(&heads)
        .open(&bob)
        .await
        .unwrap();
    assert_eq!((open.repairs.len(), open.tail), (0, Tail::Proven));
}

const FAULTS: [Fault; 5] = [
    Fault::Crash,
    Fault::CrashMidway,
    Fault::ShortWrite,
    Fault::Error(ErrorKind::StorageFull),
    Fault::Error(ErrorKind::Other),
];

fn stores(disk: &SimDisk, heads: &Arc<Heads>) -> Option<(FileJournal, FileTranscripts)> {
    TeamDir::create(disk, "/work/.team").ok()?;
    let files = Files::at(Arc::new(disk.clone()), "/work/.team");
    Some((
        files.journal_remembered(heads),
        files.transcripts_remembered(heads),
    ))
}

/// Appends to a journal and a transcript, synced and lazily, by a process that goes on after errors.
async fn write(disk: &SimDisk, heads: &Arc<Heads>) {
    let Some((journal, transcripts)) = stores(disk, heads) else {
        return;
    };
    let mut next = 0;
    for turn in 0..10 {
        let durability = if turn % 3 == 1 {
            Durability::Synced
        } else {
            Durability::Lazy
        };
        match append(&journal, next, durability).await {
            Ok(()) => next += 1,
            Err(JournalError::Conflict { length }) => next = length,
            Err(JournalError::Broken(_)) => {}
            Err(error @ JournalError::Unsound(_)) => panic!("{error}"),
        }
    }
    for _ in 0..2 {
        if let Ok(mut open) = transcripts.open(&name("bob")).await {
            for n in 0..3 {
                // The driver would report the failure; here the member just continues.
                let _ = open.log.append(&Entry::Prompted(n.to_string())).await;
            }
        }
    }
}

#[test]
fn what_is_remembered_never_leads_what_survives_a_power_cut() {
    let calm = SimDisk::new();
    RUNTIME.block_on(write(&calm, &Arc::default()));
    let mut judged = 0;
    for at in 0..calm.operations() {
        for fault in FAULTS {
            let (disk, heads) = (SimDisk::new(), Arc::default());
            disk.fail_at(at, fault);
            RUNTIME.block_on(write(&disk, &heads));
            let cuts = (0..8).map(|seed| (format!("cut {seed}"), disk.after_power_cut(seed)));
            for (end, disk) in cuts.chain([("kill".to_owned(), disk.restarted())]) {
                judged += 1;
                let told = format!("operation {at}, {fault:?}, then {end}");
                let heads = Arc::new(Heads::remembered(heads.snapshot()));
                let (journal, transcripts) = stores(&disk, &heads).unwrap();
                RUNTIME.block_on(async {
                    let read = journal.read(0).await.unwrap();
                    let lost = |kind| matches!(kind, DamageKind::MissingEnd | DamageKind::Gap);
                    let lost: Vec<_> = read.damaged.iter().filter(|d| lost(d.kind)).collect();
                    assert!(lost.is_empty(), "{told}: {lost:?}");
                    let open = transcripts.open(&name("bob")).await.unwrap();
                    let missing = |line: &&String| line.contains("missing");
                    let missing: Vec<_> = open.repairs.iter().filter(missing).collect();
                    assert!(missing.is_empty(), "{told}: {missing:?}");
                });
            }
        }
    }
    assert!(judged > 500, "{judged}");
}

#[test]
fn without_syncs_the_same_test_sees_them_lead() {
    let (disk, heads) = (SimDisk::new().ignoring_syncs(), Arc::default());
    RUNTIME.block_on(write(&disk, &heads));
    let heads = Arc::new(Heads::remembered(heads.snapshot()));
    let cut = disk.after_power_cut(0);
    let (journal, _) = stores(&cut, &heads).unwrap();
    let read = RUNTIME.block_on(journal.read(0)).unwrap();
    assert_eq!(read.damaged[0].kind, DamageKind::MissingEnd);
}

/// A turn is known by the number of its last entry for ever, so nothing new may get the number of something that is lost.
#[tokio::test]
async fn lost_lines_of_a_transcript_keep_their_numbers() {
    for (what, lost, numbers) in [
        ("none", vec![], vec![0, 1, 2, 3, 4]),
        ("one", vec![2], vec![0, 2, 3, 4]),
        ("two together", vec![2, 3], vec![0, 3, 4]),
        ("the first", vec![1], vec![1, 2, 3, 4]),
        ("the last", vec![5], vec![0, 1, 2, 3]),
        ("all", vec![1, 2, 3, 4, 5], vec![]),
    ] {
        for is_removed in [false, true] {
            let (files, mut heads) = (Files::real(), Arc::<Heads>::default());
            let alice = name("alice");
            let mut open = files
                .transcripts_remembered(&heads)
                .open(&alice)
                .await
                .unwrap();
            for at in 0..5 {
                let entry = Entry::Prompted(at.to_string());
                open.log.append(&entry).await.unwrap();
            }
            drop(open);
            let path = files.dir.transcript(&alice);
            let mut lines = files.lines(&path);
            for at in lost.iter().rev() {
                match is_removed {
                    true => drop(lines.remove(*at)),
                    false => lines[*at] = lines[*at].replace("prompted", "prompteb"),
                }
            }
            files.replace(&path, &lines);
            let mut numbers = numbers.clone();
            // What is appended comes after everything that ever was there, at every opening.
            for next in 5..9 {
                heads = Arc::new(Heads::remembered(heads.snapshot()));
                let transcripts = files.transcripts_remembered(&heads);
                let mut open = transcripts.open(&alice).await.unwrap();
                let count = open.entries.len();
                let length = transcript::length(count, &open.gaps);
                let found: Vec<u64> = transcript::numbers(&open.gaps).take(count).collect();
                if is_removed {
                    // Where lines are missing of which nothing is left is not always known.
                    let given = next > 5;
                    assert!(
                        !given || found.last() == Some(&(next - 1)),
                        "{what}: {found:?}"
                    );
                } else {
                    assert_eq!(found, numbers, "{what}");
                }
                assert_eq!(length, next, "{what}, removed: {is_removed}");
                let entry = Entry::Prompted(next.to_string());
                open.log.append(&entry).await.unwrap();
                numbers.push(next);
            }
        }
    }
}
