//! Where a job and those who ask about it meet: whether it runs, who waits for it, that it shall end, what came of it.

use std::time::Duration;

use teammate_core::{team::JobEnd, tool::Outcome};
use tokio::sync::watch;

/// One job's slot.
pub(crate) struct Slot(watch::Sender<State>);

enum State {
    Running {
        /// How many calls of its owner wait for its end.
        awaited: usize,
        /// How it shall end, once somebody has said so.
        asked: Option<JobEnd>,
    },
    /// It has ended, and is being noted and told.
    Ending,
    Ended(Outcome),
}

impl State {
    fn is_asked(&self) -> bool {
        match self {
            Self::Running { asked, .. } => asked.is_some(),
            Self::Ending | Self::Ended(_) => true,
        }
    }

    fn has_ended(&self) -> bool {
        match self {
            Self::Ended(_) => true,
            Self::Running { .. } | Self::Ending => false,
        }
    }
}

impl Slot {
    pub(super) fn new() -> Self {
        let running = State::Running {
            awaited: 0,
            asked: None,
        };
        Self(watch::Sender::new(running))
    }

    /// Asks the job to end. Whoever asks first is who ended it.
    pub(super) fn ask(&self, end: JobEnd) {
        self.0.send_if_modified(|state| match state {
            State::Running { asked, .. } if asked.is_none() => {
                *asked = Some(end);
                true
            }
            State::Running { .. } | State::Ending | State::Ended(_) => false,
        });
    }

    /// Resolves when the job shall end. Lives as long as it is asked, not as long as the slot is held.
    pub(super) fn asked(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut state = self.0.subscribe();
        async move {
            if state.wait_for(State::is_asked).await.is_err() {
                // Nobody is left who could ask.
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits for the end, at most so long. A call of the owner that is still there at the end takes the outcome with it.
    pub(super) async fn wait(&self, wait: Duration, is_owner: bool) {
        if wait.is_zero() {
            return;
        }
        let waiting = is_owner.then(|| Waiting::begin(self));
        let in_time = tokio::time::timeout(wait, self.ended()).await.is_ok();
        // The notice may count on this call already; then the outcome is a moment away.
        if !in_time && waiting.is_some_and(Waiting::leave_and_tell) {
            self.ended().await;
        }
    }

    /// Resolves when the job has ended and its owner was told.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as self.
        let _ = self.0.subscribe().wait_for(State::has_ended).await;
    }

    /// What came of it, if it has ended.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &*self.0.borrow() {
            State::Ended(outcome) => Some(outcome.clone()),
            State::Running { .. } | State::Ending => None,
        }
    }

    /// The job's work is over. Tells how it was asked to end, and whether its owner waits for it.
    pub(super) fn is_ending(&self) -> (Option<JobEnd>, bool) {
        let mut told = (None, false);
        self.0.send_modify(|state| {
            if let State::Running { awaited, asked } = state {
                told = (asked.take(), *awaited > 0);
            }
            *state = State::Ending;
        });
        told
    }

    pub(super) fn has_ended(&self, outcome: Outcome) {
        self.0.send_replace(State::Ended(outcome));
    }

    /// Counts a waiting call in or out; false if the job is not running any more.
    fn count(&self, change: impl FnOnce(usize) -> usize) -> bool {
        let mut is_running = false;
        self.0.send_if_modified(|state| {
            if let State::Running { awaited, .. } = state {
                *awaited = change(*awaited);
                is_running = true;
            }
            false
        });
        is_running
    }
}

/// A call of the owner that waits.
struct Waiting<'a>(Option<&'a Slot>);

impl<'a> Waiting<'a> {
    fn begin(slot: &'a Slot) -> Self {
        slot.count(|awaited| awaited + 1);
        Self(Some(slot))
    }

    /// Ends the wait; true if it was noticed at the job's end.
    fn leave_and_tell(mut self) -> bool {
        let slot = self.0.take();
        slot.is_some_and(|slot| !slot.count(|awaited| awaited.saturating_sub(1)))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.count(|awaited| awaited.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_waits_at_the_end_is_counted_and_gets_the_outcome() {
        let slot = Slot::new();
        let wait = slot.wait(Duration::from_secs(30), true);
        tokio::pin!(wait);
        tokio::select! { biased; () = &mut wait => panic!(), () = std::future::ready(()) => {} }
        assert_eq!(slot.is_ending(), (None, true));
        // However long the telling takes: what was counted on stays.
        tokio::select! {
            biased;
            () = &mut wait => panic!("left without the outcome"),
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
        slot.has_ended(Outcome::ok("through"));
        wait.await;
        assert_eq!(slot.outcome(), Some(Outcome::ok("through")));
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_left_is_not_counted() {
        let slot = Slot::new();
        slot.wait(Duration::from_secs(1), true).await;
        {
            let cancelled = slot.wait(Duration::from_secs(1), true);
            tokio::pin!(cancelled);
            tokio::select! { biased; () = cancelled => panic!(), () = std::future::ready(()) => {} }
        }
        let other = slot.wait(Duration::from_secs(1), false);
        tokio::pin!(other);
        tokio::select! { biased; () = &mut other => panic!(), () = std::future::ready(()) => {} }
        assert_eq!(slot.is_ending(), (None, false));
    }

    #[tokio::test]
    async fn the_first_who_asks_ends_it() {
        let slot = Slot::new();
        let asked = slot.asked();
        slot.ask(JobEnd::Lost);
        slot.ask(JobEnd::Done);
        asked.await;
        assert_eq!(slot.is_ending(), (Some(JobEnd::Lost), false));
    }
}
