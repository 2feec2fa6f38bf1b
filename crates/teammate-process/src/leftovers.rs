//! Processes that commands left running: by whose they are, so that they end with their owner, and all of them with the team.

use std::{
    collections::BTreeSet,
    mem,
    path::Path,
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{BoxFuture, MemberProcesses},
};

use teammate_sandbox::Running;

use crate::{Mark, end};

/// Processes that outlived the commands that started them: servers and the like. Cheap to clone; all clones are one.
///
/// They end with their owner ([`MemberProcesses`]), when the last clone is dropped, or by [`Leftovers::end`]. A process that leaves by
/// [`std::process::exit`] must call that itself.
#[derive(Debug, Clone, Default)]
pub struct Leftovers(Arc<Left>);

#[derive(Debug, Default)]
struct Left(Mutex<KnownRemains>);

#[derive(Debug, Default)]
struct KnownRemains {
    remains: Vec<Remains>,
    teams: BTreeSet<Mark>,
}

/// The processes that one command left.
#[derive(Debug)]
pub(crate) struct Remains {
    pub(crate) owner: MemberName,
    pub(crate) running: Running,
    /// The mark that they bear, where processes may get away.
    pub(crate) mark: Option<Mark>,
}

impl Remains {
    pub(crate) fn is_left(&self) -> bool {
        self.running.is_left() || self.mark.as_ref().is_some_and(Mark::is_alive)
    }
}

impl Leftovers {
    /// Stops them all: first politely, after a moment for good. Blocks for at most half a second or so.
    pub fn end(&self) {
        self.0.end();
    }

    /// How many commands left something that is still running.
    pub fn count(&self) -> usize {
        self.0.0.hold().count()
    }

    /// Ends what a killed host of the team in this directory left running; true if there was anything. Only
    /// the holder of the team's lock may call this.
    pub fn end_strays(team_dir: &Path) -> bool {
        let mark = Mark::of_team(team_dir);
        let is_alive = mark.is_alive();
        if is_alive {
            end(&[], &[mark]);
        }
        is_alive
    }

    /// From now on, what bears this mark ends with the team.
    pub fn take_care_of(&self, team: Mark) {
        self.0.0.hold().teams.insert(team);
    }

    pub(crate) fn add(&self, remains: Remains) {
        let known = &mut self.0.0.hold().remains;
        known.retain(Remains::is_left);
        known.push(remains);
    }
}

impl MemberProcesses for Leftovers {
    fn end_member<'a>(&'a self, member: &'a MemberName) -> BoxFuture<'a, ()> {
        let its: Vec<Remains> = {
            let known = &mut self.0.0.hold().remains;
            known
                .extract_if(.., |remains| remains.owner == *member)
                .collect()
        };
        Box::pin(async move {
            if !its.is_empty() {
                // Only a runtime that goes down gives it up; then dropping them has killed all.
                let _ = tokio::task::spawn_blocking(move || end_all(its, [])).await;
            }
        })
    }
}

fn end_all(remains: Vec<Remains>, marks: impl IntoIterator<Item = Mark>) {
    let (commands, own): (Vec<_>, Vec<_>) = remains
        .into_iter()
        .map(|remains| (remains.running, remains.mark))
        .unzip();
    let marks: Vec<Mark> = own.into_iter().flatten().chain(marks).collect();
    end(&commands, &marks);
}

impl KnownRemains {
    fn count(&mut self) -> usize {
        self.remains.retain(Remains::is_left);
        self.remains.len()
    }
}

impl Left {
    fn end(&self) {
        let (remains, teams) = {
            let known = &mut *self.0.hold();
            (mem::take(&mut known.remains), known.teams.clone())
        };
        end_all(remains, teams);
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        self.end();
    }
}
