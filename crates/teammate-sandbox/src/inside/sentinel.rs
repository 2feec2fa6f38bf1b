//! A process that does nothing as long as the host lives. When the host has been killed it waits for the last of its commands, and
//! looks at what they wrote where they may not.

use std::{
    collections::HashMap,
    os::fd::{AsFd as _, OwnedFd},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use super::sys;
use crate::{
    guard::{self, GuardDirs, look_alone},
    message,
};

/// How long a process may take from closing its sockets to its end.
const HOST_DYING: Duration = Duration::from_secs(5);
/// The pause between two looks at it.
const PAUSE: Duration = Duration::from_millis(2);

/// To the sentinel: commands may write here. One end of a pipe comes with it, whose other end their processes hold.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LookAfter {
    pub(crate) root: PathBuf,
    pub(crate) dirs: GuardDirs,
    /// The process that starts the commands.
    pub(crate) host: u32,
}

/// Serves the host until that is gone. Does not return.
pub(super) fn run(socket: &OwnedFd) -> ! {
    let mut places: HashMap<PathBuf, (GuardDirs, u32, Vec<OwnedFd>)> = HashMap::new();
    while let Ok(Some((LookAfter { root, dirs, host }, tokens))) = message::receive(socket) {
        let place = places.entry(root);
        let (_, _, held) = place.or_insert_with(|| (dirs, host, Vec::new()));
        // Views that were made anew have ended.
        held.retain(|token| !has_ended(token, false));
        held.extend(tokens);
    }
    for (root, (dirs, host, tokens)) in places {
        for token in tokens {
            has_ended(&token, true);
        }
        // One that lives has another sentinel by now, and looks itself.
        if has_died(host) {
            thread::sleep(guard::DYING);
            look_alone(&root, &dirs);
        }
    }
    sys::exit(0)
}

/// Whether this process has ended. One that ends closes its socket before it is seen to have ended, so it is waited for.
fn has_died(host: u32) -> bool {
    let until = Instant::now() + HOST_DYING;
    while is_alive(host) {
        if Instant::now() > until {
            return false;
        }
        thread::sleep(PAUSE);
    }
    true
}

/// Whether this process runs. One that nobody has waited for yet does not.
fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Whether nobody holds the other end any more; waits for that if it is to.
fn has_ended(token: &OwnedFd, waits: bool) -> bool {
    let now = rustix::event::Timespec::default();
    loop {
        let mut watched = [PollFd::from_borrowed_fd(token.as_fd(), PollFlags::IN)];
        match poll(&mut watched, (!waits).then_some(&now)) {
            Err(Errno::INTR) => {}
            Ok(0) if waits => {}
            Ok(count) => return count > 0,
            Err(_) => return true,
        }
    }
}
