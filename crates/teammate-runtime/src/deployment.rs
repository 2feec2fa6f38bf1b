//! How a team is run: by this process alone, which answers at once, or by a fleet of workers of which this process is one. It holds all
//! members, or those that the journal has placed on its worker and that it has taken over. It decides nothing; the worker's machine
//! does (`workers`).

mod policy;
mod transcripts;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    lock::Hold,
    name::WorkerName,
    port::{OpenTranscript, TranscriptError},
    team::{Holding, Right, TeamState, Term},
};
use tokio::sync::{Notify, watch};

/// How this process runs the team.
#[derive(Clone)]
pub(crate) enum Deployment {
    /// It is the only process: it holds all members.
    Alone,
    /// It is a worker among others, and holds these.
    Fleet(Arc<Tenures>),
}

/// The members that a worker holds.
pub(crate) struct Tenures {
    pub(crate) worker: WorkerName,
    held: Mutex<BTreeMap<MemberName, Term>>,
    /// Transcripts that were taken over, until the member's driver begins.
    taken: Mutex<BTreeMap<MemberName, (Term, OpenTranscript)>>,
    /// Whether something may begin: not while the worker does not hear itself, or holds members less well than the team demands.
    may_begin: watch::Sender<bool>,
    /// The workers that get no members now, as far as this worker hears.
    unfit: Mutex<BTreeSet<WorkerName>>,
    /// Members whose transcript somebody else has appended to, and nobody has looked at yet: each once, however often it refuses.
    fenced: Mutex<BTreeSet<MemberName>>,
    /// One was added to them.
    is_fenced: Notify,
}

impl Deployment {
    /// A worker that holds nobody yet.
    pub(crate) fn of_worker(worker: WorkerName) -> Self {
        let placed = Tenures {
            worker,
            held: Mutex::default(),
            taken: Mutex::default(),
            may_begin: watch::Sender::new(true),
            unfit: Mutex::default(),
            fenced: Mutex::default(),
            is_fenced: Notify::new(),
        };
        Self::Fleet(Arc::new(placed))
    }

    /// This process's name among the workers that run the team.
    pub(crate) fn worker(&self) -> Option<&WorkerName> {
        match self {
            Self::Alone => None,
            Self::Fleet(placed) => Some(&placed.worker),
        }
    }

    /// Whether this process runs the member.
    pub(crate) fn is_mine(&self, member: &MemberName) -> bool {
        match self {
            Self::Alone => true,
            Self::Fleet(placed) => placed.held.hold().contains_key(member),
        }
    }

    /// Whether the member was taken over and its driver has not begun yet.
    pub(crate) fn is_opening(&self, member: &MemberName) -> bool {
        match self {
            Self::Alone => false,
            Self::Fleet(placed) => placed.taken.hold().contains_key(member),
        }
    }

    /// Whether what must be done for a member is done here: by its holder, and by the lead's where nobody holds it.
    pub(crate) fn is_duty(&self, team: &TeamState, member: &MemberName) -> bool {
        match self {
            Self::Alone => true,
            Self::Fleet(placed) if is_placed(team, member) => placed.is_current(team, member),
            Self::Fleet(placed) => placed.is_current(team, &MemberName::lead()),
        }
    }

    /// By which right this process speaks for a member; none where it needs none. Who has lost a member has an old term's, which
    /// is refused.
    pub(crate) fn right_of(&self, team: &TeamState, member: &MemberName) -> Option<Right> {
        let Self::Fleet(placed) = self else {
            return None;
        };
        let term = placed.held.hold().get(member).copied();
        let term = term.or_else(|| is_placed(team, member).then_some(Term::NONE))?;
        Some(Right::Holder(Holding {
            member: member.clone(),
            worker: placed.worker.clone(),
            term,
        }))
    }

    /// Which workers get no members now, because they are silent or drain.
    pub(crate) fn unfit(&self) -> BTreeSet<WorkerName> {
        match self {
            Self::Alone => BTreeSet::new(),
            Self::Fleet(placed) => placed.unfit.hold().clone(),
        }
    }

    /// Resolves when something may begin: at once, unless the worker does not hear itself or lacks what the team demands.
    pub(crate) async fn until_may_begin(&self) {
        if let Self::Fleet(placed) = self {
            // The sender lives as long as self.
            let _ = placed.may_begin.subscribe().wait_for(|may| *may).await;
        }
    }

    /// Whether this error says that another worker has taken the member over.
    pub(crate) fn is_fence(&self, error: &TranscriptError) -> bool {
        match (self, error) {
            (Self::Fleet(_), TranscriptError::Owned { .. }) => true,
            (Self::Alone, _) | (Self::Fleet(_), TranscriptError::Broken { .. }) => false,
        }
    }

    /// Tells the machine of a fence: a transcript that another holder has taken. Whether the error is one.
    pub(crate) fn report_fence(&self, error: &TranscriptError) -> bool {
        if let (Self::Fleet(placed), TranscriptError::Owned { owner, .. }) = (self, error) {
            placed.fenced.hold().insert(owner.clone());
            placed.is_fenced.notify_one();
        }
        self.is_fence(error)
    }
}

impl Tenures {
    /// Whether the member is held, and as far as is known nobody has taken it over.
    fn is_current(&self, team: &TeamState, member: &MemberName) -> bool {
        let held = self.held.hold().get(member).copied();
        let placement = team.places().placement(member);
        held.is_some() && held == placement.map(|placement| placement.term)
    }

    /// Whose transcript has refused an append: waits for one. May be given up and called again.
    pub(crate) async fn next_fenced(&self) -> MemberName {
        loop {
            let next = self.fenced.hold().pop_first();
            if let Some(member) = next {
                return member;
            }
            self.is_fenced.notified().await;
        }
    }

    /// The member is held under this term.
    pub(crate) fn hold(&self, member: &MemberName, term: Term) {
        self.held.hold().insert(member.clone(), term);
    }

    /// The member is no longer held under this term.
    pub(crate) fn let_go(&self, member: &MemberName, term: Term) {
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
    pub(crate) fn forget_taken(&self, member: &MemberName) {
        self.taken.hold().remove(member);
    }

    pub(crate) fn set_may_begin(&self, may_begin: bool) {
        self.may_begin.send_if_modified(|could| {
            let changes = *could != may_begin;
            *could = may_begin;
            changes
        });
    }

    pub(crate) fn set_unfit(&self, unfit: BTreeSet<WorkerName>) {
        *self.unfit.hold() = unfit;
    }
}

/// Whether the journal has the member held by a worker.
fn is_placed(team: &TeamState, member: &MemberName) -> bool {
    let placement = team.places().placement(member);
    placement.is_some_and(|placement| placement.worker.is_some())
}
