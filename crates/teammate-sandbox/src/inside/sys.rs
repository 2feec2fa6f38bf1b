//! System calls that neither std nor rustix offers as safe functions. The one place with `unsafe` in this crate.
//!
//! Everything here runs in a process with one thread: the helper, a view, the first process of a command.
#![allow(unsafe_code)]

use std::{
    io, mem,
    os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd},
    ptr,
};

use libc::{c_int, c_long, pid_t};

/// `CLONE_INTO_CGROUP`: the child begins in a given control group.
const INTO_CONTROL_GROUP: u64 = 0x2_0000_0000;

/// Which of the two a process is after a clone.
pub(crate) enum Cloned {
    Parent { child: pid_t },
    Child,
}

fn checked(result: c_int) -> io::Result<c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn checked_long(result: c_long) -> io::Result<c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// A child in new namespaces (`CLONE_NEW*`), in this control group if one is given. It copies the memory, as fork does.
pub(crate) fn clone_into(
    namespaces: c_int,
    control_group: Option<BorrowedFd<'_>>,
) -> io::Result<Cloned> {
    // SAFETY: all zeros is a value of this structure of plain numbers.
    let mut args: libc::clone_args = unsafe { mem::zeroed() };
    args.flags = namespaces as u64;
    args.exit_signal = libc::SIGCHLD as u64;
    if let Some(group) = control_group {
        args.flags |= INTO_CONTROL_GROUP;
        args.cgroup = group.as_raw_fd() as u64;
    }
    // SAFETY: without CLONE_VM the child has memory of its own, and with one thread nothing in it is held by another. The
    // structure is as long as is said.
    let child = checked_long(unsafe {
        libc::syscall(
            libc::SYS_clone3,
            &raw mut args,
            mem::size_of::<libc::clone_args>(),
        )
    });
    let child = match child {
        // Containers hide this call, because a filter cannot see its flags.
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) && control_group.is_none() => {
            let flags = c_long::from(namespaces | libc::SIGCHLD);
            // SAFETY: as above; without a stack of its own the child goes on with a copy of this one.
            checked_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?
        }
        child => child?,
    };
    Ok(match pid_t::try_from(child) {
        Ok(0) | Err(_) => Cloned::Child,
        Ok(child) => Cloned::Parent { child },
    })
}

/// Leaves the namespaces that the caller shares with others.
pub(crate) fn unshare(namespaces: c_int) -> io::Result<()> {
    // SAFETY: a plain number.
    checked(unsafe { libc::unshare(namespaces) })?;
    Ok(())
}

/// Sets attributes (`MOUNT_ATTR_*`) of a mount and of all below it.
pub(crate) fn set_mount_attributes(mount: BorrowedFd<'_>, set: u64) -> io::Result<()> {
    mount_setattr(mount, set, libc::AT_RECURSIVE)
}

/// Sets attributes of a mount, and leaves those below it as they are.
pub(crate) fn set_own_mount_attributes(mount: BorrowedFd<'_>, set: u64) -> io::Result<()> {
    mount_setattr(mount, set, 0)
}

fn mount_setattr(mount: BorrowedFd<'_>, set: u64, depth: c_int) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: set,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the empty path ends with a zero, the structure is as long as is said.
    checked_long(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | depth,
            &raw const attributes,
            mem::size_of_val(&attributes),
        )
    })?;
    Ok(())
}

/// Asks for the session's key ring.
pub(crate) fn find_key_ring() -> io::Result<()> {
    // SAFETY: plain numbers.
    checked_long(unsafe {
        libc::syscall(
            libc::SYS_keyctl,
            libc::KEYCTL_GET_KEYRING_ID,
            libc::KEY_SPEC_SESSION_KEYRING,
            0,
        )
    })?;
    Ok(())
}

/// Ends the process at once, without any clean-up of the parent's that it has a copy of.
pub(crate) fn exit(code: c_int) -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// What descendants have used that ended and were waited for (getrusage(2)).
pub(crate) struct Ended {
    pub(crate) cpu_millis: u64,
    /// Written to disks, in bytes.
    pub(crate) disk_bytes: u64,
}

