//! The processes of a team: commands of members, programs ([`HeldPrograms`]) and git, started in the sandbox of the team
//! ([`TeamSandbox`]) with the environment that they may see. None of what a command starts outlives the team.
//!
//! Where commands have no namespaces a command may let a process get away: it is found by a mark in its environment.

pub mod blocking;
mod brief;
mod closed_files;
pub mod environment;
pub mod git;
mod group;
mod known_files;
mod leftovers;
mod listening;
mod mark;
mod programs;
mod repositories;
pub mod resolved;
mod streams;
mod table;
mod team_sandbox;
mod waiting;

use std::{path::Path, thread, time::Duration};

use teammate_sandbox::Running;

pub use brief::{Brief, BriefEnd};
pub use group::{CommandProcesses, HeldCommand, Owner, look};
pub use leftovers::Leftovers;
pub use listening::listens;
pub use mark::Mark;
pub use programs::{HeldPrograms, find_program};
pub use repositories::has_sound_ignore_files;
pub use streams::{Errors, fed};
pub use table::{Use, use_of};
pub use team_sandbox::{TeamSandbox, is_guarded};
pub use waiting::{WaitingProcess, WaitsFor, waiting, waits_in_vain};

/// How many directories deep a path in a workspace may lead, for the file tools and for searches. No project comes near.
pub const DEPTH_MAX: usize = 512;

/// The directory of worktrees, below a team's own.
pub const WORKTREES: &str = "worktrees";

/// True if this process runs in a command of the team in this directory, so that a member started it
/// and not the user. `value` reads its environment.
pub fn is_within_team(team_dir: &Path, value: impl Fn(&str) -> Option<String>) -> bool {
    Mark::of_team(team_dir).is_ours(value)
}

/// True if this process runs in a command of any team, as far as its environment tells.
pub fn is_members_command() -> bool {
    Mark::is_any_in_environment()
}

/// How often what does not end is killed before it is given up. A fork may slip through one pass.
const ROUNDS_MAX: u32 = 20;
/// The pause between two rounds.
const ROUND: Duration = Duration::from_millis(5);
/// How long programs that were asked to stop are waited for at the team's end.
const GRACE: Duration = Duration::from_millis(300);

/// Ends commands whose shells are gone, and what bears the marks: asks, waits a moment, kills.
fn end(commands: &[Running], marks: &[Mark]) {
    for command in commands {
        ask_to_stop(command, marks);
    }
    let is_any_left = || commands.iter().any(Running::is_left) || marks.iter().any(Mark::is_alive);
    let mut waited = Duration::ZERO;
    while waited < GRACE && is_any_left() {
        thread::sleep(ROUND);
        waited += ROUND;
    }
    for command in commands {
        command.end();
    }
    for command in commands {
        command.kill();
    }
    kill_marked(marks);
}

/// Kills what bears the marks, in rounds until there is none.
fn kill_marked(marks: &[Mark]) {
    if !marks.is_empty() {
        in_rounds(|| marks.iter().map(Mark::kill).sum::<usize>() > 0);
    }
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

/// Asks by the marks where there are any: twice might be taken for haste.
fn ask_to_stop(command: &Running, marks: &[Mark]) {
    if marks.is_empty() {
        command.ask_to_stop();
    }
    marks.iter().for_each(Mark::ask_to_stop);
}
