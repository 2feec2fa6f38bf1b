//! The disk of a team leads nowhere but into its directory, whatever stands there and whatever becomes of it meanwhile.
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, and see to it that the rule holds elsewhere"
)]

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{chown, symlink},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use teammate_core::port::Disk;
use teammate_store::{
    disk::{TeamDisk, UnfitFile},
    files::TeamDir,
};
use tempfile::TempDir;

/// A workspace with a team, and a directory beside it in which nothing may happen.
struct Place {
    team: PathBuf,
    outside: PathBuf,
    _temporary: TempDir,
}

impl Place {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path().canonicalize().unwrap();
        let place = Self {
            team: top.join("work/.team"),
            outside: top.join("outside"),
            _temporary: temporary,
        };
        fs::create_dir_all(place.team.parent().unwrap()).unwrap();
        fs::create_dir(&place.outside).unwrap();
        fs::write(place.outside.join("file"), "mine\n").unwrap();
        place
    }

    /// As the program opens it.
    fn open(&self) -> io::Result<TeamDisk> {
        let disk = TeamDisk::create(&self.team)?;
        let dir = TeamDir::at(&self.team);
        dir.check(&disk)?;
        TeamDir::create(&disk, &self.team)?;
        Ok(disk)
    }

    /// As the program looks at it from another process.
    fn look(&self) -> io::Result<TeamDisk> {
        let disk = TeamDisk::open(&self.team)?;
        TeamDir::at(&self.team).check(&disk)?;
        Ok(disk)
    }

    fn assert_untouched(&self, what: &str) {
        let names: Vec<_> = fs::read_dir(&self.outside).unwrap().collect();
        assert_eq!(names.len(), 1, "{what}: {names:?}");
        let text = fs::read_to_string(self.outside.join("file")).unwrap();
        assert_eq!(text, "mine\n", "{what}");
    }
}

