//! The members that this worker holds, and its answers to the rest of the runtime, which follow from that. It decides nothing: the
//! machine says whom it holds.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    lock::Hold,
    name::WorkerName,
    port::{BoxFuture, Fleet, Governors, OpenTranscript, TranscriptError, TranscriptStore},
    team::{Beat, Holding, Member, MemberPhase, Right, TeamState, Term},
    transcript::Entry,
};
use tokio::sync::{Notify, watch};

use crate::{deployment::Deployment, worker_role::WorkerRole};

/// The members that a worker holds, and what it has heard of other workers.
pub(crate) struct Tenures {
    pub(crate) role: WorkerRole,
    held: Mutex<BTreeMap<MemberName, Term>>,
    /// Transcripts that were taken over, until the member's driver begins.
    pub(super) taken: Mutex<BTreeMap<MemberName, (Term, OpenTranscript)>>,
    /// Whether something may begin: not while the worker does not hear itself, or holds members less well than the team demands.
    may_begin: watch::Sender<bool>,
    /// The workers that get no members now, as far as this worker hears.
    unfit: Mutex<BTreeSet<WorkerName>>,
    /// The workers that rest, as far as they were heard, each with the count of its changes.
    resting: Mutex<BTreeMap<WorkerName, u64>>,
    /// Members whose transcript somebody else has appended to, and nobody has looked at yet: each once, however often it refuses.
    fenced: Mutex<BTreeSet<MemberName>>,
    /// One was added to them.
    is_fenced: Notify,
}

impl Tenures {
    /// A worker that holds nobody yet.
    pub(crate) fn of(role: WorkerRole) -> Self {
        Self {
            role,
            held: Mutex::default(),
            taken: Mutex::default(),
            may_begin: watch::Sender::new(true),
            unfit: Mutex::default(),
            resting: Mutex::default(),
            fenced: Mutex::default(),
            is_fenced: Notify::new(),
        }
    }

    /// Under which term the member is held here.
    pub(crate) fn term_of(&self, member: &MemberName) -> Option<Term> {
        self.held.hold().get(member).copied()
    }

    /// Whose transcript has refused an append: waits for one. May be given up and called again.
    pub(super) async fn next_fenced(&self) -> MemberName {
        loop {
            let next = self.fenced.hold().pop_first();
            if let Some(member) = next {
                return member;
            }
            self.is_fenced.notified().await;
        }
    }

    /// The member is held under this term.
    pub(super) fn hold(&self, member: &MemberName, term: Term) {
        self.held.hold().insert(member.clone(), term);
    }

    /// The member is no longer held under this term.
    pub(super) fn let_go(&self, member: &MemberName, term: Term) {
        let mut held = self.held.hold();
        if held.get(member) == Some(&term) {
            held.remove(member);
        }
        drop(held);
        self.taken
            .hold()
            .retain(|name, (of, _)| name != member || *of != term);
    }

    /// The member's driver has begun, or does not: its transcript is kept open for nobody.
    pub(super) fn forget_taken(&self, member: &MemberName) {
        self.taken.hold().remove(member);
    }

    pub(super) fn set_may_begin(&self, may_begin: bool) {
        self.may_begin.send_if_modified(|could| {
            let changes = *could != may_begin;
            *could = may_begin;
            changes
        });
    }

    pub(super) fn set_unfit(&self, unfit: BTreeSet<WorkerName>) {
        *self.unfit.hold() = unfit;
    }

    /// A worker, perhaps this one, has said whether it rests. Whether that is new.
    pub(crate) fn hear(&self, beat: &Beat) -> bool {
        let before = match beat.rests {
            Some(count) => self.resting.hold().insert(beat.worker.clone(), count),
            None => self.resting.hold().remove(&beat.worker),
        };
        before != beat.rests
    }

    /// Doubts what this worker said of its rest: its next beat is news.
    pub(crate) fn doubt(&self, worker: &WorkerName) {
        self.resting.hold().remove(worker);
    }

