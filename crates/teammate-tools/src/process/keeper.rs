//! The keeper: a process between the host and a command that ends all the command started, whatever that did to get away.
//!
//! ```text
//! host ── stand-in ── keeper ── shell ── ...
//! ```
//!
//! The stand-in is the host's child and ends as the shell ends, when it ends. The keeper stays until the last process has
//! ended, or until its end of the leash says that it is over: the host let go, or died in whatever way. In a process
//! namespace the keeper is the first process, with which the kernel ends all others. Elsewhere it adopts the orphans among its
//! descendants and kills until there is none.
//!
//! This code runs in forks of a process with many threads: no allocation, no locks, no panics; see `sys`.

use std::{io, os::fd::AsRawFd as _};

use super::{
    room::Room,
    sys::{self, Fd, Forked, Waited},
};

/// What the keeper hears on its leash: ask all to stop.
pub(super) const ASK: u8 = b'?';

/// The keeper's exit code if it was told to end.
const TOLD: i32 = 128 + libc::SIGKILL;
/// How long those who were killed are waited for before the next look, in milliseconds.
const ROUND: i32 = 1;

/// How the keeper sees to it that all end.
#[derive(Debug)]
pub(super) enum Way {
    /// They live in a room of their own, which ends with the keeper.
    Room(Room),
    /// It kills them one by one.
    Descendants,
}

/// What the forks go by. Made before they are.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) way: Way,
    /// The keeper's end of the leash.
    pub(super) leash: std::os::unix::net::UnixStream,
}

impl Plan {
    /// Called in the host's new child; returns in the process that is to become the shell.
    pub(super) fn begin(&self) -> io::Result<()> {
        // The host's handlers must not run in its forks, and a keeper hears on its leash only.
        let mask = sys::block_signals()?;
        if let Way::Room(room) = &self.way {
            room.unshare()?;
        }
        // They are forks of the host: what it knows is in their memory.
        sys::be_private()?;
        let (told, tell) = sys::pipe()?;
        if let Forked::Parent { child } = sys::fork()? {
            stand_in(self.leash.as_raw_fd(), told, child);
        }
        match &self.way {
            Way::Room(room) => room.furnish()?,
            Way::Descendants => sys::adopt_orphans()?,
        }
        let ended = sys::children_ended()?;
        if let Forked::Parent { child } = sys::fork()? {
            Keeper {
                shell: child,
                is_told: false,
                way: &self.way,
            }
            .keep([self.leash.as_raw_fd(), tell, ended]);
        }
        // A group with a number in its own namespace, where the stand-in's has none.
        sys::lead_group()?;
        if let Way::Room(room) = &self.way {
            room.enter()?;
        }
        sys::restore_signals(&mask)
    }
}

/// Ends as the shell does.
fn stand_in(leash: Fd, told: Fd, keeper: i32) -> ! {
    // If the host does not hear it, it is gone, and so will be the keeper.
    let _ = sys::write(leash, &keeper.to_ne_bytes());
    let mut report = [0; REPORT];
    let heard = sys::keep_only(&[told])
        .and_then(|()| sys::change_dir(c"/"))
        .and_then(|()| sys::read(0, &mut report));
    let status = heard
        .ok()
        .and_then(|length| Report::read(&report[..length]));
    match status {
        Some(Report {
            status,
            is_last: false,
        }) => sys::end_like(status),
        // Whoever waits for orphans here may not be there or not do it.
        Some(Report {
            status,
            is_last: true,
        }) => {
            let _ = sys::wait(keeper);
            sys::end_like(status)
        }
        None => sys::end_like(sys::wait(keeper).unwrap_or_default()),
    }
}

/// How the shell ended.
struct Report {
    status: i32,
    /// Nothing else is left.
    is_last: bool,
}

const REPORT: usize = 5;

