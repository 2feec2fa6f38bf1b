//! This worker's words about its own rest: in each beat, and when it is asked.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{FleetAnswer, WorkerRest},
};

use super::IdleWait;

/// How long a question waits for the journal to be read as far as its asker has.
const READ_UP_WITHIN: Duration = Duration::from_secs(1);

/// The words of this worker about its own rest.
pub(crate) struct OwnRest {
    here: Arc<IdleWait>,
    signed: Mutex<Signed>,
}

/// The last words about the state of rest.
#[derive(Debug, Default)]
struct Signed {
    rest: Option<WorkerRest>,
    /// How often it has changed.
    count: u64,
}

impl IdleWait {
    /// The rest of the members that run here, all but `except`; `None` while there is something to do or to be stored.
    pub(super) fn own_rest(&self, except: Option<&MemberName>) -> Option<WorkerRest> {
        // Read before what follows from it: too little is never rest.
        let journal = self.base.ledger.length().get();
        let reading = self.base.activity.reading(except)?;
        self.has_nothing_of_its_own_to_begin().then(|| WorkerRest {
            journal,
            mail: reading.mail,
            is_waiting: reading.is_waiting,
            has_jobs: !self.base.activity.has_no_jobs(),
        })
    }
}

impl OwnRest {
    pub(crate) fn of(here: Arc<IdleWait>) -> Self {
        Self {
            here,
            signed: Mutex::default(),
        }
    }

    /// The state of rest in a beat: in which one the worker is, counted.
    pub(crate) fn sign(&self) -> Option<u64> {
        let rest = self.here.own_rest(None);
        let mut signed = self.signed.hold();
        if signed.rest != rest {
            signed.rest = rest;
            signed.count += 1;
        }
        signed.rest.is_some().then_some(signed.count)
    }

    /// Resolves when the worker has begun to rest since its last beat, or rests otherwise than it said: a beat says so at once. That
    /// it has read more of the journal can wait for the next beat: who asks says how far it must be.
    pub(crate) async fn sign_is_old(&self) {
        let mut changes = self.here.base.activity.changes();
        while !self.rests_otherwise() {
            // The sender lives as long as self.
            let _ = changes.changed().await;
        }
    }

    fn rests_otherwise(&self) -> bool {
        let Some(now) = self.here.own_rest(None) else {
            return false;
        };
        let signed = self.signed.hold();
        let told = |rest: &WorkerRest| (rest.mail.clone(), rest.is_waiting, rest.has_jobs);
        signed.rest.as_ref().map(told) != Some(told(&now))
    }

    /// The answer to [`FleetQuestion::Rest`](teammate_core::port::FleetQuestion::Rest).
    pub(crate) async fn answer_rest(&self, journal: u64) -> FleetAnswer {
        let length = self.here.base.ledger.length();
        let mut changes = self.here.base.ledger.changes();
        let read_up = async { while length.get() < journal && changes.changed().await.is_ok() {} };
        // Too short a journal is not rest: the answer says how much was read.
        let _ = tokio::time::timeout(READ_UP_WITHIN, read_up).await;
        FleetAnswer::Rest(self.here.own_rest(None))
    }
}

/// How far logs were read: the journal and members' mail, each by a name.
pub(super) fn seen(rest: &WorkerRest) -> BTreeMap<String, u64> {
    let mail = rest.mail.iter();
    let mail = mail.filter_map(|(name, read)| Some((mail_log(name), (*read)?)));
    mail.chain([(JOURNAL.to_owned(), rest.journal)]).collect()
}

/// The journal among the logs.
pub(super) const JOURNAL: &str = "journal";

/// A member's mail among the logs.
pub(super) fn mail_log(of: &MemberName) -> String {
    format!("mail/{of}")
}
