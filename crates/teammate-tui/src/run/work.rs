//! Wishes that are not done yet. Nothing of it outlives the screen.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Timestamp,
    contained::{contained, may_fail_here},
};
use teammate_view::{Door, Fact, Verb, VerbResult};
use tokio::{sync::mpsc::Sender, task::JoinSet, time::timeout};

/// How long what was asked for just before leaving may take.
const LAST_WORK: Duration = Duration::from_secs(2);

/// A finished wish.
pub(super) struct FinishedWork {
    /// The line, if it was typed.
    pub(super) is_typed: Option<String>,
    pub(super) result: VerbResult,
}

/// The past was read, or why not.
pub(super) struct PastRead {
    pub(super) facts: Result<Vec<Fact>, String>,
    /// Which moment of it is wanted; nothing is the end.
    pub(super) moment: Option<Timestamp>,
}

/// The work under way.
pub(super) struct WishWork {
    tasks: JoinSet<()>,
    done: Sender<FinishedWork>,
    read: Sender<PastRead>,
    /// The user's own commands for what needs them.
    pub(super) alerts: JoinSet<Option<String>>,
}

impl WishWork {
    pub(super) fn new(done: Sender<FinishedWork>, read: Sender<PastRead>) -> Self {
        Self {
            tasks: JoinSet::new(),
            done,
            read,
            alerts: JoinSet::new(),
        }
    }

    /// Asks the team.
    pub(super) fn ask(&mut self, door: Arc<dyn Door>, verb: Verb) {
        let is_typed = match &verb {
            Verb::Typed(line) => Some(line.clone()),
            Verb::Say { .. }
            | Verb::Answer { .. }
            | Verb::Interrupt(_)
            | Verb::Recall(_)
            | Verb::Pause(_)
            | Verb::Continue(_) => None,
        };
        let done = self.done.clone();
        self.tasks.spawn(async move {
            let asked = contained("what was asked of the team", async {
                may_fail_here("verb");
                door.ask(verb).await
            });
            let result = asked
                .await
                .unwrap_or_else(|bug| Err(bug.to_string().into()));
            // The screen may be gone meanwhile.
            let _ = done.send(FinishedWork { is_typed, result }).await;
        });
    }

    /// Reads the past.
    pub(super) fn read(&mut self, door: Arc<dyn Door>, moment: Option<Timestamp>) {
        let read = self.read.clone();
        self.tasks.spawn(async move {
            let facts = contained("the reading of the past", door.history()).await;
            let facts = facts.unwrap_or_else(|bug| Err(bug.to_string()));
            // As above.
            let _ = read.send(PastRead { facts, moment }).await;
        });
    }

    /// Ends it: what was sent just before is done first.
    pub(super) async fn end(mut self) {
        let rest = async { while self.tasks.join_next().await.is_some() {} };
        let _ = timeout(LAST_WORK, rest).await;
        self.tasks.shutdown().await;
        self.alerts.shutdown().await;
    }
}
