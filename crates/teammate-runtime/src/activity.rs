//! The activity of members: exactly who is idle, without polling.
//!
//! A member is idle when it is between turns and has taken all mail that was sent to it. Mail counts from before it
//! is put into the mailbox until its recipient has taken it out, so there is no moment in which some is under way and
//! all members seem idle, and none in which it counts for ever because it was taken before its sender counted it.
//!
//! Where several workers run the team this knows the members that run here.

mod guards;
mod reading;
#[cfg(feature = "fleet")]
mod rest;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use teammate_core::{MemberName, MessageId, lock::Hold};
use tokio::sync::watch;

pub(crate) use self::guards::{Present, SendGuard, WaitGuard};

/// Everybody's activity.
pub(crate) struct Activity {
    seats: Mutex<BTreeMap<MemberName, MemberActivity>>,
    /// Mail that is on its way to members that do not run here, or not yet.
    leaving: Mutex<BTreeMap<MessageId, (MemberName, UnreadMail)>>,
    /// Spawns and checks of plans: who is spawned is not here yet.
    under_way: AtomicUsize,
    /// The number of jobs in the background.
    jobs: AtomicUsize,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct MemberActivity {
    is_busy: bool,
    /// Mail that it has not taken yet.
    unheard: BTreeMap<MessageId, UnreadMail>,
    /// It is busy with nothing but waiting for the others.
    waits: bool,
    /// How much of its mail it has read, where that is of interest and known.
    read: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct UnreadMail {
    /// Whether it should end a wait: all but teammates' results and ends.
    ends_wait: bool,
    /// Whether it is in the mailbox.
    is_stored: bool,
}

impl MemberActivity {
    fn is_idle(&self) -> bool {
        !self.is_busy && self.unheard.is_empty()
    }

    fn has_mail_that_ends_wait(&self) -> bool {
        self.unheard
            .values()
            .any(|letter| letter.ends_wait && letter.is_stored)
    }
}

impl Activity {
    pub(crate) fn new() -> Self {
        Self {
            seats: Mutex::default(),
            leaving: Mutex::default(),
            under_way: AtomicUsize::new(0),
            jobs: AtomicUsize::new(0),
            changes: watch::Sender::new(0),
        }
    }

    /// Mail is about to be put into the member's mailbox. Must be followed by [`Activity::mail_sent`].
    pub(crate) fn mail_sending(&self, member: &MemberName, id: &MessageId, is_pressing: bool) {
        self.change(|seats| {
            let letter = UnreadMail {
                ends_wait: is_pressing,
                is_stored: false,
            };
            if let Some(seat) = seats.get_mut(member) {
                seat.unheard.insert(id.clone(), letter);
            } else {
                let leaving = (member.clone(), letter);
                self.leaving.hold().insert(id.clone(), leaving);
            }
        });
    }

    /// It is there, or it could not be sent. It may have been taken meanwhile.
    pub(crate) fn mail_sent(&self, member: &MemberName, id: &MessageId, is_there: bool) {
        self.change(|seats| {
            self.leaving.hold().remove(id);
            let Some(seat) = seats.get_mut(member) else {
                return;
            };
            if !is_there {
                seat.unheard.remove(id);
            } else if let Some(letter) = seat.unheard.get_mut(id) {
                letter.is_stored = true;
            }
        });
    }

    /// The member has taken this out of its mailbox.
    pub(crate) fn mail_taken<'a>(
        &self,
        member: &MemberName,
        ids: impl IntoIterator<Item = &'a MessageId>,
    ) {
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                for id in ids {
                    seat.unheard.remove(id);
                }
            }
        });
    }

    /// Drops the member's unread mail from the count: its mailbox cannot be read.
    pub(crate) fn forget_unread_mail(&self, member: &MemberName) {
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                seat.unheard.clear();
                // Others wait until it is read after all.
                seat.read.get_or_insert(0);
            }
        });
    }

    /// The member's loop runs, in or between turns. What is on its way to it as it begins counts as its own from now on: it may look
    /// into its mailbox too early for that.
    pub(crate) fn set_busy(&self, member: &MemberName, is_busy: bool) {
        self.change(|seats| {
            let seat = seats
                .entry(member.clone())
                .or_insert_with(|| self.beginning(member));
            seat.is_busy = is_busy;
        });
    }

    fn beginning(&self, member: &MemberName) -> MemberActivity {
        let mut leaving = self.leaving.hold();
        let own = leaving.extract_if(.., |_, (to, _)| to == member);
        let unheard = own.map(|(id, (_, letter))| (id, letter));
        MemberActivity {
            unheard: unheard.collect(),
            ..MemberActivity::default()
        }
    }

    /// The member's loop has ended. Nobody counts what lies in its mailbox, but what is on its way there is still that.
    fn leave(&self, member: &MemberName) {
        self.change(|seats| {
            let Some(seat) = seats.remove(member) else {
                return;
            };
            let under_way = seat
                .unheard
                .into_iter()
                .filter(|(_, letter)| !letter.is_stored);
            let leaving = under_way.map(|(id, letter)| (id, (member.clone(), letter)));
            self.leaving.hold().extend(leaving);
        });
    }

    /// Whether the member's loop runs.
    pub(crate) fn is_present(&self, member: &MemberName) -> bool {
        self.seats.hold().contains_key(member)
    }

    /// Whether the member is busy with nothing but waiting for the others.
    pub(crate) fn waits(&self, member: &MemberName) -> bool {
        self.seats.hold().get(member).is_some_and(|seat| seat.waits)
    }

    /// Counts changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Work outside of a member's turn begins: the team is not idle before it ends.
    pub(crate) fn begin(self: &Arc<Self>) -> SendGuard {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        SendGuard(self.clone())
    }

    /// The member's loop runs, until the value is dropped.
    pub(crate) fn enter(self: &Arc<Self>, member: &MemberName) -> Present {
        self.set_busy(member, true);
        Present(self.clone(), member.clone())
    }

    /// A job begins. Must be followed by [`Activity::job_is_over`].
    pub(crate) fn job_started(&self) {
        self.jobs.fetch_add(1, Ordering::SeqCst);
    }

    /// It has ended, and its notice has been sent.
    pub(crate) fn job_is_over(&self) {
        self.jobs.fetch_sub(1, Ordering::SeqCst);
        self.recheck();
    }

    /// Resolves when all members are idle and `there_is_no_more` to do.
    pub(crate) async fn wait_idle(&self, there_is_no_more: impl Fn() -> bool) {
        self.wait_for(|seats| self.all_idle(seats) && there_is_no_more())
            .await;
    }

    /// Resolves when a member works, or `there_is_more` to do.
    pub(crate) async fn wait_busy(&self, there_is_more: impl Fn() -> bool) {
        self.wait_for(|seats| !self.all_idle(seats) || there_is_more())
            .await;
    }

    /// Whether nothing runs in the background.
    pub(crate) fn has_no_jobs(&self) -> bool {
        self.jobs.load(Ordering::SeqCst) == 0
    }

    fn all_idle(&self, seats: &BTreeMap<MemberName, MemberActivity>) -> bool {
        self.all(seats, MemberActivity::is_idle)
    }

    /// True if it holds for every member and no member is being started.
    fn all(
        &self,
        seats: &BTreeMap<MemberName, MemberActivity>,
        is_so: impl Fn(&MemberActivity) -> bool,
    ) -> bool {
        self.under_way.load(Ordering::SeqCst) == 0 && seats.values().all(is_so)
    }

    /// The member is busy with nothing but waiting for the others, until the value is dropped.
    pub(crate) fn waiting<'a>(&'a self, member: &'a MemberName) -> WaitGuard<'a> {
        WaitGuard::begin(self, member)
    }

    /// Resolves when all members but `member` are idle and `there_is_no_more` to do, or `member` has mail that ends
    /// the wait.
    pub(crate) async fn wait_others_idle(
        &self,
        member: &MemberName,
        there_is_no_more: impl Fn() -> bool,
    ) -> WaitEnd {
        let end = |seats: &BTreeMap<MemberName, MemberActivity>| {
            let others_rest = seats
                .iter()
                .all(|(name, seat)| name == member || seat.is_idle());
            let has_mail = seats
                .get(member)
                .is_some_and(MemberActivity::has_mail_that_ends_wait);
            match (has_mail, others_rest && there_is_no_more()) {
                (true, _) => Some(WaitEnd::Mail),
                (false, true) => Some(WaitEnd::Rest),
                (false, false) => None,
            }
        };
        self.wait_until(end).await
    }

    /// Whether the member has unread results and nothing else, and more may come: another member works, here or elsewhere.
    pub(crate) fn has_only_results_while_others_work(
        &self,
        member: &MemberName,
        elsewhere: impl Fn() -> bool,
    ) -> bool {
        has_only_results(&self.seats.hold(), member, elsewhere)
    }

    /// Resolves when that is not so any more.
    pub(crate) async fn until_more_than_results(
        &self,
        member: &MemberName,
        elsewhere: impl Fn() -> bool,
    ) {
        self.wait_for(|seats| !has_only_results(seats, member, &elsewhere))
            .await;
    }

    /// Resolves when idle members wait only for each other, and `holds`.
    pub(crate) async fn wait_stalled(&self, holds: impl Fn() -> bool) {
        self.wait_for(|seats| self.all(seats, |seat| seat.waits || seat.is_idle()) && holds())
            .await;
    }

    /// Wakes those who wait for idle members: there may be other work now.
    pub(crate) fn recheck(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    async fn wait_for(&self, holds: impl Fn(&BTreeMap<MemberName, MemberActivity>) -> bool) {
        self.wait_until(|seats| holds(seats).then_some(())).await;
    }

    async fn wait_until<T>(
        &self,
        found: impl Fn(&BTreeMap<MemberName, MemberActivity>) -> Option<T>,
    ) -> T {
        let mut changes = self.changes.subscribe();
        loop {
            let now = found(&self.seats.hold());
            if let Some(now) = now {
                return now;
            }
            // The sender lives as long as self.
            let _ = changes.changed().await;
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<MemberName, MemberActivity>)) {
        change(&mut self.seats.hold());
        self.recheck();
    }
}

/// Why a wait for the others is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    /// There is mail that it should not wait with.
    Mail,
    /// The others rest.
    Rest,
}

fn has_only_results(
    seats: &BTreeMap<MemberName, MemberActivity>,
    member: &MemberName,
    elsewhere: impl Fn() -> bool,
) -> bool {
    let of_member = seats.get(member).map(|seat| &seat.unheard);
    let are_results = of_member.is_some_and(|unheard| {
        !unheard.is_empty() && unheard.values().all(|letter| !letter.ends_wait)
    });
    let works = |(name, seat): (&MemberName, &MemberActivity)| name != member && !seat.is_idle();
    are_results && (seats.iter().any(works) || elsewhere())
}

#[cfg(test)]
mod tests;
