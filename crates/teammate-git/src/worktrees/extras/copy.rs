//! Copies files from one directory into another: through no link, over nothing that is there, and without reading what the file
//! system can share.

use std::{
    collections::BTreeSet,
    fs::{self, File, FileTimes, Permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use rustix::fs::{readlinkat, symlinkat};
use teammate_process::resolved;

/// The most files that come into one worktree.
const FILES_MAX: usize = 200_000;
/// The most bytes that come into one.
const BYTES_MAX: u64 = 16 << 30;
/// How many failures are said one by one.
const FAILED_MAX: usize = 5;

#[derive(Debug, Default)]
pub(super) struct Copied {
    /// Paths that are there now.
    pub(super) done: BTreeSet<PathBuf>,
    /// Why some is not, in a sentence each.
    pub(super) failed: Vec<String>,
}

/// Copies these files, which are paths from both directories. Permissions and times stay; a link comes as it is.
pub(super) fn copy(from: &Path, to: &Path, files: &BTreeSet<PathBuf>) -> Copied {
    let (mut copied, mut bytes, mut failures) = (Copied::default(), 0, 0);
    for file in files {
        if copied.done.len() >= FILES_MAX || bytes >= BYTES_MAX {
            copied.failed.push(format!(
                "Only a part was copied: there are more than {FILES_MAX} files or {} GiB; a link to a directory needs no copy.",
                BYTES_MAX >> 30
            ));
            break;
        }
        match copy_one(&from.join(file), &to.join(file), BYTES_MAX - bytes) {
            Ok(Some(length)) => {
                bytes += length;
                copied.done.insert(file.clone());
            }
            Ok(None) => {}
            Err(error) => {
                failures += 1;
                if failures <= FAILED_MAX {
                    let text = format!("{} could not be copied: {error}.", file.display());
                    copied.failed.push(text);
                }
            }
        }
    }
    if failures > FAILED_MAX {
        let more = failures - FAILED_MAX;
        let text = format!("{more} more files could not be copied.");
        copied.failed.push(text);
    }
    copied
}

/// Copies one, and tells how many bytes it has; nothing where something stands already, or there is nothing to copy.
fn copy_one(from: &Path, to: &Path, most: u64) -> io::Result<Option<u64>> {
    if fs::symlink_metadata(to).is_ok() {
        return Ok(None);
    }
    let about = fs::symlink_metadata(from)?;
    if about.is_symlink() {
        let (above, name) = parts(from)?;
        let target = readlinkat(resolved::open_dir(above)?, name, Vec::new())?;
        let (above, name) = parts(to)?;
        symlinkat(target, resolved::make_dir(above)?, name)?;
        return Ok(Some(0));
    }
    if !about.is_file() {
        return Ok(None);
    }
    if about.len() > most {
        return Err(io::Error::other("it is too large"));
    }
    let mut source = resolved::open_file(from)?;
    let mut target = resolved::new_file(to)?;
    let length = io::copy(&mut source, &mut target)?;
    keep_marks(&source, &target)?;
    Ok(Some(length))
}

fn keep_marks(source: &File, target: &File) -> io::Result<()> {
    let about = source.metadata()?;
    let mode = about.permissions().mode() & 0o777;
    target.set_permissions(Permissions::from_mode(mode))?;
    target.set_times(FileTimes::new().set_modified(about.modified()?))
}

/// Makes a link to a path, unless something stands there; tells whether it did.
pub(super) fn make_link(target: &Path, link: &Path) -> io::Result<bool> {
    let (above, name) = parts(link)?;
    if fs::symlink_metadata(link).is_ok() {
        return Ok(false);
    }
    symlinkat(target, resolved::make_dir(above)?, name)?;
    Ok(true)
}

fn parts(path: &Path) -> io::Result<(&Path, &std::ffi::OsStr)> {
    path.parent()
        .zip(path.file_name())
        .ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_is_copied_is_the_same_and_leads_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let (from, to) = (top.join("from"), top.join("to"));
        fs::create_dir_all(from.join("venv/bin")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("venv/bin/tool"), "#!").unwrap();
        fs::set_permissions(from.join("venv/bin/tool"), Permissions::from_mode(0o755)).unwrap();
        symlink("/usr/bin/python3", from.join("venv/bin/python")).unwrap();
        fs::write(from.join("there"), "new").unwrap();
        fs::write(to.join("there"), "old").unwrap();
        // A directory that has become a link since the files were listed.
        fs::create_dir(top.join("outside")).unwrap();
        fs::write(top.join("outside/key"), "secret").unwrap();
        symlink("../outside", from.join("swapped")).unwrap();

        let files = ["venv/bin/tool", "venv/bin/python", "there", "swapped/key"];
        let copied = copy(&from, &to, &files.map(PathBuf::from).into());
        assert_eq!(
            copied.done,
            ["venv/bin/python", "venv/bin/tool"]
                .map(PathBuf::from)
                .into()
        );
        let [failed] = &copied.failed[..] else {
            panic!("{copied:?}")
        };
        assert!(
            failed.starts_with("swapped/key could not be copied: "),
            "{failed}"
        );
        let about = |path: &str| fs::symlink_metadata(to.join(path)).unwrap();
        assert_eq!(about("venv/bin/tool").permissions().mode() & 0o777, 0o755);
        assert!(about("venv/bin/python").is_symlink());
        assert_eq!(fs::read_to_string(to.join("there")).unwrap(), "old");
        assert!(!to.join("swapped/key").exists());
        let times =
            [&from, &to].map(|dir| dir.join("venv/bin/tool").metadata().unwrap().modified());
        let [before, after] = times.map(Result::unwrap);
        assert_eq!(before, after);
    }
}
