//! Every crash and every error at every operation that changes the disk, found by counting: nothing that was
//! acknowledged is lost, nothing is heard twice, and everything loads. And the same with a design that loses, to show
//! that these tests would notice.

use std::{
    collections::BTreeSet,
    io::ErrorKind,
    sync::{Arc, LazyLock},
};

use crate::common::{Files, ids, mail, name};
use teammate_core::{
    Incarnation, Timestamp,
    port::{
        Disk as _, Durability, Journal, JournalError, Mailbox, OpenTranscript, TranscriptStore,
    },
    team::TeamEvent,
    transcript::{Conversation, Entry},
};
use teammate_store::{files::TeamDir, wire};
use teammate_testkit::sim::{Fault, SimDisk};
use tokio::runtime::Runtime;

/// Power cuts tried at each point: none of it, all of it, and some by chance.
const CUTS: std::ops::Range<u64> = 0..8;

const FAULTS: [Fault; 5] = [
    Fault::Crash,
    Fault::CrashMidway,
    Fault::ShortWrite,
    Fault::Error(ErrorKind::StorageFull),
    Fault::Error(ErrorKind::Other),
];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap()
});

/// What was promised to whom.
#[derive(Default, Debug, Clone)]
struct Promised {
    /// Messages whose sending was acknowledged.
    sent: BTreeSet<String>,
    /// Messages whose hearing was acknowledged: they are in the transcript.
    heard: BTreeSet<String>,
}

/// The team's directory on a simulated disk; `None` if the process died while making it.
fn team(disk: &SimDisk) -> Option<Files> {
    TeamDir::create(disk, "/work/.team").ok()?;
    Some(Files::at(Arc::new(disk.clone()), "/work/.team"))
}

/// Two senders' worth of mail for bob; what failed is sent again with the same id.
async fn send(files: &Files, range: std::ops::Range<u32>, promised: &mut Promised) {
    let mailbox = files.mailbox();
    for n in range {
        let message = mail(&format!("m{n}"), "bob", "something to hear");
        for _ in 0..3 {
            if mailbox.send(message.clone()).await.is_ok() {
                promised.sent.insert(format!("m{n}"));
                break;
            }
        }
    }
}

/// Bob's way: what is claimed goes into the transcript, once, and is settled after that.
async fn hear(files: &Files, promised: &mut Promised) {
    let (bob, mailbox) = (name("bob"), files.mailbox());
    let Ok(OpenTranscript {
        mut log, entries, ..
    }) = files.transcripts().open(&bob).await
    else {
        return;
    };
    let mut conversation = Conversation::of(entries);
    for _ in 0..3 {
        for claim in mailbox.take(&bob).await.unwrap_or_default() {
            let mut new = claim.messages;
            new.retain(|message| !conversation.has_heard(&message.id));
            if !new.is_empty() {
                let heard: Vec<_> = new.iter().map(|message| message.id.to_string()).collect();
                let entry = Entry::Heard(new);
                if log.append(&entry).await.is_err() {
                    continue;
                }
                conversation.push(&entry);
                promised.heard.extend(heard);
            }
            let _ = mailbox.ack(&bob, claim.id).await;
        }
    }
}

/// All that bob has heard, in order, after a restart without any trouble.
async fn all_heard(disk: &SimDisk) -> Vec<String> {
    let files = team(disk).expect("a healthy disk");
    hear(&files, &mut Promised::default()).await;
    let open = files.transcripts().open(&name("bob")).await.unwrap();
    let mut heard = Vec::new();
    for entry in open.entries {
        if let Entry::Heard(mail) = entry {
            heard.extend(mail.into_iter().map(|message| message.id.to_string()));
        }
    }
    heard
}

/// What a scenario is: it lives on a disk and says what was promised.
type Scenario = fn(&SimDisk) -> Promised;

fn sending(disk: &SimDisk) -> Promised {
    let mut promised = Promised::default();
    if let Some(files) = team(disk) {
        RUNTIME.block_on(send(&files, 0..4, &mut promised));
    }
    promised
}

fn sending_and_hearing(disk: &SimDisk) -> Promised {
    let mut promised = Promised::default();
    if let Some(files) = team(disk) {
        RUNTIME.block_on(async {
            send(&files, 0..2, &mut promised).await;
            hear(&files, &mut promised).await;
            send(&files, 2..4, &mut promised).await;
            hear(&files, &mut promised).await;
            send(&files, 4..5, &mut promised).await;
        });
    }
    promised
}

/// What is wrong after a restart of `disk`, if anything.
fn judge(disk: &SimDisk, promised: &Promised) -> Option<String> {
    let heard = RUNTIME.block_on(all_heard(disk));
    let once: BTreeSet<_> = heard.iter().cloned().collect();
    let lost: Vec<_> = promised
        .sent
        .union(&promised.heard)
        .filter(|id| !once.contains(*id))
        .collect();
    if !lost.is_empty() {
        return Some(format!("lost {lost:?}"));
    }
    if once.len() != heard.len() {
        return Some(format!("doubled: {heard:?}"));
    }
    if !heard.is_sorted() {
        return Some(format!("out of order: {heard:?}"));
    }
    None
}

