//! The processes of commands: all that one starts is in its process group or bears its mark, and none outlives the team.

mod mark;
mod table;

use std::{
    collections::BTreeSet,
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};

pub(crate) use mark::Mark;

/// Whether this process runs in a command of the team in this directory: then whoever started it is a member, not the person.
/// `value` reads its environment.
pub fn is_within_team(team_dir: &Path, value: impl Fn(&str) -> Option<String>) -> bool {
    Mark::of_team(team_dir).is_ours(value)
}

/// How often what does not end is killed before it is given up. A fork may slip through one pass.
const ROUNDS_MAX: u32 = 20;
/// The pause between two rounds.
const ROUND: Duration = Duration::from_millis(5);
/// How long programs that were asked to stop are waited for at the team's end.
const GRACE: Duration = Duration::from_millis(300);

/// What outlived the commands that started it: servers and the like. Cheap to clone; all clones are one.
///
/// They end when the last clone is dropped, or by [`Leftovers::end`]. A process that leaves by
/// [`std::process::exit`] must call that itself.
#[derive(Debug, Clone, Default)]
pub struct Leftovers(Arc<Left>);

#[derive(Debug, Default)]
struct Left(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    groups: BTreeSet<i32>,
    teams: BTreeSet<Mark>,
}

impl Leftovers {
    /// Stops them all: first politely, after a moment for good. Blocks for at most half a second or so.
    pub fn end(&self) {
        self.0.end();
    }

    /// How many groups are still running.
    pub fn count(&self) -> usize {
        self.0.groups().len()
    }

    /// Ends what a killed host of the team in this directory left running; true if there was anything. Only whoever holds
    /// the team may call this.
    pub fn end_strays(team_dir: &Path) -> bool {
        let mark = Mark::of_team(team_dir);
        let is_alive = mark.is_alive();
        if is_alive {
            end(&[], &[mark]);
        }
        is_alive
    }

    /// From now on, what bears this mark ends with the team.
    pub(crate) fn take_care_of(&self, team: Mark) {
        self.0.lock().teams.insert(team);
    }

    fn add(&self, group: Pid) {
        let groups = &mut self.0.lock().groups;
        groups.retain(|id| Pid::from_raw(*id).is_some_and(is_ours));
        groups.insert(group.as_raw_nonzero().get());
    }
}

impl Left {
    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn groups(&self) -> Vec<Pid> {
        let known = self.lock();
        let ids = known.groups.iter().filter_map(|id| Pid::from_raw(*id));
        ids.filter(|group| is_ours(*group)).collect()
    }

    fn end(&self) {
        let teams: Vec<Mark> = self.lock().teams.iter().cloned().collect();
        end(&self.groups(), &teams);
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends groups whose leaders are gone and what bears the marks: asks, waits a moment, kills.
fn end(groups: &[Pid], marks: &[Mark]) {
    for group in groups {
        ask_to_stop(*group);
    }
    for mark in marks {
        mark.ask_to_stop(groups);
    }
    let is_any_left =
        || groups.iter().any(|group| is_ours(*group)) || marks.iter().any(Mark::is_alive);
    let mut waited = Duration::ZERO;
    while waited < GRACE && is_any_left() {
        thread::sleep(ROUND);
        waited += ROUND;
    }
    in_rounds(|| {
        let mut found = false;
        for group in groups.iter().filter(|group| is_ours(**group)) {
            found |= kill(*group);
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

/// The processes of a running command. Dropped before [`Group::leave`], they are killed.
#[derive(Debug)]
pub(crate) struct Group {
    id: Pid,
    mark: Mark,
    leftovers: Leftovers,
    is_left: bool,
}

impl Group {
    /// Takes charge of the group that a new child leads, and of what bears its mark.
    pub(crate) fn led_by(
        child: &tokio::process::Child,
        mark: Mark,
        leftovers: Leftovers,
    ) -> io::Result<Self> {
        let id = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the shell ended before it began"))?;
        Ok(Self {
            id,
            mark,
            leftovers,
            is_left: false,
        })
    }

    /// Asks all to stop. Its leader may still run.
    pub(crate) fn ask_to_stop(&self) {
        ask_to_stop(self.id);
        self.mark.ask_to_stop(&[self.id]);
    }

    /// Kills all, in rounds until there is none.
    pub(crate) async fn kill(&self) {
        let (id, mark) = (self.id, self.mark.clone());
        let killing = tokio::task::spawn_blocking(move || in_rounds(|| kill_all(id, &mark)));
        // Only a runtime that goes down gives it up; then the drop below does it.
        let _ = killing.await;
    }

    /// Ends what the leader left, which has been waited for; true if there was anything.
    pub(crate) async fn end_rest(mut self) -> bool {
        self.is_left = true;
        let (id, mark) = (self.id, self.mark.clone());
        let ending = tokio::task::spawn_blocking(move || {
            let was_alive = is_ours(id) || mark.is_alive();
            if was_alive {
                end(&[id], &[mark]);
            }
            was_alive
        });
        ending.await.unwrap_or_default()
    }

    /// Lets the rest run on until the team ends. The leader has been waited for.
    pub(crate) fn leave(mut self) {
        self.is_left = true;
        if table::is_alive(self.id) {
            self.leftovers.add(self.id);
        }
    }
}

/// False if there was nothing to kill.
fn kill_all(group: Pid, mark: &Mark) -> bool {
    let was_group = kill(group);
    mark.kill() > 0 || was_group
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_left {
            in_rounds(|| kill_all(self.id, &self.mark));
        }
    }
}
