//! A command that runs under a guard, until nothing of it is left.

use std::{
    os::{fd::AsFd as _, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Guard;

/// How long killed processes are waited for where there is no thread for it.
const END_GRACE: Duration = Duration::from_secs(2);
/// The first process of a view lets go of its leash a moment before the kernel kills the others: what those write until then is still
/// a command's.
pub(crate) const DYING: Duration = Duration::from_millis(200);

/// A command that runs under a guard. Dropped without [`Guarded::end`], the guard does not look for it.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub(super) guard: Arc<Guard>,
    /// Whether somebody has looked since nothing of it was left, and nothing was new.
    pub(super) is_seen: Arc<AtomicBool>,
}

impl Guarded {
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    pub(crate) fn seen_mark(&self) -> &Arc<AtomicBool> {
        &self.is_seen
    }

    /// The command and all that it started is gone.
    pub(crate) fn end(self) {
        self.guard.end_one(!self.is_seen.load(Ordering::Relaxed));
    }

    /// Its first process was killed, or has ended before the others.
    pub(crate) fn end_killed(self) {
        self.guard.end_one_dying();
    }

    /// Ends the command for the guard once this leash has ended.
    pub(crate) fn end_with(self, leash: Option<UnixStream>) {
        match (leash, self.guard.watcher.get().and_then(Option::as_ref)) {
            (Some(leash), Some(watcher)) => watcher.await_end(leash),
            (leash, _) => {
                // The kernel takes some milliseconds to end it.
                if let Some(leash) = &leash {
                    wait_for_end(leash);
                }
                self.guard.end_one_dying();
            }
        }
    }
}

impl Guard {
    /// One command less, once its last processes are gone: until then commands count as running.
    pub(super) fn end_one_dying(self: &Arc<Self>) {
        let guard = self.clone();
        let end = move || {
            thread::sleep(DYING);
            guard.end_one(true);
        };
        let waiting = thread::Builder::new().name("guard-end".to_owned());
        if waiting.spawn(end).is_err() {
            thread::sleep(DYING);
            self.end_one(true);
        }
    }
}

/// Whether the other end of a leash is gone.
pub(super) fn has_ended(leash: &UnixStream) -> bool {
    ends_within(leash, Duration::ZERO)
}

fn wait_for_end(leash: &UnixStream) {
    ends_within(leash, END_GRACE);
}

fn ends_within(leash: &UnixStream, limit: Duration) -> bool {
    let limit = Timespec::try_from(limit).unwrap_or_default();
    let mut watched = [PollFd::from_borrowed_fd(leash.as_fd(), PollFlags::RDHUP)];
    let polled = poll(&mut watched, Some(&limit));
    polled.is_err() || !watched[0].revents().is_empty()
}
