//! The processes of commands: each command is on a leash, and none of what it starts outlives the team.
//!
//! How well they are held depends on the machine: [`Containment`]. The marks, by which strays are found, are the last resort
//! everywhere.

mod containment;
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

use std::{io, path::Path, process::Stdio, sync::Arc, thread, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use teammate_core::MemberName;
use tokio::process::{Child, Command};

pub use containment::{Confines, Containment, Level};
#[cfg(target_os = "linux")]
pub use keeper::{keep_if_asked, keepers_are};
use leash::Leash;
#[cfg(not(target_os = "linux"))]
pub use leash::{keep_if_asked, keepers_are};
pub use leftovers::Leftovers;
use leftovers::Remains;
pub(crate) use mark::Mark;

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

/// A command to be started.
pub(crate) struct Shell<'a> {
    /// Whose it is.
    pub(crate) owner: &'a MemberName,
    /// The program and its arguments.
    pub(crate) words: &'a [&'a str],
    /// Where both output streams go. There is no input.
    pub(crate) output: io::PipeWriter,
    /// The directory that it begins in, and the team's.
    pub(crate) dirs: (&'a Path, &'a Path),
    pub(crate) confines: &'a Confines,
}

impl Shell<'_> {
    /// Without a keeper.
    fn untied(&self) -> io::Result<std::process::Command> {
        let (name, arguments) = self
            .words
            .split_first()
            .ok_or_else(|| io::Error::other("there is no command"))?;
        let mut command = std::process::Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(self.output.try_clone()?)
            .stderr(self.output.try_clone()?);
        Ok(command)
    }
}

/// The processes of a running command. Dropped before [`Group::leave`], they are killed.
#[derive(Debug)]
pub(crate) struct Group {
    owner: MemberName,
    held: Held,
    mark: Mark,
    leftovers: Leftovers,
    is_left: bool,
}

impl Group {
    /// Starts the command, which bears the mark, and takes charge of all that it will start.
    pub(crate) fn start(
        shell: &Shell,
        environment: impl Iterator<Item = (String, String)>,
        mark: Mark,
        leftovers: Leftovers,
    ) -> io::Result<(Self, Child)> {
        let tied = Leash::tie(shell.words, &shell.output, shell.confines, shell.dirs)?;
        let (command, leash) = match tied {
            Some((command, leash)) => (command, Some(leash)),
            None => (shell.untied()?, None),
        };
        let mut command = Command::from(command);
        let child = command
            .current_dir(shell.dirs.0)
            .env_clear()
            .envs(environment)
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        // With it goes the keeper's end of the leash.
        drop(command);
        let held = match leash {
            Some(leash) => Held::Leash(Arc::new(leash)),
            None => Held::Group(leader(&child)?),
        };
        let group = Self {
            owner: shell.owner.clone(),
            held,
            mark,
            leftovers,
            is_left: false,
        };
        Ok((group, child))
    }

    /// Asks all to stop. The shell may still run.
    pub(crate) fn ask_to_stop(&self) {
        if !self.held.ask_to_stop() {
            let told: Vec<Pid> = self.held.group().into_iter().collect();
            self.mark.ask_to_stop(&told);
        }
    }

    /// Waits until those who were asked have ended, at most so long. At once where nobody knows without looking.
    pub(crate) async fn ends_within(&self, limit: Duration) {
        if let Held::Leash(leash) = &self.held {
            let leash = leash.clone();
            let waiting = tokio::task::spawn_blocking(move || leash.is_over_within(limit));
            // What has not ended is killed next in any case.
            let _ = waiting.await;
        }
    }

    /// Kills all, in rounds until there is none.
    pub(crate) async fn kill(&self) {
        let (held, mark) = (self.held.clone(), self.mark.clone());
        let killing = tokio::task::spawn_blocking(move || kill_all(&held, &mark));
        // Only a runtime that goes down gives it up; then the drop below does it.
        let _ = killing.await;
    }

    /// Ends what the shell left, which has been waited for; true if there was anything.
    pub(crate) async fn end_rest(mut self) -> bool {
        self.is_left = true;
        let (held, mark) = (self.held.clone(), self.mark.clone());
        let ending = tokio::task::spawn_blocking(move || {
            let marks = if held.is_sure() { vec![] } else { vec![mark] };
            let was_left = held.is_left() || marks.iter().any(Mark::is_alive);
            if was_left {
                end(&[held], &marks);
            }
            was_left
        });
        ending.await.unwrap_or_default()
    }

    /// Lets the rest run on until the team ends. The shell has been waited for.
    pub(crate) fn leave(mut self) {
        self.is_left = true;
        if self.held.is_left() {
            self.leftovers.add(Remains {
                owner: self.owner.clone(),
                held: self.held.clone(),
                mark: self.mark.clone(),
            });
        }
    }
}

/// The group that a new child leads.
fn leader(child: &Child) -> io::Result<Pid> {
    child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw)
        .ok_or_else(|| io::Error::other("the shell ended before it began"))
}

fn kill_all(held: &Held, mark: &Mark) {
    if held.is_sure() {
        held.kill();
    } else {
        in_rounds(|| {
            let was_held = held.kill();
            mark.kill() > 0 || was_held
        });
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_left {
            kill_all(&self.held, &self.mark);
        }
    }
}
