//! A file that a command wrote where it may not: held until the user has seen it.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{
    Guard, moves,
    records::{GuardDirs, read_json, write_json, write_whole},
    thing::{self, Thing},
};

/// How many files are held for one team. A command that writes in a circle fills no disk.
const HELD_MAX: usize = 1_000;

/// The known facts about a held file, beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct About {
    root: OsString,
    path: OsString,
    /// `None` of a directory that was moved whole.
    thing: Option<Thing>,
    /// The file that stood there before.
    before: Option<Thing>,
    /// Whether nobody has read of it: it was found after the program had been killed.
    #[serde(default)]
    is_untold: bool,
    /// When it was held, in seconds since 1970.
    #[serde(default)]
    at: Option<u64>,
}

/// The file in which the program writes down what it knows of a held file, beside it.
const NOTE: &str = "note.json";

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
            at: (SystemTime::now().duration_since(UNIX_EPOCH))
                .ok()
                .map(|since| since.as_secs()),
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
    ///
    /// `stand_in` makes at a path what is to stand in the file's place. Where it can and the file system does, both change places, so
    /// that a program that is at work there never misses the file.
    pub(super) fn hold(
        &mut self,
        dirs: &GuardDirs,
        stand_in: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<PathBuf> {
        let count = fs::read_dir(&dirs.held)?.take(HELD_MAX + 1).count();
        // No number is used twice: who read of it means no other file.
        let next = dirs.held.join("next.json");
        let first = read_json(&next).unwrap_or(1);
        for number in (first..=u32::MAX).take(HELD_MAX.saturating_sub(count)) {
            let dir = dirs.held.join(number.to_string());
            match fs::create_dir(&dir) {
                Ok(()) => {
                    // Without it a number of one that is gone may come again.
                    let _ = write_json(&next, &number.saturating_add(1));
                    write_json(&dir.join("about.json"), self)?;
                    let file = dir.join("file");
                    let exchanged =
                        stand_in(&file).and_then(|()| moves::exchange(self.path(), &file));
                    if exchanged.is_err() {
                        // What stands in, if it was made.
                        let _ = fs::remove_file(&file);
                        if let Err(error) = moves::shift(self.path(), &file) {
                            let _ = fs::remove_file(dir.join("about.json"));
                            let _ = fs::remove_dir(&dir);
                            return Err(error);
                        }
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

    /// All that are held, by their directories, as they are now.
    pub(super) fn all(dirs: &GuardDirs) -> Vec<(PathBuf, Self)> {
        let entries = fs::read_dir(&dirs.held).into_iter().flatten().flatten();
        let read = |dir: PathBuf| {
            number_of(&dir)?;
            let mut about: Self = read_json(&dir.join("about.json"))?;
            let now = Thing::now_at(&dir.join("file"))?;
            if about.thing.is_some() {
                about.thing = Some(now);
            }
            Some((dir, about))
        };
        let mut all: Vec<_> = (entries.filter_map(|entry| read(entry.path()))).collect();
        all.sort_by_key(|(dir, _)| number_of(dir));
        all
    }

    pub(super) fn note_read(&mut self, dir: &Path) {
        self.is_untold = false;
        // Else it is said twice.
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

    /// The name below the workspace or worktree, where it is below.
    pub fn name(&self) -> &Path {
        let path = self.about.path();
        path.strip_prefix(self.about.root()).unwrap_or(path)
    }

    /// The workspace or worktree in which it was written.
    pub fn root(&self) -> &Path {
        self.about.root()
    }

    /// Names it among those that are held for the team.
    pub fn number(&self) -> u32 {
        number_of(&self.dir).unwrap_or_default()
    }

    /// When it was held.
    pub fn held_since(&self) -> Option<SystemTime> {
        let at = self.about.at?;
        UNIX_EPOCH.checked_add(Duration::from_secs(at))
    }

    /// The program's notes about it.
    pub fn note(&self) -> Option<Vec<u8>> {
        thing::bytes(&self.dir.join(NOTE)).ok()
    }

    /// Writes that down, in the place of what was there.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write_note(&self, note: &[u8]) -> io::Result<()> {
        write_whole(&self.dir.join(NOTE), note)
    }

    /// The user has said that nobody needs it: it is removed for good.
    ///
    /// # Errors
    ///
    /// It cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.dir)
    }

    /// Where it is now.
    pub fn held_at(&self) -> PathBuf {
        self.dir.join("file")
    }

    /// Whether it is a whole directory, with more in it than is looked at.
    pub fn is_directory(&self) -> bool {
        self.about.thing.is_none()
    }

    /// The text that stood there before and is there again; `None` if there was none.
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

    /// The text that the command wrote.
    pub fn text(&self) -> String {
        match &self.about.thing {
            Some(Thing::File { .. }) => thing::bytes(&self.held_at())
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
        let _ = fs::remove_dir_all(&self.dir);
        Ok(())
    }
}

fn number_of(dir: &Path) -> Option<u32> {
    dir.file_name()?.to_str()?.parse().ok()
}

fn link_text(to: &OsString) -> String {
    format!("a link to {}\n", Path::new(to).display())
}
