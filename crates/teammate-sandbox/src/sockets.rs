//! Unix sockets of the machine, as the kernel lists them: that a file system is read-only keeps nobody from connecting to
//! the sockets in it, so those that commands would see are hidden. A socket made while a command runs is not in the list
//! of that command.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs, io,
    os::unix::{ffi::OsStrExt as _, fs::FileTypeExt as _},
    path::{Path, PathBuf},
};

use crate::{
    failure::{Failure, Step as _},
    policy::{Held, PRIVATE, Policy},
};

/// The sockets of this network namespace.
const LIST: &str = "/proc/self/net/unix";
/// How many words stand before the path in a line of the list.
const WORDS_BEFORE_PATH: usize = 7;

/// Where sockets are bound, but for what no command sees. Relative paths are left out: nobody knows to what.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sockets(BTreeSet<PathBuf>);

impl Sockets {
    /// Those that are bound now and matter to commands that work in this directory.
    pub(crate) fn bound(root: &Path) -> Result<Self, Failure> {
        let text = fs::read(LIST).step_at("read", Path::new(LIST))?;
        Ok(Self::read(&text, root))
    }

    fn read(list: &[u8], root: &Path) -> Self {
        let paths = list
            .split(|byte| *byte == b'\n')
            .filter_map(path_of)
            .filter(|path| {
                path.starts_with(root) || !PRIVATE.iter().any(|dir| path.starts_with(dir))
            });
        Self(paths.map(Path::to_owned).collect())
    }

    /// Hides those that commands would see by this policy, but for what the user shows them.
    pub(crate) fn hide_in(&self, policy: &mut Policy, shown: &[PathBuf]) -> Result<(), Failure> {
        for path in &self.0 {
            let Some(held) = held_socket(path).step_at("hold", path)? else {
                continue;
            };
            let is_shown = |path: &Path| shown.iter().any(|shown| path.starts_with(shown));
            if policy.lets_reach(held.path()) && !is_shown(path) && !is_shown(held.path()) {
                policy.sockets.push(held);
            }
        }
        Ok(())
    }
}

/// The absolute path in a line `Num: RefCount Protocol Flags Type St Inode Path`.
fn path_of(line: &[u8]) -> Option<&Path> {
    let mut rest = line;
    for _ in 0..WORDS_BEFORE_PATH {
        let start = rest.iter().position(|byte| *byte != b' ')?;
        let word = &rest[start..];
        let end = word.iter().position(|byte| *byte == b' ')?;
        rest = &word[end..];
    }
    // One blank, and then all of the path, which may have blanks in it.
    let path = Path::new(OsStr::from_bytes(rest.get(1..)?));
    path.is_absolute().then_some(path)
}

/// The socket at this path; `None` if something else is there, it has gone, or we do not get there: then commands do not, either.
fn held_socket(path: &Path) -> io::Result<Option<Held>> {
    let Ok(path) = path.canonicalize() else {
        return Ok(None);
    };
    let found = fs::symlink_metadata(&path).and_then(|found| {
        let is_socket = found.file_type().is_socket();
        is_socket.then(|| Held::at(path)).transpose()
    });
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::{fs::symlink, net::UnixListener};

    use super::*;

    #[test]
    fn the_kernels_list_is_read() {
        let list = b"Num       RefCount Protocol Flags    Type St Inode Path\n\
            000000008da20dff: 00000003 00000000 00000000 0001 03  1065\n\
            000000008da20df0: 00000002 00000000 00010000 0001 01  1066 /srv/a b.sock\n\
            000000008da20df1: 00000002 00000000 00010000 0001 01 21067 /srv/a b.sock\n\
            000000008da20df2: 00000002 00000000 00010000 0001 01 21068 @abstract\n\
            000000008da20df3: 00000002 00000000 00010000 0001 01 21069 relative.sock\n\
            000000008da20df4: 00000002 00000000 00010000 0001 01 21070 /run/docker.sock\n\
            000000008da20df5: 00000002 00000000 00010000 0001 01 21071 /tmp/work/s\n";
        let read = |root: &str| Sockets::read(list, Path::new(root)).0;
        let (one, two) = (PathBuf::from("/srv/a b.sock"), PathBuf::from("/tmp/work/s"));
        assert_eq!(read("/work"), BTreeSet::from([one.clone()]));
        assert_eq!(read("/tmp/work"), BTreeSet::from([one, two]));
    }

    #[test]
    fn sockets_that_commands_would_see_are_hidden() {
        let dir = tempfile::TempDir::new_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let top = dir.path().canonicalize().unwrap();
        let path = |name: &str| top.join(name);
        for name in ["seen", "team", "work", "shown"] {
            fs::create_dir(path(name)).unwrap();
        }
        let names = ["seen/s", "team/s", "work/s", "shown/s"];
        let _bound = names.map(|name| UnixListener::bind(path(name)).unwrap());
        fs::write(path("seen/file"), "").unwrap();
        symlink("loop", path("seen/loop")).unwrap();
        let sockets = Sockets(
            names
                .into_iter()
                .chain(["seen/file", "seen/gone", "seen/loop/s"])
                .map(path)
                .collect(),
        );
        for (has_own_network, hidden) in [
            (true, vec![path("seen/s"), path("work/s")]),
            (false, vec![path("seen/s")]),
        ] {
            let mut policy = Policy {
                writable: vec![Held::open(&path("work")).unwrap()],
                hidden: vec![Held::open(&path("team")).unwrap()],
                has_own_network,
                ..Policy::default()
            };
            sockets.hide_in(&mut policy, &[path("shown")]).unwrap();
            let found: Vec<_> = policy.sockets.iter().map(Held::path).collect();
            assert_eq!(found, hidden, "{has_own_network}");
        }
    }
}
