//! What the user goes on with when they leave a prompt: chosen there, and carried out when it has ended.

use std::sync::{Arc, Mutex, PoisonError};

use teammate::{Conversation, TeamPlace};
use tokio::sync::Notify;

/// What the user goes on with when they leave a prompt.
#[derive(Debug, Clone)]
pub(super) enum Next {
    /// Another team, as if the program were started for it.
    Team(TeamPlace),
    /// Another conversation of this team.
    Conversation(Conversation),
}

/// What was chosen at the prompt that is open. All clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct NextTalk(Arc<Chosen>);

#[derive(Debug, Default)]
struct Chosen {
    next: Mutex<Option<Next>>,
    called: Notify,
}

impl NextTalk {
    /// The prompt that is open is left for this.
    pub(super) fn choose(&self, next: Next) {
        *self.0.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
        self.0.called.notify_one();
    }

    /// Whether something was chosen.
    pub(super) fn is_chosen(&self) -> bool {
        let next = self.0.next.lock();
        next.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes what was chosen.
    pub(super) fn take(&self) -> Option<Next> {
        let next = self.0.next.lock();
        next.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Resolves when something is chosen.
    #[cfg(feature = "tui")]
    pub(super) fn chosen(&self) -> impl Future<Output = ()> + Send + use<> {
        let chosen = self.0.clone();
        async move { chosen.called.notified().await }
    }
}
