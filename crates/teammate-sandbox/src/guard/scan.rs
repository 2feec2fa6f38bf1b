//! Scans guarded names: files and links with what they hold. It follows no link but those that stand at a guarded name itself
//! and lead to another place in the same directory.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    os::unix::fs::MetadataExt as _,
    path::{Component, Path, PathBuf},
};

use super::{
    files::Files,
    thing::{BYTES_MAX, Found, Stamp, Thing},
};

/// How many files one guarded name may have below it.
const FILES_MAX: usize = 2_000;
/// How many links that stand at guarded names are followed, one to the next.
const LINKS_MAX: usize = 8;

/// All that stands at guarded names, by absolute paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) files: Files,
    /// Names with more below them than is looked at.
    pub(crate) large: BTreeSet<PathBuf>,
}

impl Scan {
    /// Looks at these names in `root`. A file whose stamp is the one it had is taken for what it was.
    pub(crate) fn of<'a>(
        root: &Path,
        names: impl IntoIterator<Item = &'a PathBuf>,
        before: &Files,
    ) -> Self {
        let mut looking = Looking {
            root,
            before,
            scan: Self::default(),
        };
        for name in names {
            looking.name(name, LINKS_MAX);
        }
        looking.scan
    }
}

struct Looking<'a> {
    root: &'a Path,
    before: &'a Files,
    scan: Scan,
}

/// The budget that one name still has below it.
struct Budget {
    files: usize,
    bytes: u64,
}

/// There is more than is looked at.
struct TooMuch;

impl Looking<'_> {
    /// Looks at a name. A link on the way is a file of its own, and what it leads to is looked at in its place.
    fn name(&mut self, name: &Path, links: usize) {
        // Nearly always: nothing.
        let whole = fs::symlink_metadata(name);
        let below = name.strip_prefix(self.root).unwrap_or(name);
        if whole.is_err() && below.components().count() == 1 {
            return;
        }
        let mut at = match name.starts_with(self.root) {
            true => self.root.to_owned(),
            false => PathBuf::from("/"),
        };
        let mut rest = below.components();
        while let Some(component) = rest.next() {
            at.push(component);
            let Ok(found) = fs::symlink_metadata(&at) else {
                return;
            };
            if found.is_symlink() {
                let mut budget = Budget::whole();
                // One link is never too much.
                let _ = self.file(&at, &found, &mut budget);
                let target = fs::read_link(&at).unwrap_or_default();
                let target = joined(at.parent().unwrap_or(self.root), &target).join(rest.as_path());
                let target = joined(&target, Path::new(""));
                if links > 0 && target.starts_with(self.root) && target != self.root {
                    self.name(&target, links - 1);
                }
                return;
            }
            if rest.as_path().as_os_str().is_empty() {
                let mut budget = Budget::whole();
                let looked = match found.is_dir() {
                    true => self.directory(&at, &mut budget),
                    false => self.file(&at, &found, &mut budget),
                };
                if let Err(TooMuch) = looked {
                    self.scan.files.remove_below(&at);
                    self.scan.large.insert(at);
                }
                return;
            }
        }
    }

    fn directory(&mut self, dir: &Path, budget: &mut Budget) -> Result<(), TooMuch> {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            // By the directory itself: it is the shorter way.
            let Ok(found) = entry.metadata() else {
                continue;
            };
            match found.is_dir() {
                true => {
                    budget.take(0)?;
                    self.directory(&path, budget)?;
                }
                false => self.file(&path, &found, budget)?,
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, found: &Metadata, budget: &mut Budget) -> Result<(), TooMuch> {
        let stamp = Stamp::of(found);
        budget.take(found.len())?;
        let known = self.before.get(path).filter(|it| it.stamp == Some(stamp));
        let thing = match known {
            Some(known) => Some(known.thing.clone()),
            None => Thing::at(path, found),
        };
        // What is gone by now is looked at the next time.
        if let Some(thing) = thing {
            let stamp = Some(stamp).filter(Stamp::is_settled);
            let mode = found.mode() & 0o777;
            let file = Found { thing, mode, stamp };
            self.scan.files.insert(path.to_owned(), file);
        }
        Ok(())
    }
}

impl Budget {
    fn whole() -> Self {
        Self {
            files: FILES_MAX,
            bytes: BYTES_MAX,
        }
    }

    fn take(&mut self, bytes: u64) -> Result<(), TooMuch> {
        self.files = self.files.checked_sub(1).ok_or(TooMuch)?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or(TooMuch)?;
        Ok(())
    }
}

/// The path without `.` and `..`, by its text.
pub(super) fn joined(dir: &Path, path: &Path) -> PathBuf {
    let mut at = PathBuf::new();
    for component in dir.join(path).components() {
        match component {
            Component::ParentDir => {
                at.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => at.push(component),
        }
    }
    at
}
