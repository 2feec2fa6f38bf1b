//! Looks whether other workers rest, too. A worker is asked once it has said in a beat that it rests, and all are asked twice:
//! between two looks that find the same, with nothing in any log that was not read, nobody did anything.
//!
//! Nothing of this costs anything where one process runs the team.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{FleetAnswer, FleetQuestion, FleetReply, WorkerRest},
};
use teammate_fleet::{DoubleLook, Look, RestVerdict, Resting};

use super::{
    IdleWait,
    own::{JOURNAL, mail_log, seen},
};
use crate::worker_role::WorkerRole;

/// How long a worker may take to answer. It may wait for the journal meanwhile.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The pause before logs that could not be read are looked at again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Which rest is waited for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rest<'a> {
    /// Members are idle and nothing runs in the background.
    Everything,
    /// Members are idle.
    Members,
    /// Members are idle, all but this one, which waits for it.
    AllBut(&'a MemberName),
    /// Members are idle or wait for the others.
    Stalled,
}

impl Rest<'_> {
    fn is_met_by(self, rest: &WorkerRest) -> bool {
        match self {
            Self::Everything => !rest.is_waiting && !rest.has_jobs,
            Self::Members | Self::AllBut(_) => !rest.is_waiting,
            Self::Stalled => true,
        }
    }

    fn except(self) -> Option<MemberName> {
        match self {
            Self::AllBut(member) => Some(member.clone()),
            Self::Everything | Self::Members | Self::Stalled => None,
        }
    }
}

impl IdleWait {
    /// Whether the whole team rests, given that the members here do. If not, resolves when something has changed since.
    pub(super) async fn others_rest(&self, wanted: Rest<'_>) -> bool {
        let Some(role) = &self.base.ports.worker else {
            return true;
        };
        let mut changes = self.base.activity.changes();
        let mut twice = DoubleLook::default();
        while let Some(look) = self.look(role, wanted).await {
            match twice.take(look) {
                RestVerdict::Rests => return true,
                RestVerdict::LookAgain => {}
                RestVerdict::Works => {
                    self.doubt_all(role);
                    break;
                }
            }
        }
        // The sender lives as long as self.
        let _ = changes.changed().await;
        false
    }

    /// One look; `None` if somebody works, is not heard, or does not answer.
    async fn look(&self, role: &WorkerRole, wanted: Rest<'_>) -> Option<Look> {
        let except = wanted.except();
        let own = self.own_rest(except.as_ref());
        let own = own.filter(|rest| wanted.is_met_by(rest))?;
        let mut holders = self.base.holders()?;
        let mut rests = BTreeMap::from([(role.name.clone(), own)]);
        for worker in holders.keys().filter(|worker| **worker != role.name) {
            let rest = self.ask(role, worker).await?;
            rests.insert(worker.clone(), rest);
        }
        if let Some(member) = &except {
            holders.values_mut().for_each(|held| {
                held.remove(member);
            });
        }
        let is_met = |rest: &WorkerRest| wanted.is_met_by(rest);
        if !rests.values().all(is_met) || !all_are_seated(&holders, &rests) {
            return None;
        }
        let Some(ends) = self.ends(rests.values()).await else {
            // Nothing else would say that the engine answers again.
            tokio::time::sleep(LOOK_AGAIN_AFTER).await;
            self.base.activity.recheck();
            return None;
        };
        let rests = rests.iter();
        let rests =
            rests.map(|(worker, rest)| (worker.clone(), Some(Resting { seen: seen(rest) })));
        let workers = rests.collect();
        Some(Look { workers, ends })
    }

    /// Asks a worker that has said that it rests. If it says otherwise, or nothing, its next beat is waited for.
    async fn ask(&self, role: &WorkerRole, worker: &WorkerName) -> Option<WorkerRest> {
        if !self.base.activity.is_resting(worker) {
            return None;
        }
        let journal = self.base.ledger.length().get();
        let question = FleetQuestion::Rest { journal };
        match role.wire.ask(worker, &question, ANSWER_WITHIN).await {
            FleetReply::Answered(FleetAnswer::Rest(Some(rest))) => Some(rest),
            FleetReply::Answered(_) | FleetReply::Nobody | FleetReply::Silent => {
                self.base.activity.doubt(worker);
                None
            }
        }
    }

    /// Where the logs end that these workers read; `None` where a log cannot be read now.
    async fn ends<'a>(
        &self,
        rests: impl Iterator<Item = &'a WorkerRest>,
    ) -> Option<BTreeMap<String, u64>> {
        let ports = &self.base.ports;
        let mut ends = BTreeMap::new();
        for (member, read) in rests.flat_map(|rest| &rest.mail) {
            if read.is_some()
                && let Some(end) = ports.mailbox.end(member).await.ok()?
            {
                ends.insert(mail_log(member), end);
            }
        }
        let known = self.base.ledger.length().get();
        let more = ports.journal.read(known).await.ok()?;
        ends.insert(JOURNAL.to_owned(), known + more.records.len() as u64);
        Some(ends)
    }

    /// Doubts all answers, which did not fit together: the next beats are news, whatever they say.
    fn doubt_all(&self, role: &WorkerRole) {
        let team = self.base.ledger.team();
        let workers = team.places().workers().map(|(worker, _)| worker);
        for worker in workers.filter(|worker| **worker != role.name) {
            self.base.activity.doubt(worker);
        }
    }
}

/// Whether each member runs at the worker that holds it.
fn all_are_seated(
    holders: &BTreeMap<WorkerName, BTreeSet<MemberName>>,
    rests: &BTreeMap<WorkerName, WorkerRest>,
) -> bool {
    holders.iter().all(|(worker, held)| {
        let rest = rests.get(worker);
        rest.is_some_and(|rest| held.iter().all(|member| rest.mail.contains_key(member)))
    })
}
