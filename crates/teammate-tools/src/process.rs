//! The processes of commands: each command is on a leash, and none of what it starts outlives the team.
//!
//! How well they are held depends on the machine: [`Containment`]. The marks, by which strays are found, are the last resort
//! everywhere.

mod containment;
mod errors;
mod group;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg_attr(not(target_os = "linux"), path = "process/unleashed.rs")]
mod leash;
mod leftovers;
mod mark;
#[cfg(target_os = "linux")]
mod plan;
#[cfg(target_os = "linux")]
mod room;
#[cfg(target_os = "linux")]
mod sys;
mod table;

use std::{sync::Arc, thread, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};

pub use containment::{Confines, Containment};
pub(crate) use errors::Errors;
pub(crate) use group::{Group, Shell};
#[cfg(target_os = "linux")]
pub use keeper::{keep_if_asked, keepers_are};
use leash::Leash;
#[cfg(not(target_os = "linux"))]
pub use leash::{keep_if_asked, keepers_are};
pub use leftovers::Leftovers;
pub(crate) use mark::Mark;
#[cfg(not(target_os = "linux"))]
pub(crate) use std::convert::identity as end_with_caller;
#[cfg(target_os = "linux")]
pub(crate) use sys::end_with_caller;
#[cfg(target_os = "linux")]
pub use sys::utc_offset;
pub(crate) use table::{Use, use_of};

/// How many seconds the local time is ahead of UTC at a moment. Not known here.
#[cfg(not(target_os = "linux"))]
pub fn utc_offset(_: i64) -> Option<i64> {
    None
}

/// True if this process runs in a command of the team in this directory, so that a member started it
/// and not the user. `value` reads its environment.
pub fn is_within_team(team_dir: &std::path::Path, value: impl Fn(&str) -> Option<String>) -> bool {
    Mark::of_team(team_dir).is_ours(value)
}

/// The exit code of a keeper that could not start the command, as shells have it.
pub(crate) const NO_SHELL: i32 = 126;
/// What is printed then, and why follows.
pub(crate) const NOT_STARTED: &str = "The shell could not be started: ";

/// How often what does not end is killed before it is given up. A fork may slip through one pass.
const ROUNDS_MAX: u32 = 20;
/// The pause between two rounds.
const ROUND: Duration = Duration::from_millis(5);
/// How long programs that were asked to stop are waited for at the team's end.
const GRACE: Duration = Duration::from_millis(300);

/// Ends what is held, whose shells are gone, and what bears the marks: asks, waits a moment, kills.
fn end(held: &[Held], marks: &[Mark]) {
    for held in held {
        held.ask_to_stop();
    }
    let told: Vec<Pid> = held.iter().filter_map(Held::group).collect();
    for mark in marks {
        mark.ask_to_stop(&told);
    }
    let is_any_left = || held.iter().any(Held::is_left) || marks.iter().any(Mark::is_alive);
    let mut waited = Duration::ZERO;
    while waited < GRACE && is_any_left() {
        thread::sleep(ROUND);
        waited += ROUND;
    }
    in_rounds(|| {
        let mut found = false;
        for held in held.iter().filter(|held| held.is_left()) {
            found |= held.kill();
        }
        for mark in marks {
            found |= mark.kill() > 0;
        }
        found
    });
}

/// Again and again until nothing is found, twice: a program that has just been replaced by another is not seen.
fn in_rounds(mut finds: impl FnMut() -> bool) {
    let mut found_before = true;
    for _ in 0..ROUNDS_MAX {
        let has_found = finds();
        if !has_found && !found_before {
            return;
        }
        found_before = has_found;
        thread::sleep(ROUND);
    }
}

/// Whether the group still has members and is the one that was left: its leader has ended and been waited for, so a
/// process that carries the leader's number now is a stranger's.
fn is_ours(group: Pid) -> bool {
    table::is_alive(group) && test_kill_process(group).is_err()
}

/// Kills every member; false if there was none.
fn kill(group: Pid) -> bool {
    let was_alive = table::is_alive(group);
    // It may have ended by itself, which is what is wanted.
    let _ = kill_process_group(group, Signal::KILL);
    was_alive
}

/// A stopped program hears nothing until it goes on.
fn ask_to_stop(group: Pid) {
    for signal in [Signal::TERM, Signal::CONT] {
        // The group may have ended by itself, which is what is wanted.
        let _ = kill_process_group(group, signal);
    }
}

/// By what the processes of a command are held.
#[derive(Debug, Clone)]
enum Held {
    Leash(Arc<Leash>),
    Group(Pid),
}

impl Held {
    /// Whether anything is left; the shell has been waited for.
    fn is_left(&self) -> bool {
        match self {
            Self::Leash(leash) => leash.is_alive(),
            Self::Group(group) => is_ours(*group),
        }
    }

    /// False if only marks find all that there is to ask.
    fn ask_to_stop(&self) -> bool {
        match self {
            Self::Leash(leash) => leash.ask_to_stop(),
            Self::Group(group) => {
                ask_to_stop(*group);
                false
            }
        }
    }

    /// Kills all; false if there was nothing to kill.
    fn kill(&self) -> bool {
        match self {
            Self::Leash(leash) => {
                let was_alive = leash.is_alive();
                leash.end();
                was_alive
            }
            Self::Group(group) => kill(*group),
        }
    }

    /// Whether nobody can have got away.
    fn is_sure(&self) -> bool {
        match self {
            Self::Leash(leash) => leash.is_sure(),
            Self::Group(_) => false,
        }
    }

    fn group(&self) -> Option<Pid> {
        match self {
            Self::Leash(_) => None,
            Self::Group(group) => Some(*group),
        }
    }
}
