//! The story of a journal's second copy: it has the journal's lines, by any process, and a journal that is gone is put
//! back from it.

use std::{path::PathBuf, sync::Arc};

use crate::common::{Files, name, other_seal, seal};
use teammate_core::{
    Incarnation, Timestamp,
    port::{Disk as _, Durability, Journal as _, JournalError},
    team::TeamEvent,
};
use teammate_store::files::{FileJournal, JournalCopy};
use teammate_testkit::sim::{Fault, SimDisk};

const COPY: &str = "/state/one.journal";

fn working(n: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(u32::try_from(n).unwrap()),
    }]
}

struct World {
    disk: Arc<SimDisk>,
    files: Files,
    copy: JournalCopy,
}

impl World {
    fn new() -> Self {
        let disk = Arc::new(SimDisk::new());
        disk.create_dir_all(&PathBuf::from("/state")).unwrap();
        teammate_store::files::TeamDir::create(&*disk, "/team").unwrap();
        let files = Files::at(disk.clone(), "/team");
        let copy = JournalCopy::new(disk.clone(), COPY.into());
        Self { disk, files, copy }
    }

    /// The same machine, to another process.
    fn restarted(&self) -> Self {
        let disk = Arc::new(self.disk.restarted());
        let files = Files::at(disk.clone(), "/team");
        let copy = JournalCopy::new(disk.clone(), COPY.into());
        Self { disk, files, copy }
    }

    /// The journal as one more process sees it.
    fn journal(&self) -> FileJournal {
        let proof = (seal(), Arc::default());
        let (disk, dir) = (self.files.disk.clone(), self.files.dir.clone());
        FileJournal::copied(disk, dir, proof, Some(self.copy.clone()))
    }

    fn text(&self) -> Vec<u8> {
        self.disk.read(&self.files.dir.journal()).unwrap()
    }

    fn copied(&self) -> Vec<u8> {
        self.disk.read(self.copy.path()).unwrap()
    }

    fn put_back(&self) -> Option<teammate_store::files::PutBack> {
        let copy = &self.copy;
        copy.put_back(&*self.files.disk, &self.files.dir, seal())
            .unwrap()
    }
}

async fn append(journal: &FileJournal, n: u64) -> Result<(), JournalError> {
    let durability = [Durability::Synced, Durability::Lazy][usize::from(n % 3 == 2)];
    journal
        .append(n, Timestamp(n), working(n), durability)
        .await
}

#[tokio::test]
async fn the_copy_has_the_lines_of_all_processes() {
    let world = World::new();
    let (one, two) = (world.journal(), world.journal());
    for n in 0..30 {
        append([&one, &two][usize::from(n % 5 < 2)], n)
            .await
            .unwrap();
        assert_eq!(world.copied(), world.text(), "after {n}");
    }
    // One of an earlier version appends past it.
    let without = world.files.journal();
    for n in 30..33 {
        append(&without, n).await.unwrap();
    }
    assert_ne!(world.copied(), world.text());
    append(&one, 33).await.unwrap();
    assert_eq!(world.copied(), world.text());
}

#[tokio::test]
async fn a_torn_copy_is_completed_and_one_that_has_more_is_kept_aside() {
    let world = World::new();
    let journal = world.journal();
    for n in 0..10 {
        append(&journal, n).await.unwrap();
    }
    let whole = world.text();
    for cut in [0, 1, whole.len() / 2, whole.len() - 1] {
        world.disk.write(world.copy.path(), &whole[..cut]).unwrap();
        let n = journal.read(0).await.unwrap().records.len() as u64;
        append(&world.journal(), n).await.unwrap();
        assert_eq!(world.copied(), world.text(), "cut at {cut}");
    }
    // The journal loses its end: what only the copy has stays.
    let longer = world.text();
    let lines = world.files.lines(&world.files.dir.journal());
    world.files.replace(&world.files.dir.journal(), &lines[..6]);
    append(&world.journal(), 6).await.unwrap();
    assert_eq!(world.copied(), world.text());
    assert_eq!(world.disk.read(&world.copy.aside()).unwrap(), longer);
}

