//! Who is idle: exactly, without polling.
//!
//! A member is idle when it is between turns and has taken all mail that was sent to it. Mail counts from before it
//! is put into the mailbox until its recipient has taken it out, so there is no moment in which some is under way and
//! all members seem idle, and none in which it counts for ever because it was taken before its sender counted it.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use teammate_core::{MemberName, MessageId};
use tokio::sync::watch;

/// Everybody's activity.
pub(crate) struct Activity {
    seats: Mutex<BTreeMap<MemberName, MemberActivity>>,
    /// Spawns and checks of plans: who is spawned is not here yet.
    under_way: AtomicUsize,
    /// What runs in the background.
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
            under_way: AtomicUsize::new(0),
            jobs: AtomicUsize::new(0),
            changes: watch::Sender::new(0),
        }
    }

    /// Mail is about to be put into the member's mailbox. Must be followed by [`Activity::mail_sent`].
    pub(crate) fn mail_sending(&self, member: &MemberName, id: &MessageId, is_pressing: bool) {
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                let letter = UnreadMail {
                    ends_wait: is_pressing,
                    is_stored: false,
                };
                seat.unheard.insert(id.clone(), letter);
            }
        });
    }

    /// It is there, or it could not be sent. It may have been taken meanwhile.
    pub(crate) fn mail_sent(&self, member: &MemberName, id: &MessageId, is_there: bool) {
        self.change(|seats| {
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
            }
        });
    }

    /// The member's loop runs, in or between turns.
    pub(crate) fn set_busy(&self, member: &MemberName, is_busy: bool) {
        self.change(|seats| seats.entry(member.clone()).or_default().is_busy = is_busy);
    }

    /// Whether the member's loop runs.
    pub(crate) fn is_present(&self, member: &MemberName) -> bool {
        self.lock().contains_key(member)
    }

    /// Whether the member is busy with nothing but waiting for the others.
    pub(crate) fn waits(&self, member: &MemberName) -> bool {
        self.lock().get(member).is_some_and(|seat| seat.waits)
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

    /// Resolves when all members but `member` are idle and `there_is_no_more` to do, or `member` has mail that ends
    /// the wait.
    pub(crate) async fn wait_others_idle(
        &self,
        member: &MemberName,
        there_is_no_more: impl Fn() -> bool,
    ) {
        let _waits = WaitGuard::begin(self, member);
        self.wait_for(|seats| {
            let others_rest = seats
                .iter()
                .all(|(name, seat)| name == member || seat.is_idle());
            others_rest && there_is_no_more()
                || seats
                    .get(member)
                    .is_some_and(MemberActivity::has_mail_that_ends_wait)
        })
        .await;
    }

    /// Whether the member has unread results and nothing else, and more may come: another member works.
    pub(crate) fn has_only_results_while_others_work(&self, member: &MemberName) -> bool {
        has_only_results(&self.lock(), member)
    }

    /// Resolves when that is not so any more.
    pub(crate) async fn until_more_than_results(&self, member: &MemberName) {
        self.wait_for(|seats| !has_only_results(seats, member))
            .await;
    }

    /// Resolves when idle members wait only for each other, and `holds`.
    pub(crate) async fn wait_stalled(&self, holds: impl Fn() -> bool) {
        self.wait_for(|seats| self.all(seats, |seat| seat.waits || seat.is_idle()) && holds())
            .await;
    }

    /// What there is to do may have changed.
    pub(crate) fn recheck(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    async fn wait_for(&self, holds: impl Fn(&BTreeMap<MemberName, MemberActivity>) -> bool) {
        let mut changes = self.changes.subscribe();
        while !holds(&self.lock()) {
            // The sender lives as long as self.
            let _ = changes.changed().await;
        }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<MemberName, MemberActivity>)) {
        change(&mut self.lock());
        self.recheck();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<MemberName, MemberActivity>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_only_results(seats: &BTreeMap<MemberName, MemberActivity>, member: &MemberName) -> bool {
    let of_member = seats.get(member).map(|seat| &seat.unheard);
    let are_results = of_member.is_some_and(|unheard| {
        !unheard.is_empty() && unheard.values().all(|letter| !letter.ends_wait)
    });
    are_results
        && seats
            .iter()
            .any(|(name, seat)| name != member && !seat.is_idle())
}

/// A spawn or a check of a plan, also if it is cancelled.
pub(crate) struct SendGuard(Arc<Activity>);

impl Drop for SendGuard {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
        self.0.recheck();
    }
}

/// A member whose loop runs, however it ends.
pub(crate) struct Present(Arc<Activity>, MemberName);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.change(|seats| {
            seats.remove(&self.1);
        });
    }
}