/// Of the calling process.
pub(crate) fn ended_descendants() -> io::Result<Ended> {
    // SAFETY: all zeros is a value of this structure of plain numbers, and the kernel writes nothing beside it.
    let (result, usage) = unsafe {
        let mut usage: libc::rusage = mem::zeroed();
        (
            libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage),
            usage,
        )
    };
    checked(result)?;
    let number = |number: c_long| u64::try_from(number).unwrap_or_default();
    let millis = |time: libc::timeval| number(time.tv_sec) * 1_000 + number(time.tv_usec) / 1_000;
    Ok(Ended {
        cpu_millis: millis(usage.ru_utime) + millis(usage.ru_stime),
        // Whatever the size of a disk's blocks, these are of 512 bytes.
        disk_bytes: number(usage.ru_oublock).saturating_mul(512),
    })
}

/// What a wait without a pause found.
pub(crate) enum Waited {
    Ended { child: pid_t, status: c_int },
    NoneYet,
    NoChildren,
}

/// Takes the status of any child that has ended.
pub(crate) fn reap() -> io::Result<Waited> {
    let mut status = 0;
    // SAFETY: there is room for the status.
    match checked(unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) }) {
        Ok(0) => Ok(Waited::NoneYet),
        Ok(child) => Ok(Waited::Ended { child, status }),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Waited::NoChildren),
        Err(error) => Err(error),
    }
}

/// Sends a signal to every process of this process namespace but the first.
pub(crate) fn signal_all(signal: c_int) {
    // SAFETY: plain numbers. All may have ended by themselves, which is what is wanted.
    unsafe {
        libc::kill(-1, signal);
    }
}

/// Sends a signal to one process, which may have ended by itself.
pub(crate) fn signal(process: pid_t, signal: c_int) {
    // SAFETY: plain numbers.
    unsafe {
        libc::kill(process, signal);
    }
}

/// Orphans among the descendants become children of the caller.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    // SAFETY: plain numbers.
    checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })?;
    Ok(())
}

/// Blocks all signals; a descriptor is readable when a child has ended.
pub(crate) fn watch_children() -> io::Result<OwnedFd> {
    // SAFETY: the sets are initialised by the calls that are given them; the descriptor is new and nobody else's.
    unsafe {
        let mut all = mem::zeroed();
        libc::sigfillset(&raw mut all);
        checked(libc::sigprocmask(
            libc::SIG_SETMASK,
            &raw const all,
            ptr::null_mut(),
        ))?;
        let mut children = mem::zeroed();
        libc::sigemptyset(&raw mut children);
        libc::sigaddset(&raw mut children, libc::SIGCHLD);
        let fd = checked(libc::signalfd(
            -1,
            &raw const children,
            libc::SFD_CLOEXEC | libc::SFD_NONBLOCK,
        ))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// No signal is blocked, and each does what it does in a new program.
pub(crate) fn reset_signals() {
    // SAFETY: an initialised set and plain numbers; signals that cannot be set refuse, which changes nothing.
    unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none = mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

/// All descriptors from this number on are closed when another program takes over.
pub(crate) fn close_on_exec_from(first: u32) -> io::Result<()> {
    // SAFETY: plain numbers.
    checked_long(unsafe {
        libc::syscall(
            libc::SYS_close_range,
            first,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    })?;
    Ok(())
}

/// Puts the calling thread under a Landlock ruleset.
pub(crate) fn restrict_self(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: plain numbers.
    checked_long(unsafe {
        libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0)
    })?;
    Ok(())
}

/// Raises a network interface of the caller's network, by its name with a zero at its end.
pub(crate) fn raise_interface<const N: usize>(
    socket: BorrowedFd<'_>,
    name: [u8; N],
) -> io::Result<()> {
    // SAFETY: all zeros is a value of this structure; the name is shorter than its field; the call reads the structure.
    unsafe {
        let mut request: libc::ifreq = mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(name) {
            *to = from.cast_signed();
        }
        request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
        checked(libc::ioctl(
            socket.as_raw_fd(),
            libc::SIOCSIFFLAGS,
            &raw const request,
        ))?;
    }
    Ok(())
}

/// How many seconds the local time is ahead of UTC at a moment, in seconds since the epoch. `None` if it is not known.
pub fn utc_offset(seconds: i64) -> Option<i64> {
    let seconds: libc::time_t = seconds;
    // SAFETY: the call fills the structure that it is given, and keeps no pointer to it; a null result says that it did not.
    let local = unsafe {
        let mut local: libc::tm = mem::zeroed();
        let filled = libc::localtime_r(&raw const seconds, &raw mut local);
        (!filled.is_null()).then_some(local)
    };
    local.map(|local| local.tm_gmtoff)
}