/// What can stand in the place of a directory or a file. False: this cannot be made here, as only root may.
type StandIn = (&'static str, fn(&Path, &Path) -> bool);

const STAND_INS: [StandIn; 10] = [
    ("a link to a directory outside", |at, outside| {
        symlink(outside, at).is_ok()
    }),
    ("a link to a file outside", |at, outside| {
        symlink(outside.join("file"), at).is_ok()
    }),
    ("a relative link", |at, _| {
        symlink("../".repeat(4) + "outside", at).is_ok()
    }),
    ("a link within the team", |at, _| symlink(".", at).is_ok()),
    ("a dangling link", |at, outside| {
        symlink(outside.join("new"), at).is_ok()
    }),
    ("a loop", |at, _| symlink(at, at).is_ok()),
    ("a pipe", |at, _| made("mkfifo", &[], at, &[])),
    ("a device", |at, _| made("mknod", &[], at, &["c", "1", "5"])),
    ("a file", |at, _| fs::write(at, "").is_ok()),
    ("a directory", |at, _| fs::create_dir(at).is_ok()),
];

fn made(program: &str, before: &[&str], at: &Path, after: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(before).arg(at).args(after);
    command
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// All but what belongs there.
fn stand_ins(but: &'static str) -> impl Iterator<Item = &'static StandIn> {
    STAND_INS.iter().filter(move |(what, _)| *what != but)
}

fn unfit(error: &io::Error) -> &UnfitFile {
    let inner = error.get_ref().unwrap_or_else(|| panic!("{error:?}"));
    inner.downcast_ref().unwrap_or_else(|| panic!("{error:?}"))
}

fn clear(path: &Path) {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    removed.unwrap();
}

const DIRECTORIES: [&str; 13] = [
    "",
    "inbox",
    "inbox/.lock",
    "inbox/.bad",
    "inbox/.claimed",
    "inbox/.claimed/alice",
    "agents",
    "agents/alice",
    "tasks",
    "plans",
    "outputs",
    "archive",
    "worktrees",
];

const FILES: [&str; 9] = [
    ".gitignore",
    "journal.jsonl",
    "journal.lock",
    "journal.bad",
    "host.lock",
    "host.json",
    "config.json",
    "events.jsonl",
    "events.1.jsonl",
];

#[test]
fn what_stands_in_the_place_of_a_directory_or_file_is_refused_by_name() {
    let directories = DIRECTORIES.map(|name| (name, "a directory"));
    let files = FILES.map(|name| (name, "a file"));
    for (name, belongs) in directories.into_iter().chain(files) {
        for (what, make) in stand_ins(belongs) {
            if name.ends_with("alice") && *what == "a file" {
                continue; // Something that lies there and that nobody uses.
            }
            let place = Place::new();
            place.open().unwrap();
            let path = if name.is_empty() {
                place.team.clone()
            } else {
                place.team.join(name)
            };
            clear(&path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if !make(&path, &place.outside) {
                continue;
            }
            for refused in [place.open().unwrap_err(), place.look().unwrap_err()] {
                assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
                let UnfitFile::Kind { path: named, .. } = unfit(&refused) else {
                    panic!("{name}, {what}: {refused}")
                };
                assert_eq!(*named, path, "{what}");
            }
            place.assert_untouched(&format!("{name}, {what}"));
        }
    }
}

/// Everything that a disk does with a path.
type Operation = (&'static str, fn(&TeamDisk, &Path) -> io::Result<()>);

const OPERATIONS: [Operation; 9] = [
    ("open_append", |disk, path| {
        disk.open_append(path)?.append(b"x")
    }),
    ("read", |disk, path| disk.read(path).map(drop)),
    ("write", |disk, path| disk.write(path, b"x")),
    ("sync_file", |disk, path| disk.sync_file(path)),
    ("rename", |disk, path| {
        disk.write(&disk.path().join("new"), b"x")?;
        disk.rename(&disk.path().join("new"), path)
    }),
    ("remove_file", |disk, path| disk.remove_file(path)),
    ("create_dir_all", |disk, path| {
        disk.create_dir_all(&path.join("new"))
    }),
    ("sync_dir", |disk, path| disk.sync_dir(path)),
    ("lock", |disk, path| {
        disk.lock(path, Duration::ZERO).map(drop)
    }),
];

#[test]
fn a_directory_that_is_swapped_while_the_team_is_open_leads_nowhere() {
    for (what, make) in stand_ins("a directory") {
        for (operation, run) in OPERATIONS {
            let place = Place::new();
            let disk = place.open().unwrap();
            let agents = place.team.join("agents");
            clear(&agents);
            if !make(&agents, &place.outside) {
                continue;
            }
            for below in ["agents/file", "agents/alice/transcript.jsonl"] {
                let path = place.team.join(below);
                let refused = run(&disk, &path).unwrap_err();
                assert_eq!(
                    refused.kind(),
                    io::ErrorKind::InvalidInput,
                    "{operation} of {below}, {what}: {refused}"
                );
                assert!(refused.to_string().starts_with(agents.to_str().unwrap()));
                assert!(!disk.exists(&path), "{what}");
            }
            assert!(disk.list(&agents).is_err(), "{what}");
            place.assert_untouched(&format!("{operation}, {what}"));
        }
    }
}

#[test]
fn only_a_regular_file_is_opened_and_at_once() {
    for (what, make) in stand_ins("a file") {
        for (operation, run) in OPERATIONS {
            let place = Place::new();
            let disk = place.open().unwrap();
            let path = place.team.join("agents/file");
            if !make(&path, &place.outside) {
                continue;
            }
            // What the name means is left alone: the name itself may go.
            let is_of_names = matches!(operation, "rename" | "remove_file");
            let is_of_directories = matches!(operation, "create_dir_all" | "sync_dir");
            if *what == "a directory" && (is_of_names || is_of_directories) {
                continue;
            }
            match run(&disk, &path) {
                Ok(()) => assert!(is_of_names, "{operation}, {what}"),
                Err(refused) => assert!(
                    matches!(unfit(&refused), UnfitFile::Kind { path: named, .. } if *named == path),
                    "{operation}, {what}: {refused}"
                ),
            }
            place.assert_untouched(&format!("{operation}, {what}"));
        }
    }
}

#[test]
fn whatever_takes_the_place_of_an_open_team_it_stays_the_same_team() {
    let place = Place::new();
    let disk = place.open().unwrap();
    let journal = place.team.join("journal.jsonl");
    disk.write(&journal, b"one\n").unwrap();
    let moved = place.team.with_file_name("x");
    fs::rename(&place.team, &moved).unwrap();
    symlink(&place.outside, &place.team).unwrap();
    disk.open_append(&journal)
        .unwrap()
        .append(b"two\n")
        .unwrap();
    assert_eq!(disk.read(&journal).unwrap(), b"one\ntwo\n");
    assert_eq!(
        fs::read(moved.join("journal.jsonl")).unwrap(),
        b"one\ntwo\n"
    );
    place.assert_untouched("moved");
    // A process that comes now is refused.
    assert!(place.look().is_err() && place.open().is_err());
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let place = Place::new();
    let disk = place.open().unwrap();
    let paths = [
        place.outside.join("file"),
        place.team.join("../../outside/file"),
        place.team.join("agents/../../../outside/file"),
        PathBuf::from("/etc/passwd"),
        PathBuf::from("journal.jsonl"),
        place.team.with_file_name(".teamx").join("file"),
        PathBuf::new(),
    ];
    for path in paths {
        for (operation, run) in OPERATIONS {
            let refused = run(&disk, &path).unwrap_err();
            assert!(
                matches!(unfit(&refused), UnfitFile::Outside { .. }),
                "{operation} of {}: {refused}",
                path.display()
            );
        }
    }
    place.assert_untouched("paths");
}

#[test]
fn a_link_that_comes_and_goes_all_the_time_is_never_followed() {
    let place = Place::new();
    let disk = place.open().unwrap();
    let (agents, kept) = (place.team.join("agents"), place.team.join("kept"));
    let (path, outside) = (agents.join("file"), place.outside.clone());
    std::thread::scope(|scope| {
        let swaps = scope.spawn(|| {
            for _ in 0..5000 {
                fs::rename(&agents, &kept).unwrap();
                symlink(&outside, &agents).unwrap();
                fs::remove_file(&agents).unwrap();
                fs::rename(&kept, &agents).unwrap();
            }
        });
        while !swaps.is_finished() {
            // Refused or not: what counts is where it lands.
            let _ = disk
                .open_append(&path)
                .and_then(|mut file| file.append(b"x"));
            let _ = disk.write(&path, b"y");
            let _ = disk.remove_file(&path);
        }
    });
    place.assert_untouched("swapped at full speed");
}

#[test]
fn a_file_that_is_too_long_is_named_and_not_read() {
    let place = Place::new();
    place.open().unwrap();
    let path = place.team.join("journal.jsonl");
    let file = fs::File::create(&path).unwrap();
    // A sparse file: reading it would take 3 GiB of memory.
    file.set_len(3 << 30).unwrap();
    let disk = place.look().unwrap();
    let sentence = format!(
        "{} is 3221225472 bytes long, and at most 1073741824 are read; move it away, or raise read_max_bytes in your configuration",
        path.display()
    );
    let read = disk.read(&path).unwrap_err();
    let read_from = disk
        .open_append(&path)
        .unwrap()
        .read_from(1 << 20)
        .unwrap_err();
    for refused in [read, read_from] {
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(refused.to_string(), sentence);
    }
    file.set_len(5).unwrap();
    let strict = place.look().unwrap().reading_at_most(4);
    assert!(strict.read(&path).is_err());
    let exact = place.look().unwrap().reading_at_most(5);
    assert_eq!(exact.read(&path).unwrap(), [0; 5]);
}

/// Needs root, who alone gives files away.
#[test]
fn what_belongs_to_somebody_else_is_refused_and_left_as_it_is() {
    let place = Place::new();
    let disk = place.open().unwrap();
    let journal = place.team.join("journal.jsonl");
    let mut file = fs::File::create(&journal).unwrap();
    file.write_all(b"theirs").unwrap();
    if chown(&journal, Some(4242), None).is_err() {
        return;
    }
    for (operation, run) in OPERATIONS {
        if matches!(
            operation,
            "rename" | "remove_file" | "create_dir_all" | "sync_dir"
        ) {
            continue;
        }
        let refused = run(&disk, &journal).unwrap_err();
        assert!(matches!(
            unfit(&refused),
            UnfitFile::Owner { owner: 4242, .. }
        ));
    }
    assert_eq!(fs::read(&journal).unwrap(), b"theirs");
    fs::remove_file(&journal).unwrap();
    for name in DIRECTORIES.into_iter().chain(FILES) {
        let path = place.team.join(name);
        if !path.exists() {
            let is_file = FILES.contains(&name);
            let dir = if is_file {
                path.parent().unwrap()
            } else {
                &path
            };
            fs::create_dir_all(dir).unwrap();
            if is_file {
                fs::write(&path, "").unwrap();
            }
        }
        chown(&path, Some(4242), None).unwrap();
        for refused in [place.open().unwrap_err(), place.look().unwrap_err()] {
            let refused = refused.to_string();
            let whose =
                "belongs to user 4242, and this program runs as user 0; run it as user 4242";
            assert!(refused.contains(whose), "{name}: {refused}");
            assert!(refused.starts_with(path.to_str().unwrap().trim_end_matches('/')));
        }
        chown(&path, Some(0), None).unwrap();
    }
    place.look().unwrap();
}

#[test]
fn what_lies_beside_the_teams_files_does_not_matter() {
    let place = Place::new();
    let disk = place.open().unwrap();
    symlink("/etc/passwd", place.team.join("notes")).unwrap();
    fs::write(place.team.join("agents/.DS_Store"), "").unwrap();
    fs::create_dir_all(place.team.join("worktrees/alice")).unwrap();
    symlink("..", place.team.join("worktrees/alice/link")).unwrap();
    place.open().unwrap();
    let names = disk.list(&place.team).unwrap();
    let names: Vec<_> = names.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(
        names,
        [".gitignore", "agents", "inbox", "notes", "worktrees"]
    );
}
