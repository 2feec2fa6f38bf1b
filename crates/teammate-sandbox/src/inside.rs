//! What runs on the other side: the helper, a process for each view, the first process of each command. All have one thread and
//! hold no secrets.
//!
//! ```text
//! host ── helper ── view ── first process ── program ── ...
//! ```

mod devices;
mod first;
mod helper;
mod home;
mod landlock;
mod layers;
mod mounts;
mod networks;
mod probes;
mod processes;
mod resolver;
mod seccomp;
mod sentinel;
mod shell;
mod sys;
mod usage;
mod view;
mod views;
mod watch;

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use crate::level::Level;

pub(crate) use helper::{FromHelper, NAME, ToHelper, run};
pub(crate) use networks::{FromNetworks, MakeNetwork, PORTS, PROXY_PORT};
pub(crate) use sentinel::LookAfter;
pub use sys::utc_offset;
pub(crate) use views::FromView;

/// The walls that each command puts on by itself, made once.
pub(crate) struct Walls {
    level: Level,
    landlock: Option<OwnedFd>,
    filters: seccomp::Filters,
}

/// Waits, at most so long, until one of these can be read or has ended, and says which. A signal may end the wait sooner.
/// `None` if it cannot wait.
fn readable(watched: [BorrowedFd<'_>; 2], limit: Option<&Timespec>) -> Option<[bool; 2]> {
    let mut watched = watched.map(|watched| PollFd::from_borrowed_fd(watched, PollFlags::IN));
    match poll(&mut watched, limit) {
        Ok(_) | Err(Errno::INTR) => Some(watched.map(|watched| !watched.revents().is_empty())),
        Err(_) => None,
    }
}

/// Whether `pid_max` is the process namespace's own and not the machine's: since Linux 6.14.
fn has_own_process_limit() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    matches!((number(), number()), (Some(major), Some(minor)) if (major, minor) >= (6, 14))
}
