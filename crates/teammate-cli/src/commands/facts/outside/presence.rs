//! The processes that run a team on servers, while somebody looks at it: asked again whenever it is heard that others may run
//! it.

use std::{sync::Arc, time::Duration};

use teammate::store::{Presence, SeenPresence};
use tokio::{sync::watch, task::AbortHandle, time::sleep};

/// The pause before servers that do not answer are asked again.
const AGAIN: Duration = Duration::from_secs(2);

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
                presence.changed().await;
                // Servers that do not answer say nothing of those who run the team.
                let seen = loop {
                    match presence.seen().await {
                        Ok(seen) => break seen,
                        Err(_) => sleep(AGAIN).await,
                    }
                };
                sender.send_if_modified(|known| std::mem::replace(known, seen) != *known);
            }
        });
        Self {
            found,
            asking: asking.abort_handle(),
        }
    }

    /// The presence, once it is something else than before.
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
