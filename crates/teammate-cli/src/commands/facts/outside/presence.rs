//! Who runs a team on servers, asked again and again while somebody looks at it: a process that was killed or cut off tells nobody.

use std::{sync::Arc, time::Duration};

use teammate::store::{Presence, SeenPresence};
use tokio::{sync::watch, task::AbortHandle, time::sleep};

/// The pause between two questions.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// The answers, until it is dropped.
pub(super) struct SeenAgain {
    found: watch::Receiver<SeenPresence>,
    asking: AbortHandle,
}

impl SeenAgain {
    /// `known` is no news.
    pub(super) fn of(presence: Arc<dyn Presence>, known: SeenPresence) -> Self {
        let (sender, found) = watch::channel(known);
        let asking = tokio::spawn(async move {
            loop {
                // Servers that do not answer say nothing of those who run the team.
                if let Ok(seen) = presence.seen().await {
                    sender.send_if_modified(|known| std::mem::replace(known, seen) != *known);
                }
                sleep(ASK_EVERY).await;
            }
        });
        Self {
            found,
            asking: asking.abort_handle(),
        }
    }

    /// What is said now, once it is something else than before.
    pub(super) async fn changed(&mut self) -> SeenPresence {
        match self.found.changed().await {
            Ok(()) => self.found.borrow_and_update().clone(),
            // Nobody asks any more.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for SeenAgain {
    fn drop(&mut self) {
        self.asking.abort();
    }
}