/// Runs the scenario with every fault at every operation; each time the process is killed at the end or the power is
/// cut. Returns how many ends were judged, and what was wrong.
fn every_fault(scenario: Scenario, start: impl Fn() -> SimDisk) -> (usize, Vec<String>) {
    let calm = start();
    scenario(&calm);
    let (mut judged, mut wrong) = (0, Vec::new());
    for at in 0..calm.operations() {
        for fault in FAULTS {
            let disk = start();
            disk.fail_at(at, fault);
            let promised = scenario(&disk);
            let ends = CUTS.map(|seed| (format!("cut {seed}"), disk.after_power_cut(seed)));
            for (end, disk) in ends.chain([("kill".to_owned(), disk.restarted())]) {
                judged += 1;
                if let Some(what) = judge(&disk, &promised) {
                    wrong.push(format!("operation {at}, {fault:?}, then {end}: {what}"));
                }
            }
        }
    }
    (judged, wrong)
}

#[test]
fn sending_survives_everything() {
    let (judged, wrong) = every_fault(sending, SimDisk::new);
    assert_eq!(wrong, [""; 0]);
    assert!(judged > 500, "{judged}");
}

// slow: every operation on the disk
#[test]
fn hearing_survives_everything() {
    let (judged, wrong) = every_fault(sending_and_hearing, SimDisk::new);
    assert_eq!(wrong, [""; 0]);
    assert!(judged > 1_000, "{judged}");
}

// slow: every operation on the disk
#[test]
fn resuming_survives_everything_after_every_crash() {
    let calm = SimDisk::new();
    sending_and_hearing(&calm);
    let mut judged = 0;
    for first in (0..calm.operations()).step_by(2) {
        let disk = SimDisk::new();
        disk.fail_at(first, Fault::CrashMidway);
        let before = sending_and_hearing(&disk);
        for second in (0..30).step_by(3) {
            // The same machine, or the power was cut as well.
            for begin in [
                disk.after_power_cut(1),
                disk.after_power_cut(first + second),
            ] {
                begin.fail_at(second, Fault::CrashMidway);
                let mut promised = before.clone();
                if let Some(files) = team(&begin) {
                    RUNTIME.block_on(async {
                        hear(&files, &mut promised).await;
                        send(&files, 4..6, &mut promised).await;
                    });
                }
                for seed in 0..4 {
                    judged += 1;
                    let wrong = judge(&begin.after_power_cut(seed), &promised);
                    assert_eq!(
                        wrong, None,
                        "operation {first}, then {second}, then cut {seed}"
                    );
                }
            }
        }
    }
    assert!(judged > 1_000, "{judged}");
}

#[test]
fn a_reader_killed_while_senders_go_on_costs_nothing_even_if_the_power_goes_later() {
    let calm = SimDisk::new();
    sending_and_hearing(&calm);
    for at in 0..calm.operations() {
        for fault in [Fault::Crash, Fault::CrashMidway] {
            let disk = SimDisk::new();
            disk.fail_at(at, fault);
            let mut promised = sending_and_hearing(&disk);
            let sender = disk.restarted();
            let files = team(&sender).expect("a healthy disk");
            RUNTIME.block_on(send(&files, 5..7, &mut promised));
            for seed in CUTS {
                let wrong = judge(&sender.after_power_cut(seed), &promised);
                assert_eq!(wrong, None, "operation {at}, {fault:?}, then cut {seed}");
            }
        }
    }
}

/// What bob's mailbox says is missing, after somebody has sent to it again.
async fn gaps(disk: &SimDisk) -> Vec<String> {
    let files = team(disk).expect("a healthy disk");
    let mut before = files.mailbox().take(&name("bob")).await.unwrap();
    send(&files, 7..9, &mut Promised::default()).await;
    before.extend(files.mailbox().take(&name("bob")).await.unwrap());
    before.into_iter().flat_map(|claim| claim.gaps).collect()
}

// slow: every operation on the disk
#[test]
fn no_crash_and_no_power_cut_is_taken_for_mail_that_somebody_removed() {
    let calm = SimDisk::new();
    sending_and_hearing(&calm);
    for at in 0..calm.operations() {
        for fault in FAULTS {
            let disk = SimDisk::new();
            disk.fail_at(at, fault);
            sending_and_hearing(&disk);
            let cuts = CUTS.map(|seed| disk.after_power_cut(seed));
            for disk in cuts.chain([disk.restarted()]) {
                let gaps = RUNTIME.block_on(gaps(&disk));
                assert_eq!(gaps, [""; 0], "operation {at}, {fault:?}");
            }
        }
    }
}

// slow: every operation on the disk
#[test]
fn without_syncs_the_same_test_reports_losses() {
    let (_, wrong) = every_fault(sending_and_hearing, || SimDisk::new().ignoring_syncs());
    assert!(
        wrong.iter().any(|what| what.contains("lost")),
        "the rig does not bite"
    );
}

