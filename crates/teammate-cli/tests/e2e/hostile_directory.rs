//! Team directories that lead elsewhere, or hold what no team wrote: nothing is followed, nothing waits, and the user reads
//! what is wrong where.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{World, files},
};

/// Every way into a team from a shell.
const VERBS: [&[&str]; 11] = [
    &["run", "--permission-mode", "bypass", "Go"],
    &["resume"],
    &["team"],
    &["send", "lead", "hi"],
    &["log"],
    &["inbox"],
    &["tasks"],
    &["tasks", "add", "new"],
    &["requests"],
    &["stop", "alice"],
    &["doctor"],
];

/// A team that has worked, with mail, outputs and transcripts.
fn worked() -> World {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                bash("seq 20000"),
                say("Done.").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
    ]));
    world.run("Go").ends(0);
    world
}

/// All that is in a directory, with the bytes.
fn everything(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<_> = files(dir)
        .into_iter()
        .map(|path| (path.clone(), fs::read(&path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_team_directory_that_is_a_link_is_used_by_no_command() {
    let world = worked();
    let (team, elsewhere) = (world.path(".team"), world.path("../elsewhere"));
    fs::rename(&team, &elsewhere).unwrap();
    let before = everything(&elsewhere);
    for target in [
        "../elsewhere",
        elsewhere.to_str().unwrap(),
        "../new",
        ".team",
    ] {
        symlink(target, &team).unwrap();
        for verb in VERBS {
            let run = world.teammate(verb).ends(1);
            let said = run.out + &run.err;
            assert!(
                said.contains("/.team is a symbolic link, not a directory; move it away"),
                "{verb:?}: {said}"
            );
        }
        fs::remove_file(&team).unwrap();
    }
    assert!(everything(&elsewhere) == before, "something was written");
    assert!(!world.path("../new").exists());
    // Put back, it goes on.
    fs::rename(&elsewhere, &team).unwrap();
    world.teammate(&["team"]).ends(0).says("alice");
}

#[test]
fn a_directory_or_file_of_the_team_that_is_a_link_is_named_and_nothing_lands_outside() {
    let client = |world: &World| world.path("../outside");
    for name in [
        "agents",
        "agents/alice",
        "inbox",
        "inbox/.claimed",
        "outputs",
        "plans",
        "tasks",
        "archive",
        "worktrees",
        "journal.jsonl",
        "events.jsonl",
        "config.json",
        "host.lock",
        "host.json",
        ".gitignore",
    ] {
        let world = worked();
        let path = world.path(".team").join(name);
        fs::create_dir(client(&world)).unwrap();
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&path).unwrap(),
            Ok(_) => fs::remove_file(&path).unwrap(),
            Err(_) => {}
        }
        symlink(
            "../".repeat(1 + name.matches('/').count()) + "../outside",
            &path,
        )
        .unwrap();
        for verb in VERBS {
            let run = world.teammate(verb).ends(1);
            let said = run.out + &run.err;
            let named = format!("/.team/{name} is a symbolic link, not a ");
            assert!(said.contains(&named), "{verb:?}: {said}");
        }
        assert_eq!(everything(&client(&world)), [], "{name}");
    }
}

#[test]
fn a_pipe_in_a_files_place_keeps_nobody_waiting() {
    for name in ["journal.jsonl", "events.jsonl", "config.json", "agents", ""] {
        let world = worked();
        let path = world.path(".team").join(name);
        let path = Path::new(path.to_str().unwrap().trim_end_matches('/'));
        match path.is_dir() {
            true => fs::remove_dir_all(path).unwrap(),
            false => fs::remove_file(path).unwrap(),
        }
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
        for verb in VERBS {
            let run = world.teammate(verb).ends(1);
            let said = run.out + &run.err;
            assert!(
                said.contains(" is a named pipe, not a "),
                "{verb:?}: {said}"
            );
        }
    }
}

#[test]
fn a_file_that_is_too_long_is_named_with_its_size_and_the_limit() {
    let world = worked();
    let grow = |name: &str, to: u64| {
        let path = world.path(".team").join(name);
        let file = fs::File::options().write(true).open(path).unwrap();
        let was = file.metadata().unwrap().len();
        file.set_len(to).unwrap();
        move || file.set_len(was).unwrap()
    };
    let limit = "is 3221225472 bytes long, and at most 1073741824 are read";
    let put_back = grow("events.jsonl", 3 << 30);
    let log = world.teammate(&["log"]).ends(1);
    log.complains(&format!("events.jsonl {limit}"));
    put_back();
    let put_back = grow("journal.jsonl", 3 << 30);
    for verb in VERBS {
        let run = world.teammate(verb).ends(1);
        let said = run.out + &run.err;
        assert!(
            said.contains(&format!("journal.jsonl {limit}")),
            "{verb:?}: {said}"
        );
    }
    put_back();
    let put_back = grow("agents/lead/transcript.jsonl", 3 << 30);
    world
        .run("Go")
        .ends(1)
        .complains(&format!("transcript.jsonl {limit}"));
    put_back();
    // The limit is the user's.
    fs::write(world.path("../strict.toml"), "read_max_bytes = 100\n").unwrap();
    for verb in VERBS {
        let run = world.teammate(&[&["--config", "../strict.toml"], verb].concat());
        let run = run.ends(1);
        let said = run.out + &run.err;
        assert!(said.contains("at most 100 are read"), "{verb:?}: {said}");
    }
    world.teammate(&["team"]).ends(0).says("alice");
}
