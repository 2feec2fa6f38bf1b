//! What is recorded, and which changes of it are found.

use std::{fs, path::PathBuf};

use teammate_core::{
    MemberName, Timestamp,
    audit::{AuditEntry, AuditEvent},
    port::AuditLog as _,
};
use tempfile::TempDir;

use super::*;

struct Kept {
    dir: TempDir,
    user: UserDirs,
}

impl Kept {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("work")).unwrap();
        let user = UserDirs {
            state: Some(dir.path().join("state")),
            ..UserDirs::default()
        };
        Self { dir, user }
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work").canonicalize().unwrap()
    }

    fn file(&self) -> AuditFile {
        AuditFile::of(&self.user, &self.work(), &self.work())
            .unwrap()
            .unwrap()
    }

    fn trail(&self) -> AuditTrail {
        AuditTrail::of(&*self.work(), &self.user).unwrap()
    }

    /// With this many entries.
    fn with(entries: u64) -> Self {
        let kept = Self::new();
        let file = kept.file();
        for n in 0..entries {
            file.record(&entry(n)).unwrap();
        }
        kept
    }

    fn problems(&self) -> Vec<String> {
        self.trail().verify().unwrap().problems
    }

    fn edit(&self, change: impl FnOnce(&mut Vec<String>)) {
        let path = self.trail().path().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
        change(&mut lines);
        fs::write(path, lines.concat()).unwrap();
    }
}

fn entry(n: u64) -> AuditEntry {
    AuditEntry {
        at: Timestamp(1_000 + n),
        pid: 7,
        member: Some(MemberName::lead()),
        what: AuditEvent::Trusted {
            what: format!("thing {n}"),
        },
    }
}

#[test]
fn entries_are_read_in_order_and_count_with_their_key_only() {
    let kept = Kept::with(3);
    let mut read = Vec::new();
    kept.trail()
        .read(|_, record| read.push((record.n, record.entry)))
        .unwrap();
    assert_eq!(read, [0, 1, 2].map(|n| (n, entry(n))));
    let check = kept.trail().verify().unwrap();
    assert_eq!((check.entries, check.since), (3, Some(Timestamp(1_000))));
    assert_eq!(check.problems, [] as [String; 0]);
    // Another key does not vouch for it.
    for key in ["mail.key", "mail.key.copy"] {
        fs::remove_file(kept.dir.path().join("state").join(key)).unwrap();
    }
    assert_eq!(kept.problems().len(), 4);
}

#[test]
fn what_was_changed_removed_added_or_moved_is_found() {
    type Change = fn(&mut Vec<String>);
    let changes: [(Change, &str); 7] = [
        (
            |lines| lines[1] = lines[1].replace("thing", "think"),
            "line 2 is not as it was written",
        ),
        (
            |lines| drop(lines.remove(1)),
            "line 2: 1 entries before entry 2 are missing",
        ),
        (
            |lines| lines.truncate(2),
            "2 entries at the end are missing",
        ),
        (
            |lines| lines.swap(1, 2),
            "line 2: 1 entries before entry 2 are missing",
        ),
        (
            |lines| lines.insert(2, lines[1].clone()),
            "line 3: entry 1 is there again, or was moved",
        ),
        (
            |lines| lines.push("{}\n".to_owned()),
            "line 5 is not as it was written",
        ),
        (
            |lines| drop(lines.drain(..1)),
            "line 1: 1 entries before entry 1 are missing",
        ),
    ];
    for (change, problem) in changes {
        let kept = Kept::with(4);
        kept.edit(change);
        let problems = kept.problems();
        assert!(
            problems.iter().any(|found| found.starts_with(problem)),
            "{problem}: {problems:?}"
        );
    }
    let kept = Kept::with(4);
    fs::remove_file(kept.trail().path()).unwrap();
    assert_eq!(kept.problems(), ["4 entries at the end are missing"]);
    let kept = Kept::with(1);
    fs::remove_file(kept.trail().path().with_extension("head")).unwrap();
    assert_eq!(kept.problems().len(), 1);
}

#[test]
fn entries_that_were_removed_are_missed_also_when_the_log_goes_on() {
    let kept = Kept::with(4);
    kept.edit(|lines| lines.truncate(2));
    kept.file().record(&entry(4)).unwrap();
    assert_eq!(
        kept.problems(),
        ["line 3: 2 entries before entry 4 are missing"]
    );
    let kept = Kept::with(4);
    fs::remove_file(kept.trail().path()).unwrap();
    kept.file().record(&entry(4)).unwrap();
    assert_eq!(
        kept.problems(),
        ["line 1: 4 entries before entry 4 are missing"]
    );
    // A process that was there before the removal misses them, too.
    let kept = Kept::with(0);
    let file = kept.file();
    (0..4).for_each(|n| file.record(&entry(n)).unwrap());
    kept.edit(|lines| lines.truncate(1));
    file.record(&entry(4)).unwrap();
    assert_eq!(
        kept.problems(),
        ["line 2: 3 entries before entry 4 are missing"]
    );
}

#[test]
fn a_line_that_was_cut_off_stays_and_the_log_goes_on() {
    let kept = Kept::with(2);
    kept.edit(|lines| {
        let last = lines.last_mut().unwrap();
        last.truncate(last.len() / 2);
    });
    kept.file().record(&entry(2)).unwrap();
    let problems = kept.problems();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("line 2 is not as it was written"));
    assert_eq!(problems[1], "line 3: 1 entries before entry 2 are missing");
}

#[test]
fn several_processes_add_to_one_log() {
    let kept = Kept::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let file = kept.file();
            scope.spawn(move || (0..50).for_each(|n| file.record(&entry(n)).unwrap()));
        }
    });
    let check = kept.trail().verify().unwrap();
    assert_eq!((check.entries, check.problems), (200, Vec::new()));
}

#[test]
fn without_a_place_for_the_key_there_is_no_log() {
    let kept = Kept::new();
    assert!(AuditTrail::of(&*kept.work(), &UserDirs::default()).is_err());
}
