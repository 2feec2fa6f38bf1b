//! A prompt, and the next one in its place when the user goes on with another team or another conversation.

use std::sync::{Arc, Mutex, PoisonError};

use teammate::{Conversation, TeamPlace, UserMessage};
use tokio::sync::Notify;

// Without a full screen the prompt is plain lines.
#[cfg(feature = "tui")]
use super::face;
#[cfg(not(feature = "tui"))]
use super::repl as face;
use super::{CliContext, CliResult};

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

    /// Resolves when something is chosen.
    #[cfg(feature = "tui")]
    pub(super) fn chosen(&self) -> impl Future<Output = ()> + Send + use<> {
        let chosen = self.0.clone();
        async move { chosen.called.notified().await }
    }
}

/// Talks until the user leaves, and goes on with nothing else. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    mut place: CliContext,
    mut conversation: Conversation,
    mut first: Option<UserMessage>,
) -> CliResult {
    loop {
        place.next = NextTalk::default();
        let next = place.next.clone();
        let code = face::run(place.clone(), conversation, first.take()).await?;
        let next = next.0.next.lock();
        let next = next.unwrap_or_else(PoisonError::into_inner).take();
        conversation = match next {
            Some(Next::Team(team)) => {
                place = place.of_other(&team)?;
                Conversation::Last
            }
            Some(Next::Conversation(conversation)) => conversation,
            None => return Ok(code),
        };
    }
}
