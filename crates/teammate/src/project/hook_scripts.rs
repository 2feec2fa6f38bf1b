//! The files of a workspace that the commands of its hooks name: each as the user said yes to it. What such a file loads in its turn
//! is not known here.

mod named;

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use ring::digest::{Context, SHA256};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use self::named::NamedFile;
use super::user_state::hex;

/// The most bytes of such a file. A longer one is never trusted.
const BYTES_MAX: u64 = 16 << 20;

/// The hashes of such files, by their names in commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HookScripts(BTreeMap<NamedFile, String>);

/// Why a hook is not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not as you trusted it")]
pub struct ScriptChanged(String);

impl HookScripts {
    /// Those that are there, of these commands in a workspace, which must be resolved.
    pub(super) fn of<'a>(commands: impl Iterator<Item = &'a str>, workspace: &Path) -> Self {
        let files = commands.flat_map(named::files);
        let hashed = files.filter_map(|file| {
            let hash = hash(&file, (workspace, workspace))?.ok()?;
            Some((file, hash))
        });
        Self(hashed.collect())
    }

    /// The names of the scripts in commands.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.0.keys().map(ToString::to_string)
    }

    /// Whether the files that this command would find in `dir` are these.
    ///
    /// # Errors
    ///
    /// One has changed, is gone, or was not there.
    pub fn check(
        &self,
        command: &str,
        (workspace, dir): (&Path, &Path),
    ) -> Result<(), ScriptChanged> {
        let is_as_trusted =
            |file: &NamedFile| match (hash(file, (workspace, dir)), self.0.get(file)) {
                (None, None) => true,
                (Some(Ok(now)), Some(trusted)) => now == *trusted,
                (None | Some(_), _) => false,
            };
        match named::files(command)
            .into_iter()
            .find(|file| !is_as_trusted(file))
        {
            Some(file) => Err(ScriptChanged(file.to_string())),
            None => Ok(()),
        }
    }
}

/// The hash of a file that is in the workspace or in the directory where a hook runs; `None` if no such file is.
fn hash(file: &NamedFile, (workspace, dir): (&Path, &Path)) -> Option<io::Result<String>> {
    let path = file.path(workspace, dir);
    let is_within = |path: &Path| path.starts_with(workspace) || path.starts_with(dir);
    let found = match path.canonicalize() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return None,
        Err(error) => return is_within(&path).then_some(Err(error)),
    };
    if is_within(&found) {
        return fs::metadata(&found)
            .is_ok_and(|data| !data.is_dir())
            .then(|| content(&found));
    }
    // A link is its target: what it leads to is out of members' reach.
    is_within(&path).then(|| Ok(format!("a link to {}", found.display())))
}

fn content(path: &Path) -> io::Result<String> {
    // A pipe in its place has no end, and opening it would wait.
    let flags = OFlags::NONBLOCK.bits();
    let mut options = fs::OpenOptions::new();
    let file = options
        .read(true)
        .custom_flags(flags.cast_signed())
        .open(path)?;
    let data = file.metadata()?;
    if !data.is_file() || data.len() > BYTES_MAX {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX).read_to_end(&mut bytes)?;
    let mut context = Context::new(&SHA256);
    context.update(&bytes);
    Ok(hex(context.finish().as_ref()))
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::symlink, path::PathBuf};

    use super::*;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let work = dir.path().canonicalize().unwrap().join("work");
        fs::create_dir_all(work.join("scripts")).unwrap();
        fs::write(work.join("scripts/check.sh"), "true").unwrap();
        (dir, work)
    }

    fn changed(name: &str) -> Result<(), ScriptChanged> {
        Err(ScriptChanged(name.to_owned()))
    }

    #[test]
    fn a_file_that_changes_comes_or_goes_is_told() {
        let (_dir, work) = place();
        let command = "sh scripts/check.sh && ./more.sh";
        let trusted = HookScripts::of([command].into_iter(), &work);
        let check = || trusted.check(command, (&work, &work));
        assert_eq!(check(), Ok(()));
        fs::write(work.join("scripts/check.sh"), "evil").unwrap();
        assert_eq!(check(), changed("scripts/check.sh"));
        fs::remove_file(work.join("scripts/check.sh")).unwrap();
        assert_eq!(check(), changed("scripts/check.sh"));
        fs::write(work.join("scripts/check.sh"), "true").unwrap();
        assert_eq!(check(), Ok(()));
        fs::write(work.join("more.sh"), "evil").unwrap();
        assert_eq!(check(), changed("more.sh"));
    }

    #[test]
    fn a_worktree_has_its_own_files_and_the_workspaces_by_name() {
        let (_dir, work) = place();
        let worktree = work.with_file_name("tree");
        fs::create_dir_all(worktree.join("scripts")).unwrap();
        let own = "./scripts/check.sh";
        let shared = "\"$CLAUDE_PROJECT_DIR\"/scripts/check.sh";
        let trusted = HookScripts::of([own, shared].into_iter(), &work);
        let places = (&*work, &*worktree);
        assert_eq!(trusted.check(own, places), changed("scripts/check.sh"));
        assert_eq!(trusted.check(shared, places), Ok(()));
        fs::write(worktree.join("scripts/check.sh"), "true").unwrap();
        assert_eq!(trusted.check(own, places), Ok(()));
        fs::write(worktree.join("scripts/check.sh"), "evil").unwrap();
        assert_eq!(trusted.check(own, places), changed("scripts/check.sh"));
    }

    #[test]
    fn links_and_pipes_hide_no_change() {
        let (_dir, work) = place();
        symlink("scripts/check.sh", work.join("link")).unwrap();
        symlink("/bin/true", work.join("out")).unwrap();
        let trusted = HookScripts::of(["./link", "./out"].into_iter(), &work);
        let check = |command| trusted.check(command, (&work, &work));
        assert_eq!((check("./link"), check("./out")), (Ok(()), Ok(())));
        fs::write(work.join("scripts/check.sh"), "evil").unwrap();
        assert_eq!(check("./link"), changed("link"));
        fs::remove_file(work.join("out")).unwrap();
        symlink("/bin/false", work.join("out")).unwrap();
        assert_eq!(check("./out"), changed("out"));
        fs::remove_file(work.join("out")).unwrap();
        let pipe = work.join("out");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        assert_eq!(check("./out"), changed("out"));
    }
}