    /// Whether this worker last said that it rests.
    pub(crate) fn is_resting(&self, worker: &WorkerName) -> bool {
        self.resting.hold().contains_key(worker)
    }

    /// Whether the member is held, and as far as is known nobody has taken it over.
    fn is_current(&self, team: &TeamState, member: &MemberName) -> bool {
        let held = self.term_of(member);
        let placement = team.places().placement(member);
        held.is_some() && held == placement.map(|placement| placement.term)
    }
}

impl Deployment for Tenures {
    fn worker(&self) -> Option<&WorkerName> {
        Some(&self.role.name)
    }

    fn wire(&self) -> Option<Arc<dyn Fleet>> {
        Some(self.role.wire.clone())
    }

    fn governors(&self) -> Option<Arc<dyn Governors>> {
        self.role.governors.clone()
    }

    fn is_mine(&self, member: &MemberName) -> bool {
        self.held.hold().contains_key(member)
    }

    fn is_opening(&self, member: &MemberName) -> bool {
        self.taken.hold().contains_key(member)
    }

    fn is_placed_here(&self, team: &TeamState, member: &MemberName) -> bool {
        let placement = team.places().placement(member);
        placement.is_some_and(|placement| placement.worker.as_ref() == Some(&self.role.name))
    }

    fn is_duty(&self, team: &TeamState, member: &MemberName) -> bool {
        match team.places().is_held(member) {
            true => self.is_current(team, member),
            false => self.is_current(team, &MemberName::lead()),
        }
    }

    fn right_of(&self, team: &TeamState, member: &MemberName) -> Option<Right> {
        let term = self.term_of(member);
        let term = term.or_else(|| team.places().is_held(member).then_some(Term::NONE))?;
        Some(Right::Holder(Holding {
            member: member.clone(),
            worker: self.role.name.clone(),
            term,
        }))
    }

    fn unfit(&self) -> BTreeSet<WorkerName> {
        self.unfit.hold().clone()
    }

    fn is_busy_elsewhere(&self, team: &TeamState) -> bool {
        let rests = |worker: &WorkerName| *worker == self.role.name || self.is_resting(worker);
        holders(team).is_none_or(|holders| !holders.keys().all(rests))
    }

    fn until_may_begin(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            // The sender lives as long as self.
            let _ = self.may_begin.subscribe().wait_for(|may| *may).await;
        })
    }

    fn is_fence(&self, error: &TranscriptError) -> bool {
        match error {
            TranscriptError::Owned { .. } => true,
            TranscriptError::Broken { .. } => false,
        }
    }

    fn report_fence(&self, error: &TranscriptError) -> bool {
        if let TranscriptError::Owned { owner, .. } = error {
            self.fenced.hold().insert(owner.clone());
            self.is_fenced.notify_one();
        }
        self.is_fence(error)
    }

    fn open_transcript<'a>(
        &'a self,
        store: &'a dyn TranscriptStore,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        Box::pin(self.open(store, member))
    }

    fn seal_transcript<'a>(
        &'a self,
        (team, store): (&'a TeamState, &'a dyn TranscriptStore),
        member: &'a MemberName,
        right: Option<&'a Right>,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        Box::pin(self.seal((team, store), member, right))
    }
}

/// Whether a member is to be run by some worker.
pub(super) fn is_to_run(team: &TeamState, member: &Member) -> bool {
    member.phase != MemberPhase::Stopped
        && !team.is_in_ending_group(member)
        && team.paused_for(&member.name).is_none()
}

/// Which workers hold the members that are to run; `None` while nobody holds one of them.
pub(crate) fn holders(team: &TeamState) -> Option<BTreeMap<WorkerName, BTreeSet<MemberName>>> {
    let mut holders: BTreeMap<WorkerName, BTreeSet<MemberName>> = BTreeMap::new();
    for member in team.members().filter(|member| is_to_run(team, member)) {
        let worker = team.places().placement(&member.name)?.worker.clone()?;
        let held = holders.entry(worker).or_default();
        held.insert(member.name.clone());
    }
    Some(holders)
}
