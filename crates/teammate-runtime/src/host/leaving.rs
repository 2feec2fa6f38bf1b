//! The end of a host: how long a team that has nothing more to do is waited for (its members until they are idle, its background
//! jobs for a while; a server would keep it for ever), how it would be left, and how a worker leaves.

use std::time::Duration;

use teammate_core::{
    MemberName,
    event::Closing,
    team::{Job, WorkerStop},
};
use tokio::time::{Instant, sleep_until};

use super::Host;

/// How long jobs that only serve others are waited for once nobody works: what they are for is over.
const SERVERS_GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether jobs only serve.
const LOOK_PAUSE: Duration = Duration::from_secs(1);

impl Host {
    /// The failure to write, if there was one: of a member's transcript since the team was opened, or of the last decision.
    pub fn storage_failure(&self) -> Option<String> {
        let journal = || self.base.ledger.failure().map(|error| error.to_string());
        self.storage.failure().or_else(journal)
    }

    /// Resolves when a member's loop has ended because its transcript could not be written, or when the journal is found to be not
    /// one history.
    pub async fn storage_fails(&self) {
        tokio::select! {
            () = self.storage.failed() => {}
            () = self.base.ledger.unsound() => {}
        }
    }

    /// How the team would be left if it were closed now.
    pub(super) fn closing_reason(&self) -> Closing {
        let is_busy = || {
            let team = self.base.ledger.team();
            team.members().any(|member| member.phase.is_busy())
        };
        if self.storage_failure().is_some() {
            Closing::Storage
        } else if self.base.closing.has_begun() {
            Closing::Stopped
        } else if is_busy() {
            Closing::Paused
        } else {
            Closing::Settled
        }
    }

    /// Resolves when the team is idle; or when all members have rested for `patience` while something still ran in the
    /// background, for a few seconds if all of that are servers. Says what it waits for.
    pub async fn wait_done(&self, patience: Duration) {
        loop {
            self.rest.wait_members_idle().await;
            let jobs = self.jobs();
            if !jobs.is_empty() && !patience.is_zero() {
                let most = minutes(patience);
                self.note_for_all(&format!("waiting for {} ({most} at most)", listed(&jobs)));
            }
            tokio::select! {
                biased;
                () = self.rest.wait_idle() => return,
                () = self.rest.wait_members_busy() => {}
                why = self.waited_long_enough(patience) => {
                    let jobs = self.jobs();
                    if !jobs.is_empty() {
                        self.note_for_all(&format!("no longer waiting for {}{why}", listed(&jobs)));
                    }
                    return;
                }
            }
        }
    }

    /// Resolves when jobs have been waited for long enough, with why that was not for all of `patience`.
    async fn waited_long_enough(&self, patience: Duration) -> &'static str {
        let end = Instant::now() + patience;
        let mut only_serve_since = None;
        while Instant::now() < end {
            sleep_until(end.min(Instant::now() + LOOK_PAUSE)).await;
            if !self.jobs.only_serve().await {
                only_serve_since = None;
            } else if *only_serve_since.get_or_insert_with(Instant::now) + SERVERS_GRACE
                <= Instant::now()
            {
                return ": it serves, and would not end by itself; it is stopped when the team closes";
            }
        }
        ""
    }

    /// The jobs that run in the background.
    pub fn jobs(&self) -> Vec<Job> {
        self.base.ledger.team().jobs().running().cloned().collect()
    }

    fn note_for_all(&self, text: &str) {
        self.base.feed.note(&MemberName::lead(), text);
    }

    /// Has the members that run here moved to other workers; resolves when the last one is and the worker has left. Where no
    /// other worker can take them it waits for one. At once, if this process runs the team alone.
    pub async fn drain(&self) {
        if let Some(worker) = &self.worker {
            worker.drain();
            worker.stopped().await;
        }
    }

    /// Resolves when this worker has stopped by itself, with why: it runs nobody from then on. Never, if this process runs
    /// the team alone.
    pub async fn stopped_as_worker(&self) -> WorkerStop {
        match &self.worker {
            Some(worker) => worker.stopped().await,
            None => std::future::pending().await,
        }
    }
}

fn listed(jobs: &[Job]) -> String {
    let jobs: Vec<String> = jobs
        .iter()
        .map(|job| format!("{}'s {} ({})", job.owner, job.id, job.title))
        .collect();
    jobs.join(", ")
}

fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=119 => format!("{seconds} s"),
        seconds => format!("{} minutes", seconds / 60),
    }
}