impl Report {
    fn bytes(&self) -> [u8; REPORT] {
        let [a, b, c, d] = self.status.to_ne_bytes();
        [a, b, c, d, u8::from(self.is_last)]
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [a, b, c, d, is_last] = *bytes else {
            return None;
        };
        Some(Self {
            status: i32::from_ne_bytes([a, b, c, d]),
            is_last: is_last != 0,
        })
    }
}

struct Keeper<'a> {
    shell: i32,
    /// Whether the stand-in was told of the shell's end.
    is_told: bool,
    way: &'a Way,
}

const LEASH: Fd = 0;
const TELL: Fd = 1;
const ENDED: Fd = 2;

impl Keeper<'_> {
    fn keep(mut self, descriptors: [Fd; 3]) -> ! {
        let is_ready = sys::keep_only(&descriptors).and_then(|()| sys::change_dir(c"/"));
        while is_ready.is_ok() {
            self.reap();
            let tell = if self.is_told { -1 } else { TELL };
            let Ok([leash, stand_in, ended]) = sys::wait_for([LEASH, tell, ENDED], -1) else {
                break;
            };
            // Somebody killed the stand-in, which is all of the command that can be seen from outside.
            if stand_in || leash && !self.hears() {
                break;
            }
            if ended {
                // What it says is known: somebody has ended.
                let _ = sys::read(ENDED, &mut [0; 128]);
            }
        }
        self.end()
    }

    /// Takes leave of all that have ended, and ends with the last.
    fn reap(&mut self) {
        let mut shell = None;
        let is_last = loop {
            match sys::reap() {
                Ok(Waited::Ended { child, status }) if child == self.shell => shell = Some(status),
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break false,
                Ok(Waited::NoChildren) | Err(_) => break true,
            }
        };
        if let Some(status) = shell {
            // If the stand-in is gone, that is seen next.
            let _ = sys::write(TELL, &Report { status, is_last }.bytes());
            sys::close(TELL);
            self.is_told = true;
        }
        if is_last {
            sys::exit(0);
        }
    }

    /// False if the leash has ended.
    fn hears(&self) -> bool {
        let mut word = [0];
        let is_word = matches!(sys::read(LEASH, &mut word), Ok(1..));
        if is_word && word == [ASK] {
            match self.way {
                Way::Room(_) => {
                    sys::signal(-1, libc::SIGTERM);
                    // A stopped program hears nothing until it goes on.
                    sys::signal(-1, libc::SIGCONT);
                }
                // The host does it: by their marks.
                Way::Descendants => {}
            }
        }
        is_word
    }

    fn end(&self) -> ! {
        match self.way {
            Way::Room(_) => {}
            Way::Descendants => kill_descendants(),
        }
        sys::exit(TOLD)
    }
}

/// Kills children, whose children become its own, until there are none.
fn kill_descendants() {
    loop {
        loop {
            match sys::reap() {
                Ok(Waited::Ended { .. }) => {}
                Ok(Waited::NoneYet) => break,
                Ok(Waited::NoChildren) | Err(_) => return,
            }
        }
        each_child(|child| sys::signal(child, libc::SIGKILL));
        // Descriptors are no matter here: it is a pause.
        let _ = sys::wait_for([-1], ROUND);
    }
}

/// As many of the caller's children as fit.
fn each_child(mut take: impl FnMut(i32)) {
    let mut text = [0; 4096];
    let Ok(file) = sys::open(c"/proc/thread-self/children", libc::O_RDONLY) else {
        return;
    };
    let length = sys::read(file, &mut text).unwrap_or_default();
    sys::close(file);
    // What follows the last space may have been cut.
    for number in text[..length].split_inclusive(|byte| *byte == b' ') {
        if let [digits @ .., b' '] = number {
            let parsed = digits.iter().try_fold(0_i32, |sum, digit| {
                sum.checked_mul(10)?
                    .checked_add(i32::from(digit.checked_sub(b'0')?))
            });
            if let Some(child @ 2..) = parsed {
                take(child);
            }
        }
    }
}
