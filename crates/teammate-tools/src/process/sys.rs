//! System calls of keepers, and the local time: what std and rustix do not offer as safe functions. The one place with
//! `unsafe`; what is done with them is decided in `keeper`.
//!
//! File descriptors are bare numbers here: an owner that closes on drop has no place in a process that closes all it has at
//! once.
#![allow(unsafe_code)]

use std::{ffi::CStr, io, mem, os::unix::process::CommandExt as _, process::Command, ptr};

use libc::{c_int, c_ulong, c_void, pid_t};

/// May look into processes that have rights which the caller has not.
pub(super) const CAP_SYS_PTRACE: c_ulong = 19;
/// May mount.
pub(super) const CAP_SYS_ADMIN: c_ulong = 21;

/// The bare number of a descriptor.
pub(super) type Fd = c_int;

/// Which of the two a process is after a fork.
pub(super) enum Forked {
    Parent { child: pid_t },
    Child,
}

/// What a wait without a pause found.
pub(super) enum Waited {
    Ended { child: pid_t, status: c_int },
    NoneYet,
    NoChildren,
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

fn checked(result: c_int) -> io::Result<c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Again while signals interrupt it.
fn patiently(mut call: impl FnMut() -> isize) -> io::Result<usize> {
    loop {
        match usize::try_from(call()) {
            Ok(done) => return Ok(done),
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}

/// Only for a process with one thread: in the child there are no others.
pub(super) fn fork() -> io::Result<Forked> {
    // SAFETY: keepers have one thread, so that nothing is held by another one that the child would wait for.
    match checked(unsafe { libc::fork() })? {
        0 => Ok(Forked::Child),
        child => Ok(Forked::Parent { child }),
    }
}

/// Ends the process at once.
pub(super) fn exit(code: c_int) -> ! {
    // SAFETY: it takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// The signals that are blocked.
pub(super) struct Mask(libc::sigset_t);

/// Blocks all signals; returns what was blocked before.
pub(super) fn block_signals() -> io::Result<Mask> {
    // SAFETY: both sets are initialised by the calls that are given them.
    unsafe {
        let (mut all, mut before) = (mem::zeroed(), mem::zeroed());
        libc::sigfillset(&raw mut all);
        checked(libc::sigprocmask(
            libc::SIG_SETMASK,
            &raw const all,
            &raw mut before,
        ))?;
        Ok(Mask(before))
    }
}

pub(super) fn restore_signals(mask: &Mask) -> io::Result<()> {
    // SAFETY: the set lives as long as the call.
    checked(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const mask.0, ptr::null_mut()) })?;
    Ok(())
}

/// Ends the process as another one ended, which a wait told.
pub(super) fn end_like(status: c_int) -> ! {
    if libc::WIFEXITED(status) {
        exit(libc::WEXITSTATUS(status));
    }
    let signal = libc::WTERMSIG(status);
    // SAFETY: numbers and an initialised set; no handler is installed.
    unsafe {
        let mut none = mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::signal(signal, libc::SIG_DFL);
        libc::kill(libc::getpid(), signal);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
    exit(128 + signal)
}

/// Readable when a child has ended. Signals must be blocked.
pub(super) fn children_ended() -> io::Result<Fd> {
    // SAFETY: the set is initialised before it is used.
    unsafe {
        let mut set = mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        checked(libc::signalfd(
            -1,
            &raw const set,
            libc::SFD_CLOEXEC | libc::SFD_NONBLOCK,
        ))
    }
}

/// A pipe: its reading and its writing end.
pub(super) fn pipe() -> io::Result<(Fd, Fd)> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two numbers.
    checked(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    Ok((ends[0], ends[1]))
}

/// Keeps these descriptors only, from now on under the numbers 0, 1, ... None of them may have the number of one before it.
pub(super) fn keep_only(kept: &[Fd]) -> io::Result<()> {
    let mut place = 0;
    for fd in kept {
        // SAFETY: plain numbers.
        checked(unsafe { libc::dup2(*fd, place) })?;
        place += 1;
    }
    // SAFETY: plain numbers; nothing in this process owns what is closed. By number, for older C libraries.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, place, c_int::MAX, 0) };
    checked(if closed < 0 { -1 } else { 0 })?;
    Ok(())
}

pub(super) fn close(fd: Fd) {
    // SAFETY: a plain number; nothing in this process owns it.
    unsafe {
        libc::close(fd);
    }
}

pub(super) fn read(fd: Fd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the buffer is as long as is said.
    patiently(|| unsafe { libc::read(fd, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) })
}

pub(super) fn write(fd: Fd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the bytes are as many as is said.
    patiently(|| unsafe { libc::write(fd, bytes.as_ptr().cast::<c_void>(), bytes.len()) })
}

/// Waits until one of them can be read or was hung up, at most so many milliseconds; -1: however long. Tells for each whether it was.
/// Negative numbers are passed over.
pub(super) fn wait_for<const N: usize>(fds: [Fd; N], millis: c_int) -> io::Result<[bool; N]> {
    let mut polled = fds.map(|fd| libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    });
    // SAFETY: as many entries as is said.
    patiently(|| unsafe { libc::poll(polled.as_mut_ptr(), N as libc::nfds_t, millis) as isize })?;
    Ok(polled.map(|fd| fd.revents != 0))
}

/// Takes the status of any child that has ended.
pub(super) fn reap() -> io::Result<Waited> {
    let mut status = 0;
    // SAFETY: there is room for the status.
    match checked(unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) }) {
        Ok(0) => Ok(Waited::NoneYet),
        Ok(child) => Ok(Waited::Ended { child, status }),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Waited::NoChildren),
        Err(error) => Err(error),
    }
}

