//! Journals, mailboxes and transcripts in files that survive kills and power cuts.
//!
//! Every adapter here is one of core's ports. [`files`] talks to the world through core's `Disk` only, so the same code
//! runs on the real one ([`disk`]) and on one that tests simulate, count, fail and unplug. What lines
//! look like is in [`wire`]. Nothing here decides anything about a team.

pub mod clock;
pub mod disk;
pub mod files;
mod hex;
pub mod seal;
pub mod teaching;
pub mod views;
pub mod wire;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose data is whole between any two statements, so a panic elsewhere does not matter.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
