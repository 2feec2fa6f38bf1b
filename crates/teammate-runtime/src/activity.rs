//! Who is at rest: exactly, without polling.
//!
//! A member is at rest when it is between turns and has listened since its doorbell last rang. A sender rings before it
//! rests itself, so there is no moment in which mail is under way and everybody seems to rest.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use teammate_core::MemberName;
use tokio::sync::watch;

/// Everybody's activity.
pub(crate) struct Activity {
    seats: Mutex<BTreeMap<MemberName, Seat>>,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Seat {
    is_busy: bool,
    /// How often mail came.
    rung: u64,
    /// How much of that came before the last time it listened.
    heard: u64,
    /// The same for mail that should end a wait: all but teammates' results.
    pressing: u64,
    pressing_heard: u64,
}

impl Seat {
    fn rests(&self) -> bool {
        !self.is_busy && self.heard == self.rung
    }
}

impl Activity {
    pub(crate) fn new() -> Self {
        Self {
            seats: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// Mail was put into the member's mailbox.
    pub(crate) fn rang(&self, member: &MemberName, is_pressing: bool) {
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                seat.rung += 1;
                seat.pressing += u64::from(is_pressing);
            }
        });
    }

    /// The member is about to look into its mailbox.
    pub(crate) fn listens(&self, member: &MemberName) {
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                seat.heard = seat.rung;
                seat.pressing_heard = seat.pressing;
            }
        });
    }

    /// The member's loop runs, in or between turns.
    pub(crate) fn works(&self, member: &MemberName, is_busy: bool) {
        self.change(|seats| seats.entry(member.clone()).or_default().is_busy = is_busy);
    }

    /// The member's loop has ended.
    pub(crate) fn leaves(&self, member: &MemberName) {
        self.change(|seats| {
            seats.remove(member);
        });
    }

    /// Resolves when everybody rests.
    pub(crate) async fn at_rest(&self) {
        self.until(|seats| seats.values().all(Seat::rests)).await;
    }

    /// Resolves when everybody but `member` rests, or pressing mail has come for `member`.
    pub(crate) async fn others_at_rest(&self, member: &MemberName) {
        self.until(|seats| {
            seats
                .iter()
                .all(|(name, seat)| name == member || seat.rests())
                || seats
                    .get(member)
                    .is_some_and(|seat| seat.pressing > seat.pressing_heard)
        })
        .await;
    }

    async fn until(&self, holds: impl Fn(&BTreeMap<MemberName, Seat>) -> bool) {
        let mut changes = self.changes.subscribe();
        while !holds(&self.lock()) {
            // The sender lives as long as self.
            let _ = changes.changed().await;
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<MemberName, Seat>)) {
        change(&mut self.lock());
        self.changes.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<MemberName, Seat>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_at_rest(activity: &Activity) -> bool {
        tokio::select! { biased; () = activity.at_rest() => true, () = std::future::ready(()) => false }
    }

    #[tokio::test]
    async fn mail_under_way_is_not_rest() {
        let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
        let activity = Activity::new();
        activity.works(&alice, true);
        activity.works(&lead, false);
        assert!(!is_at_rest(&activity).await);
        activity.rang(&lead, false);
        activity.works(&alice, false);
        assert!(!is_at_rest(&activity).await, "the lead has not listened");
        activity.listens(&lead);
        assert!(is_at_rest(&activity).await);
    }

    #[tokio::test]
    async fn a_wait_ends_by_rest_or_by_pressing_mail() {
        let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
        let activity = Activity::new();
        activity.works(&alice, true);
        activity.works(&lead, true);
        let ended = || async {
            tokio::select! { biased; () = activity.others_at_rest(&lead) => true, () = std::future::ready(()) => false }
        };
        activity.rang(&lead, false);
        assert!(!ended().await, "a result alone does not end the wait");
        activity.rang(&lead, true);
        assert!(ended().await);
        activity.listens(&lead);
        assert!(!ended().await);
        activity.works(&alice, false);
        assert!(ended().await);
    }
}
