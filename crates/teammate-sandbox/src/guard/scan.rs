//! What stands at guarded names: files and links with what they hold. It follows no link but those that stand at a guarded name
//! itself and lead to another place in the same directory.

use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::{self, Metadata},
    io::{self, Read as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, OpenOptionsExt as _},
    },
    path::{Component, Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::{Content, files::Files};

/// How many files one guarded name may have below it.
const FILES_MAX: usize = 2_000;
/// How many bytes the files below one guarded name may hold together.
const BYTES_MAX: u64 = 16 << 20;
/// How many links that stand at guarded names are followed, one to the next.
const LINKS_MAX: usize = 8;
/// The clock of files may be this coarse, in nanoseconds: what changed later than that could change again unseen.
const COARSE: i128 = 50_000_000;

/// What a file is to those who read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Thing {
    /// A file with content of this digest.
    File {
        digest: [u8; 32],
        is_executable: bool,
    },
    /// A link to this.
    Link(OsString),
    /// A pipe, a socket, a device: nobody has said yes to one.
    Other,
}

/// What changes when a file does, as far as its directory tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    mode: u32,
    size: i64,
    changed: i128,
}

/// One file as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) thing: Thing,
    /// Its permissions.
    pub(crate) mode: u32,
    /// `None` if it may have changed since without another stamp.
    pub(crate) stamp: Option<Stamp>,
}

/// All that stands at guarded names, by absolute paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) files: Files,
    /// Names with more below them than is looked at.
    pub(crate) large: BTreeSet<PathBuf>,
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            mode: found.mode(),
            size: i64::try_from(found.len()).unwrap_or(i64::MAX),
            changed: i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec()),
        }
    }

    /// Whether a change from now on shows.
    fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.is_ok_and(|now| {
            i128::try_from(now.as_nanos()).is_ok_and(|now| self.changed + COARSE < now)
        })
    }
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

/// What one name may still have below it.
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

impl Thing {
    /// What stands here; `None` if it is gone.
    fn at(path: &Path, found: &Metadata) -> Option<Self> {
        match found.file_type() {
            kind if kind.is_file() => {
                let digest = match bytes(path) {
                    Ok(bytes) => digest_of(&bytes),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                    // It cannot be read by us, nor by programs of the same user.
                    Err(_) => [0; 32],
                };
                Some(Self::File {
                    digest,
                    is_executable: found.mode() & 0o111 != 0,
                })
            }
            kind if kind.is_symlink() => Some(Self::Link(fs::read_link(path).ok()?.into())),
            _ => Some(Self::Other),
        }
    }

    /// Whether it is a file with nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::File { digest, .. } if *digest == digest_of(&[]))
    }

    /// A file with this content.
    pub(super) fn of(content: &Content<'_>) -> Self {
        match content {
            Content::Link(to) => Self::Link(to.as_os_str().to_owned()),
            Content::File {
                bytes,
                is_executable,
            } => Self::File {
                digest: digest_of(bytes),
                is_executable: *is_executable,
            },
        }
    }

    /// What is at this path now, wherever it was before.
    pub(crate) fn now_at(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        Self::at(path, &found)
    }
}

/// Whether nothing stands at this path, also no link.
pub(super) fn is_absent(path: &Path) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    let found = fs::symlink_metadata(path);
    found.is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// The content of a file that is no link, as far as it is looked at.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = fs::File::options()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn digest_of(bytes: &[u8]) -> [u8; 32] {
    let mut own = [0; 32];
    own.copy_from_slice(digest(&SHA256, bytes).as_ref());
    own
}

/// A digest as the name of a file.
pub(super) fn name_of(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest of a path, as the name of a file.
pub(super) fn name_of_path(path: &Path) -> String {
    let name = name_of(digest_of(OsStr::as_bytes(path.as_os_str())));
    name[..32].to_owned()
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
