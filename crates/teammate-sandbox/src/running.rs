//! A command that runs: its leash.
//!
//! The other end is held by the command's first process and by the view until the kernel has taken the last process away: when
//! the leash ends, nothing is left. When this end closes, whatever the host died of, the first process kills all.

use std::{
    io::{self, Read as _, Write as _},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::ExitStatusExt as _},
    },
    process::ExitStatus,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::io::Interest;

use crate::{
    account::Share,
    control_groups::ControlGroup,
    failure::{Failure, Step as _},
    guard::{Guard, Guarded, HeldFile},
    limits::Limit,
    network::Network,
    order::{Order, Report, STOP},
};

/// How long one report may be, in bytes.
const REPORT_BYTES_MAX: usize = 64 * 1024;
/// How long killed processes are waited for. Only one that is stuck in the kernel takes that long.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// A command with all that it started. Dropped, it ends: every process of it is killed.
#[derive(Debug)]
pub struct Running {
    leash: UnixStream,
    /// The part of the order that has not been sent yet.
    order: Vec<u8>,
    /// The part of the report that has arrived.
    report: Vec<u8>,
    /// Whether the program was the last of it.
    is_over: bool,
    /// Its network, which no other command gets before nothing of this one is left.
    network: Option<Network>,
    group: Option<ControlGroup>,
    share: Option<Share>,
    guarded: Option<Guarded>,
    is_first_of_replacement: bool,
}

/// A look at what commands wrote at guarded names.
#[derive(Debug, Clone)]
pub struct GuardLook {
    guard: Arc<Guard>,
    /// For who looks at the end, where nothing was left of the command when this look began.
    is_seen: Option<Arc<AtomicBool>>,
}

impl GuardLook {
    /// Whether there is anything to say. Takes microseconds.
    pub fn is_needed(&self) -> bool {
        let is_changed = self.guard.is_changed();
        if let (false, Some(is_seen)) = (is_changed, &self.is_seen) {
            is_seen.store(true, Ordering::Relaxed);
        }
        is_changed
    }

    /// Moves away what may not be there, and says what nobody has read of yet. Blocks, and may ask git.
    pub fn look(self) -> Vec<HeldFile> {
        self.guard.look(true)
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The program did; what it started may go on.
    Program(ExitStatus),
    /// It used too much of this. If all of it together did, all was killed.
    Limit(Limit),
    /// All of it was killed before its program ended.
    Killed,
}

impl Ended {
    /// The kernel tells of the limits of one process by signals.
    fn of(status: ExitStatus) -> Self {
        match status.signal() {
            Some(libc::SIGXCPU) => Self::Limit(Limit::CpuTime),
            Some(libc::SIGXFSZ) => Self::Limit(Limit::FileSize),
            Some(_) | None => Self::Program(status),
        }
    }
}

/// The next step when the leash can be read or written.
enum Next {
    Wait,
    Ended(Ended),
}

impl Running {
    pub(crate) fn leash(order: &Order) -> Result<(Self, OwnedFd), Failure> {
        let step = || "make a leash".to_owned();
        let (leash, theirs) = UnixStream::pair().step(step)?;
        leash.set_nonblocking(true).step(step)?;
        let text = serde_json::to_vec(order)
            .map_err(io::Error::other)
            .step(step)?;
        let length = u32::try_from(text.len())
            .map_err(io::Error::other)
            .step(step)?;
        let order = [&length.to_ne_bytes()[..], &text].concat();
        let mut running = Self {
            leash,
            order,
            report: Vec::new(),
            is_over: false,
            network: None,
            group: None,
            share: None,
            guarded: None,
            is_first_of_replacement: false,
        };
        // Nearly always whole: then nothing is left to do but wait.
        running.send_order();
        Ok((running, theirs.into()))
    }

    pub(crate) fn with(mut self, network: Option<Network>) -> Self {
        self.network = network;
        self
    }

    pub(crate) fn within(mut self, group: Option<ControlGroup>) -> Self {
        self.group = group;
        self
    }

    pub(crate) fn counted_in(mut self, share: Option<Share>) -> Self {
        self.share = share;
        self
    }

    pub(crate) fn guarded(mut self, guarded: Option<Guarded>) -> Self {
        self.guarded = guarded;
        self
    }

    /// For a look at what was written at the guarded names of its place, also after its end.
    pub fn looking(&self) -> Option<GuardLook> {
        let guarded = self.guarded.as_ref()?;
        Some(GuardLook {
            guard: guarded.guard().clone(),
            is_seen: (!self.is_left()).then(|| guarded.seen_mark().clone()),
        })
    }

    pub(crate) fn first_of_replacement(mut self, is_first: bool) -> Self {
        self.is_first_of_replacement = is_first;
        self
    }

    /// Whether the helper had ended, and this is the first command of a member from its replacement.
    pub fn is_first_of_replacement(&self) -> bool {
        self.is_first_of_replacement
    }

    /// Waits for the program's end. May be given up and called again.
    ///
    /// # Errors
    ///
    /// A wall could not be put up, or the program not be started: nothing ran.
    pub async fn ended(&mut self) -> Result<Ended, Failure> {
        if let Next::Ended(ended) = self.advance()? {
            return Ok(ended);
        }
        loop {
            self.changed(self.order.is_empty()).await?;
            if let Next::Ended(ended) = self.advance()? {
                return Ok(ended);
            }
        }
    }

