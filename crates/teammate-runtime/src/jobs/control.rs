//! The shared state of one running job: who waits, whether a stop was requested, its outcome.

use std::{sync::OnceLock, time::Duration};

use teammate_core::{port::ServingLook, team::JobEnd, tool::Outcome};
use tokio::sync::watch;

/// One job's slot.
pub(crate) struct JobControl {
    state: watch::Sender<JobState>,
    /// Whether it serves others, and will hardly end by itself.
    serves: OnceLock<ServingLook>,
}

enum JobState {
    Running {
        /// How many calls of its owner wait for its end.
        awaited: usize,
        /// How it was asked to stop.
        asked: Option<JobEnd>,
    },
    /// It has ended; its end is being recorded and the notice sent.
    Ending,
    Ended(Outcome),
}

impl JobState {
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

impl JobControl {
    pub(super) fn new() -> Self {
        let running = JobState::Running {
            awaited: 0,
            asked: None,
        };
        Self {
            state: watch::Sender::new(running),
            serves: OnceLock::new(),
        }
    }

    /// Requests a stop. The first requester counts as the one who stopped it.
    pub(super) fn request_stop(&self, end: JobEnd) {
        self.state.send_if_modified(|state| match state {
            JobState::Running { asked, .. } if asked.is_none() => {
                *asked = Some(end);
                true
            }
            JobState::Running { .. } | JobState::Ending | JobState::Ended(_) => false,
        });
    }

    /// Resolves when a stop was requested. Independent of the lifetime of this value.
    pub(super) fn stop_requested(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut state = self.state.subscribe();
        async move {
            if state.wait_for(JobState::is_asked).await.is_err() {
                // Nobody is left who could ask.
                std::future::pending::<()>().await;
            }
        }
    }

    /// How it is found out whether the job serves others. The first way counts.
    pub(super) fn serves_by(&self, look: ServingLook) {
        // A job gives one.
        let _ = self.serves.set(look);
    }

    /// Looks whether it serves others now.
    pub(super) async fn serves(&self) -> bool {
        let is_running = matches!(&*self.state.borrow(), JobState::Running { .. });
        match self.serves.get() {
            Some(look) if is_running => look().await,
            Some(_) | None => false,
        }
    }

    /// Waits for the end, at most so long. A call of the owner that is still there at the end takes the outcome with it.
    pub(super) async fn wait(&self, wait: Duration, is_owner: bool) {
        if wait.is_zero() {
            return;
        }
        let waiting = is_owner.then(|| OwnerWait::begin(self));
        let in_time = tokio::time::timeout(wait, self.ended()).await.is_ok();
        // The notice may count on this call already; then the outcome is a moment away.
        if !in_time && waiting.is_some_and(OwnerWait::leave) {
            self.ended().await;
        }
    }

    /// Resolves when the job has ended and its owner has the notice.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as self.
        let _ = self.state.subscribe().wait_for(JobState::has_ended).await;
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &*self.state.borrow() {
            JobState::Ended(outcome) => Some(outcome.clone()),
            JobState::Running { .. } | JobState::Ending => None,
        }
    }

    /// The job's work is over. Tells how it was asked to end, and whether its owner waits for it.
    pub(super) fn begin_ending(&self) -> (Option<JobEnd>, bool) {
        let mut told = (None, false);
        self.state.send_modify(|state| {
            if let JobState::Running { awaited, asked, .. } = state {
                told = (asked.take(), *awaited > 0);
            }
            *state = JobState::Ending;
        });
        told
    }

    pub(super) fn finish(&self, outcome: Outcome) {
        self.state.send_replace(JobState::Ended(outcome));
    }

    /// Adds or removes a waiting call; false if the job has ended.
    fn count(&self, change: impl FnOnce(usize) -> usize) -> bool {
        let mut is_running = false;
        self.state.send_if_modified(|state| {
            if let JobState::Running { awaited, .. } = state {
                *awaited = change(*awaited);
                is_running = true;
            }
            false
        });
        is_running
    }
}

/// A call of the owner that waits.
struct OwnerWait<'a>(Option<&'a JobControl>);

impl<'a> OwnerWait<'a> {
    fn begin(slot: &'a JobControl) -> Self {
        slot.count(|awaited| awaited + 1);
        Self(Some(slot))
    }

    /// Ends the wait; true if it was noticed at the job's end.
    fn leave(mut self) -> bool {
        let slot = self.0.take();
        slot.is_some_and(|slot| !slot.count(|awaited| awaited.saturating_sub(1)))
    }
}

impl Drop for OwnerWait<'_> {
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
        let slot = JobControl::new();
        let wait = slot.wait(Duration::from_secs(30), true);
        tokio::pin!(wait);
        tokio::select! { biased; () = &mut wait => panic!(), () = std::future::ready(()) => {} }
        assert_eq!(slot.begin_ending(), (None, true));
        // However long the notice takes, the outcome that the caller counted on stays.
        tokio::select! {
            biased;
            () = &mut wait => panic!("left without the outcome"),
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
        slot.finish(Outcome::ok("through"));
        wait.await;
        assert_eq!(slot.outcome(), Some(Outcome::ok("through")));
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_left_is_not_counted() {
        let slot = JobControl::new();
        slot.wait(Duration::from_secs(1), true).await;
        {
            let cancelled = slot.wait(Duration::from_secs(1), true);
            tokio::pin!(cancelled);
            tokio::select! { biased; () = cancelled => panic!(), () = std::future::ready(()) => {} }
        }
        let other = slot.wait(Duration::from_secs(1), false);
        tokio::pin!(other);
        tokio::select! { biased; () = &mut other => panic!(), () = std::future::ready(()) => {} }
        assert_eq!(slot.begin_ending(), (None, false));
    }

    #[tokio::test]
    async fn the_first_who_asks_ends_it() {
        let slot = JobControl::new();
        let asked = slot.stop_requested();
        slot.request_stop(JobEnd::Lost);
        slot.request_stop(JobEnd::Done);
        asked.await;
        assert_eq!(slot.begin_ending(), (Some(JobEnd::Lost), false));
    }
}
