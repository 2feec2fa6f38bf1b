//! Each kind of file, below the team's directory, in the state directory, the configuration and the workspace, with each kind of
//! harm: no verb hangs or panics, every refusal names the file, and what was acknowledged is there or named as lost.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt as _, symlink},
        net::UnixListener,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::three;
use crate::world::{Run, World};

/// One in so many cells asks all verbs; all do with `DAMAGE=all` in the environment.
const ALL_VERBS_EVERY: usize = 5;

type Harm = fn(&Path);

const HARMS: [(&str, Harm); 10] = [
    ("deleted", |_| {}),
    ("emptied", |path| fs::write(path, "").unwrap()),
    ("garbage", |path| {
        fs::write(path, b"\xff\x00garbage\n{]\n").unwrap();
    }),
    ("a directory", |path| fs::create_dir(path).unwrap()),
    ("a pipe", |path| {
        mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    }),
    ("a socket", |path| drop(bound(path))),
    ("a dangling link", |path| {
        symlink("/nowhere/at/all", path).unwrap();
    }),
    ("a turned bit", |_| {}),
    ("cut in a line", |_| {}),
    (CLOSED, |_| {}),
];

/// Nobody may read or write it.
const CLOSED: &str = "closed";

/// What makes the superuser an owner like others. A test that runs as somebody else needs none of it.
const AS_OWNER: [&str; 1] = ["--bounding-set=-dac_override,-dac_read_search"];

/// Names of sockets are short.
fn bound(path: &Path) -> UnixListener {
    let short = tempfile::tempdir().unwrap();
    let made = short.path().join("s");
    let socket = UnixListener::bind(&made).unwrap();
    fs::rename(&made, path)
        .or_else(|_| fs::create_dir(path))
        .unwrap();
    socket
}

fn harm(path: &Path, (what, harm): (&str, Harm)) {
    let bytes = fs::read(path).unwrap();
    fs::remove_file(path).unwrap();
    match what {
        "a turned bit" => {
            let mut bytes = bytes;
            let at = bytes.len() / 2;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1;
            }
            fs::write(path, bytes).unwrap();
        }
        "cut in a line" => fs::write(path, &bytes[..bytes.len().saturating_sub(9)]).unwrap(),
        CLOSED => {
            fs::write(path, bytes).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        }
        _ => harm(path),
    }
}

/// Runs a verb; file modes hold for it also where the test runs as the superuser.
fn ask(world: &World, words: &[&str]) -> Run {
    let program = world.command(words);
    let mut command = Command::new("setpriv");
    command
        .args(AS_OWNER)
        .arg(program.get_program())
        .args(words)
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work())
        .stdin(Stdio::null());
    match rustix::process::geteuid().is_root() {
        true => world.launch(command).end(),
        false => world.launch(program).end(),
    }
}

/// A world as it was, to be put back for each cell.
struct Template {
    world: World,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Template {
    fn new() -> Self {
        let world = three();
        for (name, text) in [
            ("../home/.config/teammate/config.toml", ""),
            ("../home/.config/teammate/mcp.json", "{\"mcpServers\":{}}"),
            ("../home/.config/teammate/hooks.json", "{\"hooks\":{}}"),
            ("../home/.local/state/teammate/thinking.json", "[]"),
            (".mcp.json", "{\"mcpServers\":{}}"),
            ("AGENTS.md", "Be kind."),
        ] {
            let path = world.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        world.teammate(&["send", "alice", "unread words"]).ends(0);
        let files = Self::found(&world)
            .into_iter()
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        Self { world, files }
    }

    fn found(world: &World) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for dir in [".team", "../home", ".mcp.json", "AGENTS.md"] {
            let path = world.path(dir);
            match path.is_dir() {
                true => found.extend(crate::world::files(&path)),
                false => found.push(path),
            }
        }
        found.sort();
        found
    }

    fn put_back(&self) {
        for dir in [".team", "../home", ".mcp.json", "AGENTS.md"] {
            let path = self.world.path(dir);
            let _ = fs::remove_dir_all(&path);
            let _ = fs::remove_file(&path);
        }
        for (path, bytes) in &self.files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

/// What is wrong with how a verb ended.
fn wrong(file: &Path, verb: &str, run: &Run) -> Option<String> {
    let (out, err) = (&run.out, &run.err);
    let said = format!("{out}{err}");
    if said.contains("panicked") || run.code == 101 {
        return Some(format!("{verb}: {}: {said}", run.code));
    }
    let name = file.file_name().unwrap().to_string_lossy();
    let is_refused = run.code != 0 && verb != "doctor";
    (is_refused && !said.contains(&*name)).then(|| format!("{verb} does not name it: {said}"))
}

#[test]
fn no_file_and_no_harm_makes_a_verb_hang_panic_or_refuse_without_its_name() {
    let template = Template::new();
    let world = &template.world;
    let asks_all = std::env::var("DAMAGE").is_ok_and(|what| what == "all");
    let (mut failures, mut cells) = (Vec::new(), 0);
    for (path, _) in &template.files {
        let shown = path.display().to_string();
        let is_of_state = shown.contains("/state/");
        for kind in HARMS {
            cells += 1;
            template.put_back();
            harm(path, kind);
            let mut verbs = vec!["team", "resume"];
            if asks_all || cells % ALL_VERBS_EVERY == 0 {
                verbs.extend(["tasks", "doctor"]);
            }
            let mut said = String::new();
            for verb in verbs {
                let run = match verb {
                    "doctor" => ask(world, &["doctor", "--offline"]),
                    "resume" => ask(world, &["resume", "--permission-mode", "bypass"]),
                    verb => ask(world, &[verb]),
                };
                if let Some(why) = wrong(path, verb, &run) {
                    failures.push(format!("{shown} {}: {why}", kind.0));
                }
                said.push_str(&run.out);
                said.push_str(&run.err);
            }
            // What was acknowledged is there, or the file is named.
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_there = said.contains("alice") && said.contains("Tasks: 0 of 1");
            if !is_there && !said.contains(&name) {
                failures.push(format!("{shown} {}: lost without a word: {said}", kind.0));
            }
            // Of what is kept twice one harm loses nothing. What is closed is whole: its owner opens it again.
            let is_twice = is_of_state || shown.ends_with("/journal.jsonl");
            let is_whole = matches!(kind.0, "deleted" | "emptied" | "garbage");
            if is_twice && is_whole && !is_there {
                failures.push(format!(
                    "{shown} {}: not read from its copy: {said}",
                    kind.0
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {cells}:\n{}",
        failures.len(),
        failures.join("\n---\n")
    );
}