/// Waits for this child's end.
pub(super) fn wait(child: pid_t) -> io::Result<c_int> {
    let mut status = 0;
    // SAFETY: there is room for the status.
    patiently(|| unsafe { libc::waitpid(child, &raw mut status, 0) as isize })?;
    Ok(status)
}

/// Sends a signal; -1 is everybody in this process namespace but the first.
pub(super) fn signal(process: pid_t, signal: c_int) {
    // SAFETY: plain numbers. It may have ended by itself, which is what is wanted.
    unsafe {
        libc::kill(process, signal);
    }
}

/// Another number for a descriptor.
pub(super) fn duplicate(fd: Fd, to: Fd) -> io::Result<()> {
    // SAFETY: plain numbers.
    checked(unsafe { libc::dup2(fd, to) })?;
    Ok(())
}

/// Makes the caller the leader of a new session and process group, without its parent's terminal.
pub(super) fn lead_session() -> io::Result<()> {
    // SAFETY: it takes nothing.
    checked(unsafe { libc::setsid() })?;
    Ok(())
}

pub(super) fn change_dir(path: &CStr) -> io::Result<()> {
    // SAFETY: the path ends with a zero and lives as long as the call.
    checked(unsafe { libc::chdir(path.as_ptr()) })?;
    Ok(())
}

pub(super) fn unshare(namespaces: c_int) -> io::Result<()> {
    // SAFETY: a plain number.
    checked(unsafe { libc::unshare(namespaces) })?;
    Ok(())
}

pub(super) fn mount(
    source: &CStr,
    target: &CStr,
    kind: &CStr,
    flags: c_ulong,
    options: &CStr,
) -> io::Result<()> {
    // SAFETY: all texts end with a zero and live as long as the call.
    checked(unsafe {
        libc::mount(
            source.as_ptr(),
            target.as_ptr(),
            kind.as_ptr(),
            flags,
            options.as_ptr().cast::<c_void>(),
        )
    })?;
    Ok(())
}

/// Makes this mount, not those below it, read-only and leaves all else about it as it is.
pub(super) fn make_read_only(mount: &CStr) -> io::Result<()> {
    const RDONLY: u64 = 1;
    // As the kernel has it: what to set, what to clear, propagation, a user namespace.
    let attributes = [RDONLY, 0, 0, 0];
    // SAFETY: the path ends with a zero, the attributes are as long as is said.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            mount.as_ptr(),
            0,
            attributes.as_ptr(),
            mem::size_of_val(&attributes),
        )
    };
    checked(if done < 0 { -1 } else { 0 })?;
    Ok(())
}

/// Orphans among the descendants become children of the caller.
pub(super) fn adopt_orphans() -> io::Result<()> {
    control(libc::PR_SET_CHILD_SUBREAPER, 1)
}

/// The program that `command` starts is killed when the calling thread ends, however it does.
pub(crate) fn end_with_caller(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec this makes one system call, and allocates nothing.
    unsafe { command.pre_exec(|| control(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_ulong)) }
}

/// No program that the caller becomes has this right again.
pub(super) fn give_up(capability: c_ulong) -> io::Result<()> {
    control(libc::PR_CAPBSET_DROP, capability)
}

fn control(option: c_int, argument: c_ulong) -> io::Result<()> {
    let zero: c_ulong = 0;
    // SAFETY: these options take plain numbers.
    checked(unsafe { libc::prctl(option, argument, zero, zero, zero) })?;
    Ok(())
}
