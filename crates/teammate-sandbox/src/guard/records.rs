//! The records of a guard on disk: what stood at the guarded names before commands ran, its content, what the user has said
//! yes to, and what is held. Commands see nothing of it.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use teammate_core::lock::Hold;

use super::{
    Names,
    files::Files,
    thing::{self, Found, Thing},
};

/// How many yeses are remembered.
const ACCEPTED_MAX: usize = 20_000;
/// Content of this digest that a program can be run by, or not, under this name: relative to the workspace or worktree.
type Accepted = BTreeSet<(OsString, Thing)>;

/// Where a guard keeps what it needs. Both are hidden from commands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GuardDirs {
    /// For files that are held: on the workspace's file system, so that they can be moved.
    pub held: PathBuf,
    /// For what the guard remembers.
    pub records: PathBuf,
}

/// The files at the names of one place before its commands began.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Before {
    names: Vec<OsString>,
    /// Where submodules are kept.
    #[serde(default)]
    modules: Vec<OsString>,
    files: Vec<(OsString, Found)>,
}

/// The files that the user has said yes to, and those that stood in the workspace when no command ran. Shared by all guards
/// of a team.
#[derive(Debug)]
pub(crate) struct AcceptedFiles {
    file: PathBuf,
    known: Mutex<Accepted>,
}

impl AcceptedFiles {
    pub(crate) fn read(dirs: &GuardDirs) -> Self {
        let file = dirs.records.join("accepted.json");
        let list: Vec<(OsString, Thing)> = read_json(&file).unwrap_or_default();
        Self {
            file,
            known: Mutex::new(list.into_iter().collect()),
        }
    }

    pub(super) fn has(&self, name: &Path, thing: &Thing) -> bool {
        self.known.hold().contains(&(name.into(), thing.clone()))
    }

    /// Another process of the user's may have added some.
    pub(super) fn read_again(&self) {
        if let Some(list) = read_json::<Vec<(OsString, Thing)>>(&self.file) {
            self.known.hold().extend(list);
        }
    }

    pub(super) fn add(&self, more: impl IntoIterator<Item = (OsString, Thing)>) {
        let mut known = self.known.hold();
        let before = known.len();
        known.extend(more);
        if known.len() > before && known.len() <= ACCEPTED_MAX {
            let list: Vec<_> = known.iter().collect();
            // Without it the user is asked once more after a restart.
            let _ = write_json(&self.file, &list);
        }
    }
}

impl GuardDirs {
    /// For the team in this directory, which is on the workspace's file system; what is remembered goes below `state`, where less
    /// than the full sandbox keeps commands from it as well.
    pub fn of_team(team_dir: &Path, state: Option<&Path>) -> Self {
        let held = team_dir.join("held");
        let records = match state {
            Some(state) => state.join("guard").join(thing::name_of_path(team_dir)),
            None => held.join("records"),
        };
        Self { held, records }
    }

    /// Makes both, for nobody else to read.
    pub(super) fn make(&self) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder.create(&self.held)?;
        builder.create(self.records.join("content"))
    }

    fn before_file(&self, root: &Path) -> PathBuf {
        let name = thing::name_of_path(root);
        self.records.join(format!("{name}.json"))
    }

    /// The remembered files that stood there; `None` if none were.
    pub(super) fn read_before(&self, root: &Path) -> Option<(Names, Files)> {
        let before: Before = read_json(&self.before_file(root))?;
        let files = before.files.into_iter();
        let paths = |names: Vec<OsString>| names.into_iter().map(PathBuf::from).collect();
        Some((
            Names::new(paths(before.names), paths(before.modules)),
            files.map(|(path, found)| (path.into(), found)).collect(),
        ))
    }

    pub(super) fn write_before(&self, root: &Path, names: &Names, files: &Files) -> io::Result<()> {
        let texts = |paths: &[PathBuf]| paths.iter().map(|path| path.clone().into()).collect();
        let before = Before {
            names: texts(&names.paths),
            modules: texts(&names.modules),
            // A stamp is not believed after a restart.
            files: (files.iter())
                .map(|(path, found)| {
                    let stamp = None;
                    (
                        path.into(),
                        Found {
                            stamp,
                            ..found.clone()
                        },
                    )
                })
                .collect(),
        };
        write_json(&self.before_file(root), &before)
    }

    /// Keeps a file's content, to put it back.
    pub(super) fn keep_content(&self, digest: [u8; 32], bytes: &[u8]) -> io::Result<()> {
        let file = self.content_file(digest);
        match fs::symlink_metadata(&file) {
            Ok(_) => Ok(()),
            Err(_) => write_whole(&file, bytes),
        }
    }

    pub(super) fn content_file(&self, digest: [u8; 32]) -> PathBuf {
        self.records.join("content").join(thing::name_of(digest))
    }

    /// The content with this digest, if it is kept.
    pub(super) fn content(&self, digest: [u8; 32]) -> Option<Vec<u8>> {
        let bytes = thing::bytes(&self.content_file(digest)).ok()?;
        (thing::digest_of(&bytes) == digest).then_some(bytes)
    }

    fn running_file(&self, root: &Path) -> PathBuf {
        let name = thing::name_of_path(root);
        self.records.join(format!("{name}.running"))
    }

    /// Says on disk that commands run there, so that the next program looks if this one is killed. The text is the place.
    pub(super) fn mark_running(&self, root: &Path) -> io::Result<()> {
        use std::os::unix::ffi::OsStrExt as _;
        fs::write(self.running_file(root), root.as_os_str().as_bytes())
    }

    pub(super) fn unmark_running(&self, root: &Path) {
        // Then the next program looks once more than it need.
        let _ = fs::remove_file(self.running_file(root));
    }

    pub(super) fn is_marked_running(&self, root: &Path) -> bool {
        !thing::is_absent(&self.running_file(root))
    }

    /// The places where commands ran when a program was killed.
    pub(crate) fn left_running(&self) -> Vec<PathBuf> {
        use std::os::unix::ffi::OsStringExt as _;
        let entries = fs::read_dir(&self.records).into_iter().flatten().flatten();
        let marks = entries.map(|entry| entry.path());
        let marks = marks.filter(|path| path.extension().is_some_and(|it| it == "running"));
        let roots = marks.filter_map(|path| thing::bytes(&path).ok());
        roots.map(|root| OsString::from_vec(root).into()).collect()
    }
}

pub(super) fn read_json<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

pub(super) fn write_json(file: &Path, value: &impl Serialize) -> io::Result<()> {
    write_whole(file, &serde_json::to_vec(value)?)
}

/// Nobody finds half of it.
pub(super) fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let draft = file.with_extension(format!("draft-{}-{number}", std::process::id()));
    fs::write(&draft, bytes)?;
    fs::rename(&draft, file).inspect_err(|_| {
        let _ = fs::remove_file(&draft);
    })
}