/// A member that waits for the others, also if it is cancelled.
struct WaitGuard<'a>(&'a Activity, &'a MemberName);

impl<'a> WaitGuard<'a> {
    fn begin(activity: &'a Activity, member: &'a MemberName) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_at_rest(activity: &Activity) -> bool {
        tokio::select! { biased; () = activity.wait_idle(|| true) => true, () = std::future::ready(()) => false }
    }

    fn mail(text: &str) -> MessageId {
        MessageId::parse(text).unwrap()
    }

    #[tokio::test]
    async fn mail_under_way_is_not_rest() {
        let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
        let activity = Activity::new();
        activity.set_busy(&alice, true);
        activity.set_busy(&lead, false);
        assert!(!is_at_rest(&activity).await);
        activity.mail_sending(&lead, &mail("m"), false);
        activity.set_busy(&alice, false);
        assert!(!is_at_rest(&activity).await, "on its way");
        activity.mail_sent(&lead, &mail("m"), true);
        assert!(!is_at_rest(&activity).await, "the lead has not taken it");
        activity.mail_taken(&lead, [&mail("m")]);
        assert!(is_at_rest(&activity).await);
    }

    #[tokio::test]
    async fn mail_that_is_taken_before_its_sender_says_so_does_not_count_for_ever() {
        let lead = MemberName::lead();
        let activity = Activity::new();
        activity.set_busy(&lead, false);
        activity.mail_sending(&lead, &mail("m"), true);
        activity.mail_taken(&lead, [&mail("m")]);
        activity.mail_sent(&lead, &mail("m"), true);
        assert!(is_at_rest(&activity).await);
        activity.mail_sending(&lead, &mail("n"), true);
        activity.mail_sent(&lead, &mail("n"), false);
        assert!(is_at_rest(&activity).await, "it could not be sent");
    }

    #[tokio::test]
    async fn results_wait_for_more_only_while_others_work_and_nothing_else_is_there() {
        let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
        let activity = Activity::new();
        activity.set_busy(&alice, true);
        activity.set_busy(&lead, false);
        let wait = || activity.has_only_results_while_others_work(&lead);
        assert!(!wait(), "mail of another program is not known here");
        activity.mail_sending(&lead, &mail("result"), false);
        activity.mail_sent(&lead, &mail("result"), true);
        assert!(wait());
        activity.mail_sending(&lead, &mail("question"), true);
        assert!(!wait());
        activity.mail_taken(&lead, [&mail("question")]);
        assert!(wait());
        activity.set_busy(&alice, false);
        assert!(!wait(), "nobody works");
    }

    #[tokio::test]
    async fn a_wait_ends_by_rest_or_by_pressing_mail() {
        let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
        let activity = Activity::new();
        activity.set_busy(&alice, true);
        activity.set_busy(&lead, true);
        let ended = || async {
            tokio::select! { biased; () = activity.wait_others_idle(&lead, || true) => true, () = std::future::ready(()) => false }
        };
        activity.mail_sending(&lead, &mail("result"), false);
        activity.mail_sent(&lead, &mail("result"), true);
        assert!(!ended().await, "a result alone does not end the wait");
        activity.mail_sending(&lead, &mail("question"), true);
        assert!(!ended().await, "not there yet");
        activity.mail_sent(&lead, &mail("question"), true);
        assert!(ended().await);
        activity.mail_taken(&lead, [&mail("question"), &mail("result")]);
        assert!(!ended().await);
        activity.set_busy(&alice, false);
        assert!(ended().await);
    }
}
