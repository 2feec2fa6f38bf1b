//! Guards of counts: each counts until it is dropped.

use std::sync::{Arc, atomic::Ordering};

use teammate_core::MemberName;

use super::Activity;

/// A spawn or a check of a plan, also if it is cancelled.
pub(crate) struct SendGuard(pub(super) Arc<Activity>);

impl Drop for SendGuard {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
        self.0.recheck();
    }
}

/// A member whose loop runs, however it ends.
pub(crate) struct Present(pub(super) Arc<Activity>, pub(super) MemberName);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.leave(&self.1);
    }
}

/// A member that waits for the others, also if it is cancelled.
pub(crate) struct WaitGuard<'a>(&'a Activity, &'a MemberName);

impl<'a> WaitGuard<'a> {
    pub(super) fn begin(activity: &'a Activity, member: &'a MemberName) -> Self {
        let waits = Self(activity, member);
        waits.set(true);
        waits
    }

    fn set(&self, value: bool) {
        self.0.change(|seats| {
            if let Some(seat) = seats.get_mut(self.1) {
                seat.waits = value;
            }
        });
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.set(false);
    }
}
