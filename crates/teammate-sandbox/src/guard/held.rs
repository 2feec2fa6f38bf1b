//! A file that a command wrote where it may not: held until the user has seen it.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    Guard, moves,
    records::{GuardDirs, read_json, write_json},
    scan::{self, Thing},
};

/// How many files are held for one team. A command that writes in a circle fills no disk.
const HELD_MAX: u32 = 1_000;

/// What is known about a held file, beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct About {
    root: OsString,
    path: OsString,
    /// `None` of a directory that was moved whole.
    thing: Option<Thing>,
    /// What stood there before.
    before: Option<Thing>,
    /// Whether nobody has been told: it was found after the program had been killed.
    #[serde(default)]
    is_untold: bool,
}

/// A file that a command wrote at a name that decides what programs do later. It is out of the way until the user says yes.
#[derive(Debug, Clone)]
pub struct HeldFile {
    guard: Arc<Guard>,
    dir: PathBuf,
    about: About,
}

impl About {
    pub(super) fn new(
        root: &Path,
        path: &Path,
        thing: Option<Thing>,
        before: Option<Thing>,
        is_untold: bool,
    ) -> Self {
        Self {
            root: root.into(),
            path: path.into(),
            thing,
            before,
            is_untold,
        }
    }

    pub(super) fn root(&self) -> &Path {
        Path::new(&self.root)
    }

    pub(super) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    pub(super) fn thing(&self) -> Option<&Thing> {
        self.thing.as_ref()
    }

    pub(super) fn is_untold(&self) -> bool {
        self.is_untold
    }

    /// Moves the file to a directory of its own, which is returned. The record comes first: nothing is held without one.
    pub(super) fn hold(&mut self, dirs: &GuardDirs) -> io::Result<PathBuf> {
        for number in 1..=HELD_MAX {
            let dir = dirs.held.join(number.to_string());
            match fs::create_dir(&dir) {
                Ok(()) => {
                    write_json(&dir.join("about.json"), self)?;
                    let file = dir.join("file");
                    if let Err(error) = moves::shift(self.path(), &file) {
                        let _ = fs::remove_file(dir.join("about.json"));
                        let _ = fs::remove_dir(&dir);
                        return Err(error);
                    }
                    // It may have been written to until it was moved.
                    if self.thing.is_some() {
                        self.thing = Thing::now_at(&file);
                        write_json(&dir.join("about.json"), self)?;
                    }
                    return Ok(dir);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(
            "too many files are held; look at them and remove them",
        ))
    }

    /// All that are held, by their directories.
    pub(super) fn all(dirs: &GuardDirs) -> Vec<(PathBuf, Self)> {
        let entries = fs::read_dir(&dirs.held).into_iter().flatten().flatten();
        let read = |dir: PathBuf| Some((dir.clone(), read_json(&dir.join("about.json"))?));
        entries.filter_map(|entry| read(entry.path())).collect()
    }

    pub(super) fn told(&mut self, dir: &Path) {
        self.is_untold = false;
        // Else it is told twice.
        let _ = write_json(&dir.join("about.json"), self);
    }
}

impl HeldFile {
    pub(super) fn new(guard: Arc<Guard>, dir: PathBuf, about: About) -> Self {
        Self { guard, dir, about }
    }

    /// Where the command wrote it: an absolute path.
    pub fn path(&self) -> &Path {
        self.about.path()
    }

    /// The same below the workspace or worktree, where it is below.
    pub fn name(&self) -> &Path {
        let path = self.about.path();
        path.strip_prefix(self.about.root()).unwrap_or(path)
    }

    /// Where it is now.
    pub fn held_at(&self) -> PathBuf {
        self.dir.join("file")
    }

    /// Whether it is a whole directory, with more in it than is looked at.
    pub fn is_directory(&self) -> bool {
        self.about.thing.is_none()
    }

    /// What stood there before and is there again; `None` if nothing did.
    pub fn text_before(&self) -> Option<String> {
        let before = self.about.before.as_ref()?;
        Some(match before {
            Thing::File { digest, .. } => {
                let bytes = self.guard.dirs().content(*digest)?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Thing::Link(to) => link_text(to),
            Thing::Other => String::new(),
        })
    }

    /// What the command wrote.
    pub fn text(&self) -> String {
        match &self.about.thing {
            Some(Thing::File { .. }) => scan::bytes(&self.held_at())
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .unwrap_or_default(),
            Some(Thing::Link(to)) => link_text(to),
            Some(Thing::Other) | None => String::new(),
        }
    }

    /// Whether a program can be run by it.
    pub fn is_executable(&self) -> bool {
        matches!(
            self.about.thing,
            Some(Thing::File {
                is_executable: true,
                ..
            })
        )
    }

    /// The user has said yes: it is put where the command wrote it, and its content may be there from now on.
    ///
    /// # Errors
    ///
    /// It is not what was shown any more, something else stands there by now, or it cannot be moved: it stays held.
    pub fn put_in_place(&self) -> io::Result<()> {
        self.guard.put_in_place(
            self.path(),
            self.about.thing.as_ref(),
            self.about.before.as_ref(),
            &self.held_at(),
        )?;
        let _ = fs::remove_file(self.dir.join("about.json"));
        let _ = fs::remove_dir(&self.dir);
        Ok(())
    }
}

fn link_text(to: &OsString) -> String {
    format!("a link to {}\n", Path::new(to).display())
}
