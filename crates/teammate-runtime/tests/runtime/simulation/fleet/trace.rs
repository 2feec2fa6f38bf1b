//! What a run did and when, as one number: two runs that differ anywhere have two numbers.

use std::{
    fmt::Debug,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex},
};

/// The trace of a run. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<DefaultHasher>>);

impl Trace {
    /// This is what happened next.
    pub(crate) fn note(&self, what: impl Debug) {
        format!("{what:?}").hash(&mut *self.0.lock().unwrap());
    }

    /// The number.
    pub(crate) fn number(&self) -> u64 {
        self.0.lock().unwrap().finish()
    }
}
