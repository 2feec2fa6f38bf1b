//! A room: namespaces of processes and mounts for one command. It sees and signals nothing outside, some directories cannot
//! be written to or looked into there, and when its keeper ends, the kernel ends all in it.
//!
//! An ordinary user may have that in a user namespace only, where there are no other users: no `sudo`, by nature of the
//! thing. Root, who is already allowed to, stays in its own and gives up the rights that would undo the walls.

use std::{ffi::CString, io, os::unix::ffi::OsStrExt as _, path::Path};

use super::sys;

/// Who may make namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Right {
    /// The user as it is: root.
    Own,
    /// The user in a user namespace.
    UserNamespace,
}

/// What a room is like. Made before the forks.
#[derive(Debug)]
pub(super) struct Room {
    users: Option<Users>,
    hidden: Vec<CString>,
    closed: Vec<CString>,
    open: Vec<CString>,
    dir: CString,
}

/// Who is who in a user namespace: oneself.
#[derive(Debug)]
struct Users {
    uid_map: String,
    gid_map: String,
}

impl Room {
    /// One where the shell begins in this directory, with nothing behind its walls.
    pub(super) fn new(right: Right, dir: &Path) -> io::Result<Self> {
        let users = match right {
            Right::Own => None,
            Right::UserNamespace => Some(Users::oneself()),
        };
        let mut room = Self {
            users,
            hidden: Vec::new(),
            closed: Vec::new(),
            open: Vec::new(),
            dir: text(dir)?,
        };
        if right == Right::UserNamespace {
            // Root's files seem to be nobody's there, and ssh refuses to read these in that case.
            room.hide(Path::new("/etc/ssh/ssh_config.d"))?;
        }
        Ok(room)
    }

    /// Nobody sees what is in it, if it is there.
    pub(super) fn hide(&mut self, dir: &Path) -> io::Result<()> {
        self.hidden.push(text(dir)?);
        Ok(())
    }

    /// Nobody writes in it, if it is there.
    pub(super) fn close(&mut self, dir: &Path) -> io::Result<()> {
        self.closed.push(text(dir)?);
        Ok(())
    }

    /// Though what is around it is closed, this is not.
    pub(super) fn open(&mut self, dir: &Path) -> io::Result<()> {
        self.open.push(text(dir)?);
        Ok(())
    }

    /// Called by the stand-in: children are born into a new namespace from here on.
    pub(super) fn unshare(&self) -> io::Result<()> {
        let Some(users) = &self.users else {
            return sys::unshare(libc::CLONE_NEWPID);
        };
        sys::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWPID)?;
        sys::write_file(c"/proc/self/setgroups", b"deny")?;
        sys::write_file(c"/proc/self/uid_map", users.uid_map.as_bytes())?;
        sys::write_file(c"/proc/self/gid_map", users.gid_map.as_bytes())
    }

    /// Called by the first process in it: puts up the walls.
    pub(super) fn furnish(&self) -> io::Result<()> {
        sys::unshare(libc::CLONE_NEWNS)?;
        // What is mounted outside later comes in, what is mounted here stays here.
        sys::mount(c"none", c"/", c"none", libc::MS_REC | libc::MS_SLAVE, c"")?;
        let plain = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        sys::mount(c"proc", c"/proc", c"proc", plain, c"")?;
        // The open ones first: what closes around them takes them along as they are.
        for dir in &self.open {
            if_there(sys::mount(dir, dir, c"none", libc::MS_BIND, c""))?;
        }
        for dir in &self.closed {
            let bound = sys::mount(dir, dir, c"none", libc::MS_BIND | libc::MS_REC, c"");
            if_there(bound.and_then(|()| sys::make_read_only(dir)))?;
        }
        for dir in &self.hidden {
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
        sys::give_up(sys::CAP_PERFMON)?;
        sys::give_up(sys::CAP_SYS_PTRACE)
    }
}

impl Users {
    fn oneself() -> Self {
        let uid = rustix::process::geteuid().as_raw();
        let gid = rustix::process::getegid().as_raw();
        Self {
            uid_map: format!("{uid} {uid} 1"),
            gid_map: format!("{gid} {gid} 1"),
        }
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
