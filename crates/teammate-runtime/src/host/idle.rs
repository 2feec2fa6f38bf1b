//! How long a team that has nothing more to do is waited for: its members until they are idle, its background jobs for a
//! while. A server would keep it for ever.

use std::time::Duration;

use teammate_core::{MemberName, team::Job};

use super::Host;

impl Host {
    /// Resolves when the team is idle; or when all members have rested for `patience` while something still ran in the
    /// background. Says what it waits for.
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
                () = tokio::time::sleep(patience) => {
                    let jobs = self.jobs();
                    if !jobs.is_empty() {
                        self.note_for_all(&format!("no longer waiting for {}", listed(&jobs)));
                    }
                    return;
                }
            }
        }
    }

    /// The jobs that run in the background.
    pub fn jobs(&self) -> Vec<Job> {
        self.base.ledger.team().jobs().running().cloned().collect()
    }

    fn note_for_all(&self, text: &str) {
        self.base.feed.note(&MemberName::lead(), text);
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
