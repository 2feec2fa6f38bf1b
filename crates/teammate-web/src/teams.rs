//! The port: what the page needs of the world around it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{Timestamp, port::BoxFuture};
use teammate_view::{Door, Fact, TeamView, Words};
use tokio::{
    sync::{mpsc::Receiver, watch},
    task::AbortHandle,
};

use crate::TeamFacts;

/// All teams of the user.
pub trait Teams: Send + Sync {
    /// The teams that the user has opened, the page's own first.
    fn list(&self) -> BoxFuture<'_, Vec<TeamLine>>;

    /// Opens one of them by its id; the same one again is a second look at it.
    ///
    /// Errors: a sentence for the user.
    fn open<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<OpenTeam, String>>;

    /// Counts changes of the lines that [`list`](Self::list) has given: a page that shows them asks again. A page that is
    /// started again counts on from a higher number.
    fn changes(&self) -> watch::Receiver<u64>;

    /// The time.
    fn now(&self) -> Timestamp;
}

/// A team in a line, for somebody who chooses one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLine {
    /// Its id; nothing of a team that cannot be looked at.
    pub id: Option<String>,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub workspace: String,
    /// How it is.
    pub state: TeamRunning,
    /// How much waits for the user.
    pub needs: usize,
    /// Why nothing is known of it; empty otherwise.
    pub why: String,
}

/// Whether a team runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TeamRunning {
    /// A process runs it.
    Running,
    /// Members stopped in the middle of their turns.
    Paused,
    /// Nobody runs it.
    NotRunning,
    /// It cannot be looked at.
    Unusable,
}

/// A team that is looked at.
pub struct OpenTeam {
    pub door: Arc<dyn Door>,
    /// What its prompt offers: commands and files. Members are those of the view.
    pub words: Arc<dyn Words + Send + Sync>,
    /// Facts about it that its view does not have.
    pub facts: TeamFacts,
    /// Its view when it was opened.
    pub first: TeamView,
    /// Facts from then on.
    pub next: Receiver<Fact>,
    /// Ends what sends that.
    pub pump: AbortHandle,
}
