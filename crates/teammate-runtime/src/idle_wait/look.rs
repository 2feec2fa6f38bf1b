//! Looks whether other workers rest, too. A worker is asked once it has said in a beat that it rests, and all are asked twice:
//! between two looks that find the same, with nothing in any log that was not read, nobody did anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{BoxFuture, FleetAnswer, FleetQuestion, FleetReply, WorkerRest},
};
use teammate_fleet::{DoubleLook, Look, RestVerdict, Resting};

use super::{
    AskRest, IdleWait, RestKind,
    own::{JOURNAL, mail_log, seen},
};
use crate::workers::held::{Tenures, holders};

/// How long a worker may take to answer. It may wait for the journal meanwhile.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The pause before logs that could not be read are looked at again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The other workers, as this one asks them.
pub(crate) struct OtherWorkers(pub(crate) Arc<Tenures>);

impl RestKind {
    fn is_met_by(self, rest: &WorkerRest) -> bool {
        match self {
            Self::Everything => !rest.is_waiting && !rest.has_jobs,
            Self::Members => !rest.is_waiting,
            Self::Stalled => true,
        }
    }
}

impl AskRest for OtherWorkers {
    fn others_rest<'a>(
        &'a self,
        here: &'a IdleWait,
        wanted: RestKind,
        except: Option<&'a MemberName>,
    ) -> BoxFuture<'a, bool> {
        Box::pin(self.rest(here, wanted, except))
    }
}

impl OtherWorkers {
    async fn rest(&self, here: &IdleWait, wanted: RestKind, except: Option<&MemberName>) -> bool {
        let mut changes = here.base.activity.changes();
        let mut twice = DoubleLook::default();
        while let Some(look) = self.look(here, wanted, except).await {
            match twice.take(look) {
                RestVerdict::Rests => return true,
                RestVerdict::LookAgain => {}
                RestVerdict::Works => {
                    self.doubt_all(here);
                    break;
                }
            }
        }
        // The sender lives as long as `here`.
        let _ = changes.changed().await;
        false
    }

    /// One look; `None` if somebody works, is not heard, or does not answer.
    async fn look(
        &self,
        here: &IdleWait,
        wanted: RestKind,
        except: Option<&MemberName>,
    ) -> Option<Look> {
        let own = here.own_rest(except);
        let own = own.filter(|rest| wanted.is_met_by(rest))?;
        let own_name = &self.0.role.name;
        let mut holders = holders(&here.base.ledger.team())?;
        let mut rests = BTreeMap::from([(own_name.clone(), own)]);
        for worker in holders.keys().filter(|worker| *worker != own_name) {
            let rest = self.ask(here, worker).await?;
            rests.insert(worker.clone(), rest);
        }
        if let Some(member) = except {
            holders.values_mut().for_each(|held| {
                held.remove(member);
            });
        }
        let is_met = |rest: &WorkerRest| wanted.is_met_by(rest);
        if !rests.values().all(is_met) || !all_are_seated(&holders, &rests) {
            return None;
        }
        let Some(ends) = ends(here, rests.values()).await else {
            // Nothing else would say that the engine answers again.
            tokio::time::sleep(LOOK_AGAIN_AFTER).await;
            here.base.activity.recheck();
            return None;
        };
        let rests = rests.iter();
        let rests =
            rests.map(|(worker, rest)| (worker.clone(), Some(Resting { seen: seen(rest) })));
        let workers = rests.collect();
        Some(Look { workers, ends })
    }

    /// Asks a worker that has said that it rests. If it says otherwise, or nothing, its next beat is waited for.
    async fn ask(&self, here: &IdleWait, worker: &WorkerName) -> Option<WorkerRest> {
        if !self.0.is_resting(worker) {
            return None;
        }
        let journal = here.base.ledger.length().get();
        let question = FleetQuestion::Rest { journal };
        match self.0.role.wire.ask(worker, &question, ANSWER_WITHIN).await {
            FleetReply::Answered(FleetAnswer::Rest(Some(rest))) => Some(rest),
            FleetReply::Answered(_) | FleetReply::Nobody | FleetReply::Silent => {
                self.0.doubt(worker);
                None
            }
        }
    }

    /// Doubts all answers, which did not fit together: the next beats are news, whatever they say.
    fn doubt_all(&self, here: &IdleWait) {
        let team = here.base.ledger.team();
        let workers = team.places().workers().map(|(worker, _)| worker);
        for worker in workers.filter(|worker| **worker != self.0.role.name) {
            self.0.doubt(worker);
        }
    }
}

/// Where the logs end that these workers read; `None` where a log cannot be read now.
async fn ends<'a>(
    here: &IdleWait,
    rests: impl Iterator<Item = &'a WorkerRest>,
) -> Option<BTreeMap<String, u64>> {
    let ports = &here.base.ports;
    let mut ends = BTreeMap::new();
    for (member, read) in rests.flat_map(|rest| &rest.mail) {
        if read.is_some()
            && let Some(end) = ports.mailbox.end(member).await.ok()?
        {
            ends.insert(mail_log(member), end);
        }
    }
    let known = here.base.ledger.length().get();
    let more = ports.journal.read(known).await.ok()?;
    ends.insert(JOURNAL.to_owned(), known + more.records.len() as u64);
    Some(ends)
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