    /// Waits for the end, blocking, but not for longer than this. `None` if it still runs.
    ///
    /// # Errors
    ///
    /// As of [`Running::ended`].
    pub fn ended_within(&mut self, limit: Duration) -> Result<Option<Ended>, Failure> {
        let deadline = Instant::now() + limit;
        loop {
            if let Next::Ended(ended) = self.advance()? {
                return Ok(Some(ended));
            }
            let mut wanted = PollFlags::IN;
            wanted.set(PollFlags::OUT, !self.order.is_empty());
            if !wait_for(&self.leash, wanted, deadline) {
                return Ok(None);
            }
        }
    }

    fn send_order(&mut self) {
        while !self.order.is_empty() {
            match self.leash.write(&self.order) {
                Ok(written) => drop(self.order.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nobody is there to read it, as the report will show by its absence.
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => self.order.clear(),
                Err(_) => return,
            }
        }
    }

    fn advance(&mut self) -> Result<Next, Failure> {
        self.send_order();
        loop {
            if let Some(report) = self.whole_report()? {
                return match report {
                    Report::Ended { status, is_last } => {
                        self.is_over = is_last;
                        Ok(Next::Ended(Ended::of(ExitStatus::from_raw(status))))
                    }
                    Report::Limit(limit) => Ok(Next::Ended(Ended::Limit(limit))),
                    Report::Failed(failure) => Err(failure),
                };
            }
            let mut bytes = [0; 4096];
            match self.leash.read(&mut bytes) {
                Ok(0) => return Ok(Next::Ended(self.killed())),
                Ok(count) => self.report.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Next::Wait),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Ok(Next::Ended(self.killed())),
            }
        }
    }

    /// How it ended if its first process said nothing: it was killed with all others.
    fn killed(&self) -> Ended {
        let exceeded = self.group.as_ref().and_then(ControlGroup::exceeded);
        exceeded.map_or(Ended::Killed, Ended::Limit)
    }

    fn whole_report(&mut self) -> Result<Option<Report>, Failure> {
        let Some((length, text)) = self.report.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_ne_bytes(*length) as usize;
        if length > REPORT_BYTES_MAX {
            return Err(Failure::new("hear the command", "it says too much"));
        }
        let Some(text) = text.get(..length) else {
            return Ok(None);
        };
        let report = serde_json::from_slice(text)
            .map_err(|error| Failure::new("hear the command", error.to_string()))?;
        Ok(Some(report))
    }

    /// Asks every process of it to stop: with TERM, and CONT for those that are suspended.
    pub fn ask_to_stop(&self) {
        // If nobody hears it, it has ended.
        let _ = (&self.leash).write(&[STOP]);
    }

    /// Whether any process of it is left.
    pub fn is_left(&self) -> bool {
        let mut bytes = [0; 256];
        if self.is_over {
            return false;
        }
        loop {
            match (&self.leash).read(&mut bytes) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }

    /// Waits until nothing of it is left, but not for longer than this; true if nothing is. Blocks.
    fn all_ended_within(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while self.is_left() {
            if !wait_for(&self.leash, PollFlags::IN, deadline) {
                return !self.is_left();
            }
        }
        true
    }

    /// Waits until nothing of it is left.
    pub async fn all_ended(&self) {
        // Where it cannot be waited for, somebody has to look.
        while self.is_left() && self.changed(true).await.is_ok() {}
    }

    /// Kills all of it; the kernel takes some milliseconds for that.
    pub fn end(&self) {
        // If nobody hears it, it has ended.
        let _ = self.leash.shutdown(std::net::Shutdown::Write);
    }

    /// Kills all and waits until nothing is left. Blocks.
    pub fn kill(&self) {
        self.end();
        self.all_ended_within(KILL_GRACE);
    }

    /// Waits until something can be read, or until something happens to the leash at all.
    async fn changed(&self, only_read: bool) -> Result<(), Failure> {
        let step = || "hear the command".to_owned();
        let leash = self.leash.try_clone().step(step)?;
        let interest = if only_read {
            Interest::READABLE
        } else {
            Interest::READABLE | Interest::WRITABLE
        };
        // Registered anew each time, it is ready at once if there is something.
        let leash = tokio::net::UnixStream::from_std(leash).step(step)?;
        leash.ready(interest).await.step(step)?;
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let guarded = self.guarded.take();
        if !self.is_left() {
            match guarded {
                Some(guarded) if self.is_over => guarded.end(),
                Some(guarded) => guarded.end_killed(),
                None => {}
            }
            return;
        }
        self.end();
        if let Some(guarded) = guarded {
            guarded.end_with(self.leash.try_clone().ok());
        }
        if let Some(network) = self.network.take() {
            // Its processes are being killed: a command that got the network now would share it with them.
            network.discard();
        }
        if let Some(share) = self.share.take() {
            share.end_with(self.leash.try_clone().ok());
        }
    }
}

/// Waits until one of these is so, or the deadline has come: then it returns false.
fn wait_for(leash: &UnixStream, wanted: PollFlags, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(leash, wanted)], left.as_ref()) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}
