//! Where a hostile repository lies: beside the user's home and the user's other files, which it must not reach.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use serde_json::Value;
use tempfile::TempDir;

use super::forged;

/// More than this is not read to be compared.
const COMPARED_BYTES_MAX: u64 = 1 << 20;

/// One clone and what is around it.
pub(super) struct Site {
    root: TempDir,
}

/// What is known of each file below a directory.
pub(super) type Snapshot = BTreeMap<PathBuf, Known>;

#[derive(Debug, PartialEq)]
pub(super) struct Known {
    mode: u32,
    bytes: u64,
    modified: Option<SystemTime>,
    content: Vec<u8>,
}

impl Site {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let site = Self { root };
        for dir in [
            "work",
            "home/.local/state/teammate",
            "outside/dir",
            "logs",
            "ran",
        ] {
            fs::create_dir_all(site.root().join(dir)).unwrap();
        }
        fs::write(site.client().join("file"), "precious\n").unwrap();
        fs::write(site.client().join("dir/file"), "precious\n").unwrap();
        fs::write(site.root().join("home/.profile"), "precious\n").unwrap();
        // The user has worked with the program before.
        fs::write(
            site.root().join("home/.local/state/teammate/mail.key"),
            [42; 32],
        )
        .unwrap();
        // A trap that went off in the sandbox would leave its file, too.
        let open = format!("[sandbox]\nwrite = [\"{}\"]\n", site.root().display());
        fs::write(site.root().join("logs/config.toml"), open).unwrap();
        // What would let the fixtures' traps go on.
        fs::write(site.root().join("go"), "").unwrap();
        site.put("hello.txt", "hello\n");
        site.plays(&forged::usual_play());
        site
    }

    pub(super) fn root(&self) -> &Path {
        self.root.path()
    }

    /// The clone.
    pub(super) fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// Files of the user that are none of the clone's business.
    pub(super) fn client(&self) -> PathBuf {
        self.root().join("outside")
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.work().join(below)
    }

    /// The user's model plays this.
    pub(super) fn plays(&self, play: &Value) {
        fs::write(self.root().join("play.json"), play.to_string()).unwrap();
    }

    /// A command that shows that it ran.
    pub(super) fn trap(&self, name: &str) -> String {
        format!("touch {}", self.root().join("ran").join(name).display())
    }

    /// Writes a file of the clone, with the directories above it.
    pub(super) fn put(&self, below: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A file that can be run.
    pub(super) fn put_program(&self, below: &str, text: &str) {
        self.put(below, text);
        fs::set_permissions(self.path(below), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A file of so many zeros that takes no room.
    pub(super) fn put_hole(&self, below: &str, bytes: u64) {
        self.put(below, "");
        let file = fs::OpenOptions::new().write(true).open(self.path(below));
        file.unwrap().set_len(bytes).unwrap();
    }

    /// A link in the clone.
    pub(super) fn link(&self, below: &str, to: impl AsRef<Path>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    }

    /// A pipe in the clone: a careless open waits for ever.
    pub(super) fn fifo(&self, below: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, path, kind, 0o644.into(), 0).unwrap();
    }

    /// Git in a directory of the clone, as its author runs it.
    pub(super) fn git_in(&self, below: &str, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(args).current_dir(self.path(below)).env_clear();
        git.env("PATH", std::env::var("PATH").unwrap())
            .env("HOME", "/nowhere");
        let done = git.output().unwrap();
        assert!(done.status.success(), "git {args:?}: {done:?}");
    }

    pub(super) fn git(&self, args: &[&str]) {
        self.git_in("", args);
    }

    /// The clone becomes a repository with one commit.
    pub(super) fn repository(&self) {
        self.git(&["init", "-q", "-b", "main"]);
        self.git(&["config", "user.name", "Somebody"]);
        self.git(&["config", "user.email", "somebody@example.org"]);
        self.git(&["add", "hello.txt"]);
        self.git(&["commit", "-q", "-m", "hello"]);
    }

    /// The environment of the user, or of somebody else with a home of their own.
    pub(super) fn variables(&self, home: &str) -> Vec<(String, String)> {
        let path = |below: &str| self.root().join(below).display().to_string();
        vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), path(home)),
            ("TEAMMATE_CONFIG".to_owned(), path("logs/config.toml")),
            ("TEAMMATE_SCREEN".to_owned(), "plain".to_owned()),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            (
                "TEAMMATE_MODEL".to_owned(),
                format!("scripted:{}", path("play.json")),
            ),
        ]
    }

    /// What ran that should not: the fixtures' traps leave files beside the clone, all others in `ran`.
    pub(super) fn ran(&self) -> Vec<String> {
        let names = |dir: PathBuf| {
            let entries = fs::read_dir(dir).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap())
        };
        let known = [
            "work",
            "home",
            "other",
            "outside",
            "logs",
            "ran",
            "go",
            "play.json",
        ];
        let beside = names(self.root().to_owned()).filter(|name| !known.contains(&&**name));
        beside.chain(names(self.root().join("ran"))).collect()
    }

    /// All that must not change: the user's files, and what the program does not keep for itself in the home.
    pub(super) fn precious(&self) -> Snapshot {
        let mut all = snapshot(&self.client());
        all.extend(snapshot(&self.root().join("home")));
        let own = [
            ".local/state/teammate",
            ".config/teammate",
            ".cache/teammate",
        ];
        let own = own.map(|dir| self.root().join("home").join(dir));
        // What it keeps there for itself, and the directories above.
        all.retain(|path, _| {
            !own.iter()
                .any(|dir| path.starts_with(dir) || dir.starts_with(path))
        });
        all
    }
}

/// Everything below a directory, links not followed. Of directories only that they are there.
pub(super) fn snapshot(dir: &Path) -> Snapshot {
    let mut all = Snapshot::new();
    let mut open = vec![dir.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(data) = fs::symlink_metadata(&path) else {
            continue;
        };
        if data.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
        let known = known(&path, &data);
        all.insert(path, known);
    }
    all
}

fn known(path: &Path, data: &fs::Metadata) -> Known {
    let is_file = data.is_file();
    let content = if data.is_symlink() {
        fs::read_link(path)
            .unwrap()
            .into_os_string()
            .into_encoded_bytes()
    } else if is_file && data.len() <= COMPARED_BYTES_MAX {
        fs::read(path).unwrap()
    } else {
        Vec::new()
    };
    Known {
        mode: data.mode(),
        bytes: if is_file { data.len() } else { 0 },
        modified: data.modified().ok().filter(|_| is_file),
        content,
    }
}

/// The paths that are not the same in both.
pub(super) fn changed(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let paths = before.keys().chain(after.keys());
    let changed = paths.filter(|path| before.get(*path) != after.get(*path));
    let mut changed: Vec<_> = changed.map(|path| path.display().to_string()).collect();
    changed.sort();
    changed.dedup();
    changed
}