/// The usual way: read all, empty the file, then remember.
fn truncating(disk: &SimDisk) -> Promised {
    let mut promised = Promised::default();
    let Some(files) = team(disk) else {
        return promised;
    };
    RUNTIME.block_on(async {
        send(&files, 0..3, &mut promised).await;
        let bob = name("bob");
        let Ok(mut open) = files.transcripts().open(&bob).await else {
            return;
        };
        let inbox = files.dir.inbox(&bob);
        let Ok(bytes) = disk.read(&inbox) else { return };
        if disk.write(&inbox, b"").is_err() {
            return;
        }
        let messages = wire::mail::read_all(&bytes, &bob, "0", &crate::common::inbox()).messages;
        let _ = open.log.append(&Entry::Heard(messages)).await;
    });
    promised
}

#[test]
fn a_reader_that_truncates_is_caught() {
    let (_, wrong) = every_fault(truncating, SimDisk::new);
    let lost_by_kill = |what: &String| what.contains("kill") && what.contains("lost");
    assert!(wrong.iter().any(lost_by_kill), "the rig does not bite");
}

fn event(n: u64) -> Vec<TeamEvent> {
    let incarnation = Incarnation(u32::try_from(n).unwrap());
    vec![TeamEvent::Working {
        member: name("bob"),
        incarnation,
    }]
}

/// What was acknowledged of a journal: the records, and how many of them must survive a power cut.
#[derive(Default)]
struct Journaled {
    acknowledged: u64,
    synced: u64,
}

fn journaling(disk: &SimDisk) -> Journaled {
    let mut done = Journaled::default();
    let Some(files) = team(disk) else { return done };
    let journal = files.journal();
    RUNTIME.block_on(async {
        let mut next = 0;
        for _ in 0..12 {
            if next == 6 {
                return;
            }
            let durability = if next % 3 == 2 {
                Durability::Lazy
            } else {
                Durability::Synced
            };
            match journal
                .append(next, Timestamp(next), event(next), durability)
                .await
            {
                Ok(()) => {
                    next += 1;
                    done.acknowledged = next;
                    if durability == Durability::Synced {
                        done.synced = next;
                    }
                }
                // What is in doubt may be there: then it is what we wrote, since nobody else writes here.
                Err(JournalError::Conflict { length }) => next = length,
                Err(JournalError::Broken(_)) => {}
                Err(error @ JournalError::Unsound(_)) => panic!("{error}"),
            }
        }
    });
    done
}

#[test]
fn journaling_survives_everything() {
    let calm = SimDisk::new();
    assert_eq!(journaling(&calm).acknowledged, 6);
    for at in 0..calm.operations() {
        for fault in FAULTS {
            let disk = SimDisk::new();
            disk.fail_at(at, fault);
            let done = journaling(&disk);
            let cuts = CUTS.map(|seed| {
                (
                    format!("cut {seed}"),
                    disk.after_power_cut(seed),
                    done.synced,
                )
            });
            for (end, disk, least) in
                cuts.chain([("kill".into(), disk.restarted(), done.acknowledged)])
            {
                let told = format!("operation {at}, {fault:?}, then {end}");
                let journal = team(&disk).expect("a healthy disk").journal();
                RUNTIME.block_on(async {
                    let read = journal.read(0).await.unwrap();
                    let length = read.records.len() as u64;
                    assert!(length >= least, "{told}: {length} of {least} records");
                    for (n, record) in (0..).zip(&read.records) {
                        assert_eq!((record.number, &record.events), (n, &event(n)), "{told}");
                    }
                    let next = journal.append(length, Timestamp(0), event(99), Durability::Synced);
                    assert_eq!(next.await, Ok(()), "{told}");
                    assert_eq!(
                        journal.read(0).await.unwrap().records.len() as u64,
                        length + 1,
                        "{told}"
                    );
                });
            }
        }
    }
}

#[test]
fn a_failed_sync_is_never_success_and_never_tried_again() {
    let disk = SimDisk::new();
    let files = team(&disk).unwrap();
    RUNTIME.block_on(async {
        let mailbox = files.mailbox();
        mailbox.send(mail("m0", "bob", "hi")).await.unwrap();
        let warm = disk.operations();
        mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
        assert_eq!(disk.operations() - warm, 2, "an append and a sync");
        disk.fail_at(disk.operations() + 1, Fault::Error(ErrorKind::Other));
        assert!(mailbox.send(mail("m2", "bob", "hi")).await.is_err());
        assert_eq!(
            disk.operations() - warm,
            5,
            "the failed sync is followed by a truncation only"
        );
        mailbox.send(mail("m2", "bob", "hi")).await.unwrap();
        let cut = disk.after_power_cut(0);
        let claims = team(&cut)
            .unwrap()
            .mailbox()
            .take(&name("bob"))
            .await
            .unwrap();
        assert_eq!(ids(&claims), ["m0", "m1", "m2"]);
    });
}
