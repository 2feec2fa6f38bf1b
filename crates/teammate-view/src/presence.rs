//! The presence of a team on servers, as far as those say who were asked: which worker holds a member, and which do not
//! answer.

use crate::t;
use std::collections::BTreeSet;

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{LockHolder, SeenPresence},
};

use crate::TeamView;

impl TeamView {
    /// The worker that holds a member; nothing where one process runs them all.
    pub fn worker_of(&self, member: &MemberName) -> Option<&WorkerName> {
        match self.presence().holder {
            // It runs them all, also those that others had before.
            Some(LockHolder::Process { .. } | LockHolder::Unnamed) => return None,
            Some(LockHolder::Workers { .. }) | None => {}
        }
        let placement = self.team().places().placement(member)?;
        placement.worker.as_ref()
    }

    /// The news in this answer, a line each.
    pub fn presence_news(&self, seen: &SeenPresence) -> Vec<String> {
        if seen.holder.is_none() {
            // That says it of all of them.
            let is_news = self.presence().holder.is_some();
            return is_news
                .then(|| t("nobody runs the team now").to_owned())
                .into_iter()
                .collect();
        }
        let before: BTreeSet<&WorkerName> = self.presence().silent.iter().collect();
        let now: BTreeSet<&WorkerName> = seen.silent.iter().collect();
        let places = self.team().places();
        let lost = now.difference(&before).filter_map(|worker| {
            let held: Vec<&str> = places
                .held_by(worker)
                .map(|(name, _)| name.as_str())
                .collect();
            // Of one that has nobody nothing depends.
            (!held.is_empty()).then(|| {
                let held = held.join(", ");
                t!("worker '{worker}' does not answer; it has {held}, whom another worker takes over if one can", worker, held)
            })
        });
        // One that has left is none that answers again.
        let is_there = |worker: &&&WorkerName| places.worker(worker).is_some();
        let back = before.difference(&now).filter(is_there);
        let back = back.map(|worker| t!("worker '{worker}' answers again", worker));
        lost.chain(back).collect()
    }
}

#[cfg(test)]
mod tests;
