//! A room: namespaces of processes and mounts for one command. It sees and signals nothing outside, some directories cannot
//! be written to or looked into there, and when its keeper ends, the kernel ends all in it.
//!
//! An ordinary user may have that in a user namespace only, where there are no other users: no `sudo`, by nature of the
//! thing. Root, who is already allowed to, stays in its own and gives up the rights that would undo the walls.

use std::{ffi::CString, fs, io, os::unix::ffi::OsStrExt as _, path::Path};

use super::sys;

/// Who may make namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    /// The user as it is: root.
    Own,
    /// The user in a user namespace.
    UserNamespace,
}

/// What a room is like.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) right: Right,
    /// Where the shell begins.
    pub(super) dir: CString,
    pub(super) walls: Vec<(Wall, CString)>,
}

/// What is different about a directory, if it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wall {
    /// What is around it is closed, this is not.
    Open,
    /// Nobody writes in it.
    Closed,
    /// Nobody sees what is in it.
    Hidden,
}

impl Room {
    /// One where the shell begins in this directory, with nothing behind its walls.
    pub(super) fn new(right: Right, dir: &Path) -> io::Result<Self> {
        let mut room = Self {
            right,
            dir: text(dir)?,
            walls: Vec::new(),
        };
        match right {
            Right::Own => {}
            // Root's files seem to be nobody's there, and ssh refuses to read these in that case.
            Right::UserNamespace => {
                room.wall(Wall::Hidden, Path::new("/etc/ssh/ssh_config.d"))?;
            }
        }
        Ok(room)
    }

    /// Makes a directory different.
    pub(super) fn wall(&mut self, wall: Wall, dir: &Path) -> io::Result<()> {
        self.walls.push((wall, text(dir)?));
        Ok(())
    }

    fn behind(&self, wall: Wall) -> impl Iterator<Item = &CString> {
        let behind = self.walls.iter().filter(move |(found, _)| *found == wall);
        behind.map(|(_, dir)| dir)
    }

    /// Called by the stand-in: children are born into a new namespace from here on.
    pub(super) fn unshare(&self) -> io::Result<()> {
        match self.right {
            Right::Own => sys::unshare(libc::CLONE_NEWPID),
            Right::UserNamespace => {
                let uid = rustix::process::geteuid().as_raw();
                let gid = rustix::process::getegid().as_raw();
                sys::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWPID)?;
                fs::write("/proc/self/setgroups", "deny")?;
                fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
                fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))
            }
        }
    }

    /// Called by the first process in it: puts up the walls.
    pub(super) fn furnish(&self) -> io::Result<()> {
        sys::unshare(libc::CLONE_NEWNS)?;
        // What is mounted outside later comes in, what is mounted here stays here.
        sys::mount(c"none", c"/", c"none", libc::MS_REC | libc::MS_SLAVE, c"")?;
        let plain = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        sys::mount(c"proc", c"/proc", c"proc", plain, c"")?;
        // The open ones first: what closes around them takes them along as they are.
        for dir in self.behind(Wall::Open) {
            if_there(sys::mount(dir, dir, c"none", libc::MS_BIND, c""))?;
        }
        for dir in self.behind(Wall::Closed) {
            let bound = sys::mount(dir, dir, c"none", libc::MS_BIND | libc::MS_REC, c"");
            if_there(bound.and_then(|()| sys::make_read_only(dir)))?;
        }
        for dir in self.behind(Wall::Hidden) {
            let empty = libc::MS_RDONLY | plain;
            if_there(sys::mount(
                c"none",
                dir,
                c"tmpfs",
                empty,
                c"mode=555,size=4k",
            ))?;
        }
        Ok(())
    }

    /// Called by what is to be the shell: goes to its directory, which may be another mount now, and gives up what would undo the walls.
    pub(super) fn enter(&self) -> io::Result<()> {
        sys::change_dir(&self.dir)?;
        // An ordinary user has none left once it is another program, but root has.
        sys::give_up(sys::CAP_SYS_ADMIN)?;
        sys::give_up(sys::CAP_SYS_PTRACE)
    }
}

fn text(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)
}

/// What is not there needs no wall.
fn if_there(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR)) => Ok(()),
        done => done,
    }
}
