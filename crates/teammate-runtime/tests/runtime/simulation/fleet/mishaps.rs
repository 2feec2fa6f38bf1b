//! What happened to the workers and to the engine in one run, counted: what never happens proves nothing.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// A kind of mishap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mishap {
    /// The engine elects a leader and stores nothing meanwhile.
    Election,
    /// The same, and what is not synced is gone.
    PowerCut,
    /// A request never reached the engine; who asked does not know.
    RequestLost,
    /// What was asked for was done, and the answer never came.
    AnswerLost,
    /// A write arrived late, perhaps after its process had given up.
    Late,
    /// Mail was stored twice under one id.
    MailDoubled,
    /// A worker is cut off from the engine and from the others.
    CutFromAll,
    /// A worker reaches the engine only.
    CutFromOthers,
    /// A worker hears nobody, and is heard.
    Deaf,
    /// A worker hears the others, and is not heard.
    Mute,
    /// What a worker answers the others comes late.
    AnswersLate,
    /// What a worker answers the others is lost.
    AnswersLost,
    /// A process is stopped like by SIGSTOP.
    Stopped,
    /// A worker's clock jumps.
    ClockJumped,
    /// A process dies.
    Killed,
}

impl Mishap {
    /// All of them.
    pub(crate) const ALL: [Self; 15] = [
        Self::Election,
        Self::PowerCut,
        Self::RequestLost,
        Self::AnswerLost,
        Self::Late,
        Self::MailDoubled,
        Self::CutFromAll,
        Self::CutFromOthers,
        Self::Deaf,
        Self::Mute,
        Self::AnswersLate,
        Self::AnswersLost,
        Self::Stopped,
        Self::ClockJumped,
        Self::Killed,
    ];
}

/// How often each kind happened. Clones count together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mishaps(Arc<Mutex<BTreeMap<Mishap, usize>>>);

impl Mishaps {
    pub(crate) fn count(&self, mishap: Mishap) {
        *self.0.lock().unwrap().entry(mishap).or_default() += 1;
    }

    pub(crate) fn times(&self, mishap: Mishap) -> usize {
        let counts = self.0.lock().unwrap();
        counts.get(&mishap).copied().unwrap_or_default()
    }
}
