//! Content that git itself writes for a submodule, and that runs nothing: it may stand there without a question. Whatever is not
//! known to be harmless is not.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use super::{Names, scan::joined, thing::is_absent};

mod settings;

/// The file in a working tree that leads to its repository.
const LINK: &str = ".git";

/// The files that git writes itself at a name of a submodule's.
enum Own<'a> {
    /// The file `.git` of its working tree.
    Link,
    /// The settings of this repository.
    Settings(&'a Path),
    /// A file of this repository that nothing runs: an example of a hook, patterns of what git ignores.
    Idle(&'a Path),
}

impl<'a> Own<'a> {
    fn at(path: &'a Path, names: &Names) -> Option<Self> {
        let name = path.file_name()?;
        if name == LINK {
            return Some(Self::Link);
        }
        let dir = path.parent()?;
        if !names.modules.iter().any(|all| dir.starts_with(all)) {
            return None;
        }
        if name == "config" {
            return Some(Self::Settings(dir));
        }
        let repository = dir.parent()?;
        let is_example = dir.ends_with("hooks") && path.extension() == Some(OsStr::new("sample"));
        let is_idle = is_example || (dir.ends_with("info") && name == "exclude");
        is_idle.then_some(Self::Idle(repository))
    }
}

/// Whether a file with this content may stand there because git writes it. `before` is what stood there when no command ran.
pub(super) fn is_plain(
    (root, names): (&Path, &Names),
    path: &Path,
    bytes: &[u8],
    before: Option<&[u8]>,
) -> bool {
    match Own::at(path, names) {
        Some(Own::Link) => leads_to_submodule(path, bytes, &names.modules),
        Some(Own::Settings(repository)) => {
            let is_working_tree = |value: &str| {
                let tree = joined(repository, Path::new(value));
                is_free_below(root, &tree) && !names.is_around(&tree)
            };
            settings::are_plain(bytes, before, is_working_tree)
        }
        Some(Own::Idle(_)) => true,
        None => false,
    }
}

/// Whether it is git's to remove this, with the submodule or its working tree: nobody needs it back.
pub(super) fn goes_with_submodule(names: &Names, path: &Path) -> bool {
    match Own::at(path, names) {
        Some(Own::Link) => true,
        Some(Own::Settings(repository) | Own::Idle(repository)) => is_absent(repository),
        None => false,
    }
}

/// Whether a file `.git` with this text leads to what a repository keeps for a submodule, below one of these directories. By its
/// text: no link is followed.
pub(crate) fn leads_to_submodule(git: &Path, text: &[u8], modules: &[PathBuf]) -> bool {
    let line = text.strip_prefix(b"gitdir: ");
    let (Some(tree), Some(line)) = (git.parent(), line) else {
        return false;
    };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let is_one_line = !line.iter().any(u8::is_ascii_control);
    let target = joined(tree, Path::new(OsStr::from_bytes(line)));
    let is_below = |all: &PathBuf| target.starts_with(all) && target != *all;
    is_one_line && modules.iter().any(is_below)
}

/// Whether this is a place in the workspace, and none of a repository's own.
fn is_free_below(root: &Path, dir: &Path) -> bool {
    match dir.strip_prefix(root) {
        Ok(below) => below != Path::new("") && !below.iter().any(|part| part == LINK),
        Err(_) => false,
    }
}

impl Names {
    /// Whether a guarded name is at, above or below this directory, other than those of repositories.
    fn is_around(&self, dir: &Path) -> bool {
        let is_of_git = |name: &Path| name.iter().any(|part| part == LINK);
        let mut names = self.paths.iter().filter(|name| !is_of_git(name));
        names.any(|name| name.starts_with(dir) || dir.starts_with(name))
    }
}