#[tokio::test]
async fn a_journal_that_is_gone_is_put_back_and_what_was_there_is_kept() {
    for harm in [
        None,
        Some(&b""[..]),
        Some(b"\x07garbage\nmore"),
        Some(b"{\"n\":0"),
    ] {
        let world = World::new();
        let journal = world.journal();
        for n in 0..10 {
            append(&journal, n).await.unwrap();
        }
        let (whole, path) = (world.text(), world.files.dir.journal());
        match harm {
            None => world.disk.remove_file(&path).unwrap(),
            Some(harm) => world.disk.write(&path, harm).unwrap(),
        }
        // A line that was on its way to the copy is no line.
        let torn = [&whole[..], b"{\"n\":10,"].concat();
        world.disk.write(world.copy.path(), &torn).unwrap();
        let done = world.put_back().unwrap();
        assert_eq!((done.lines, world.text()), (10, whole), "{harm:?}");
        let kept = done.kept_in.map(|path| world.disk.read(&path).unwrap());
        assert_eq!(kept.as_deref(), harm.filter(|harm| !harm.is_empty()));
        assert_eq!(world.put_back(), None);
        append(&world.journal(), 10).await.unwrap();
        assert_eq!(world.copied(), world.text());
    }
}

#[tokio::test]
async fn a_copy_with_another_seal_is_never_put_back() {
    let world = World::new();
    append(&world.journal(), 0).await.unwrap();
    world.disk.remove_file(&world.files.dir.journal()).unwrap();
    let (copy, dir) = (&world.copy, &world.files.dir);
    assert_eq!(
        copy.put_back(&*world.disk, dir, other_seal()).unwrap(),
        None
    );
    assert!(!world.disk.exists(&dir.journal()));
}

#[tokio::test]
async fn a_journal_that_goes_away_under_a_process_is_put_back_by_its_next_append() {
    for is_removed in [true, false] {
        let world = World::new();
        let journal = world.journal();
        for n in 0..5 {
            append(&journal, n).await.unwrap();
        }
        let path = world.files.dir.journal();
        match is_removed {
            true => world.disk.remove_file(&path).unwrap(),
            false => world.disk.open_append(&path).unwrap().truncate(0).unwrap(),
        }
        append(&journal, 5).await.unwrap();
        let read = world.journal().read(0).await.unwrap();
        assert_eq!((read.records.len(), read.damaged.len()), (6, 0));
    }
}

/// Whatever fails at the copy, and wherever: the record counts, and the next append mends the copy.
#[tokio::test]
async fn no_failure_of_the_copy_costs_a_record() {
    for at in 0..40 {
        let world = World::new();
        let journal = world.journal();
        append(&journal, 0).await.unwrap();
        world
            .disk
            .fail_at(world.disk.operations() + at, Fault::ShortWrite);
        let mut n = 1;
        for _ in 0..6 {
            match append(&journal, n).await {
                Ok(()) => n += 1,
                Err(JournalError::Broken(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        // The fault may not have come yet: then the first look has it.
        let read = match world.journal().read(0).await {
            Err(JournalError::Broken(_)) => world.journal().read(0).await.unwrap(),
            read => read.unwrap(),
        };
        assert_eq!(read.records.len() as u64, n, "at {at}");
        // Or it comes with the restart.
        let world = world.restarted();
        append(&world.journal(), n).await.unwrap();
        assert_eq!(world.copied(), world.text(), "at {at}");
    }
}

/// A process dies anywhere while it appends: the next one loses no record, and has the copy complete.
#[tokio::test]
async fn a_death_between_the_two_writes_is_made_good_by_the_next_append() {
    for fault in [Fault::Crash, Fault::CrashMidway] {
        for at in 0..30 {
            let world = World::new();
            append(&world.journal(), 0).await.unwrap();
            world.disk.fail_at(world.disk.operations() + at, fault);
            let (journal, mut acknowledged) = (world.journal(), 1);
            for n in 1..4 {
                if append(&journal, n).await.is_err() {
                    break;
                }
                acknowledged = n + 1;
            }
            let world = world.restarted();
            let journal = world.journal();
            let read = journal.read(0).await.unwrap();
            let count = read.records.len() as u64;
            assert!(count >= acknowledged, "{fault:?} at {at}");
            append(&journal, count).await.unwrap();
            assert_eq!(world.copied(), world.text(), "{fault:?} at {at}");
        }
    }
}
