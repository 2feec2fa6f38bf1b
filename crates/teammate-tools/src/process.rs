//! Process groups: everything a command starts belongs to one, and none outlives the team.
//!
//! A program that makes itself a session of its own (`setsid`) leaves its group and is not found here: that takes a
//! sandbox with a process namespace.

use std::{
    collections::BTreeSet,
    io,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use rustix::process::{
    Pid, Signal, kill_process_group, test_kill_process, test_kill_process_group,
};

/// How often a group is killed before it is given up. A fork may slip through one pass.
const ROUNDS_MAX: u32 = 10;
/// The pause between two rounds.
const ROUND: Duration = Duration::from_millis(5);
/// How long the team's end waits for programs that were asked to stop.
const GRACE: Duration = Duration::from_millis(300);

/// The groups that outlived the commands which started them: servers and the like. Cheap to clone; all clones are one.
///
/// They end when the last clone is dropped, or by [`Leftovers::end`]. A process that leaves by
/// [`std::process::exit`] must call that itself.
#[derive(Debug, Clone, Default)]
pub struct Leftovers(Arc<Groups>);

#[derive(Debug, Default)]
struct Groups(Mutex<BTreeSet<i32>>);

impl Leftovers {
    /// Stops them all: first politely, after a moment for good. Blocks for at most half a second or so.
    pub fn end(&self) {
        self.0.end();
    }

    /// How many groups are still running.
    pub fn count(&self) -> usize {
        self.0.running().len()
    }

    fn add(&self, group: Pid) {
        let mut groups = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        groups.retain(|id| Pid::from_raw(*id).is_some_and(is_ours));
        groups.insert(group.as_raw_nonzero().get());
    }
}

impl Groups {
    fn running(&self) -> Vec<Pid> {
        let groups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = groups.iter().filter_map(|id| Pid::from_raw(*id));
        ids.filter(|group| is_ours(*group)).collect()
    }

    fn end(&self) {
        let asked = self.running();
        for group in &asked {
            ask_to_stop(*group);
        }
        let mut waited = Duration::ZERO;
        while waited < GRACE && asked.iter().any(|group| is_ours(*group)) {
            thread::sleep(ROUND);
            waited += ROUND;
        }
        for group in self.running() {
            for _ in 0..ROUNDS_MAX {
                if !kill(group) {
                    break;
                }
                thread::sleep(ROUND);
            }
        }
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether the group still has members and is the one that was left: its leader has ended and been waited for, so a
/// process that carries the leader's number now is a stranger's.
fn is_ours(group: Pid) -> bool {
    is_alive(group) && test_kill_process(group).is_err()
}

fn is_alive(group: Pid) -> bool {
    test_kill_process_group(group) != Err(rustix::io::Errno::SRCH)
}

/// Kills every member; false if there was none.
fn kill(group: Pid) -> bool {
    kill_process_group(group, Signal::KILL) != Err(rustix::io::Errno::SRCH)
}

/// A stopped program hears nothing until it goes on.
fn ask_to_stop(group: Pid) {
    for signal in [Signal::TERM, Signal::CONT] {
        // The group may have ended by itself, which is what is wanted.
        let _ = kill_process_group(group, signal);
    }
}

/// The group of a running command. Dropped before [`Group::leave`], it is killed.
#[derive(Debug)]
pub(crate) struct Group {
    id: Pid,
    leftovers: Leftovers,
    is_left: bool,
}

impl Group {
    /// Takes charge of the group that a new child leads.
    pub(crate) fn led_by(child: &tokio::process::Child, leftovers: Leftovers) -> io::Result<Self> {
        let id = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the shell ended before it began"))?;
        Ok(Self {
            id,
            leftovers,
            is_left: false,
        })
    }

    /// Asks every member to stop.
    pub(crate) fn ask_to_stop(&self) {
        ask_to_stop(self.id);
    }

    /// Kills every member, in rounds until there is none.
    pub(crate) async fn kill(&self) {
        for _ in 0..ROUNDS_MAX {
            if !kill(self.id) {
                return;
            }
            tokio::time::sleep(ROUND).await;
        }
    }

    /// Lets the rest of the group run on until the team ends. Its leader has been waited for.
    pub(crate) fn leave(mut self) {
        self.is_left = true;
        if is_alive(self.id) {
            self.leftovers.add(self.id);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Linux restarts a fork that races with the signal, so that one pass finds all; others get a second.
        if !self.is_left && kill(self.id) {
            kill(self.id);
        }
    }
}
