//! Engines answer a member in its turns, behind one trait: a model, which is asked with the whole conversation each time
//! ([`model`]), or an external agent, which keeps a conversation of its own and is handed what is new ([`agent`]). Mail,
//! tasks, requests and budgets know members only, never engines.

pub(crate) mod agent;
mod model;

use std::sync::Arc;

use teammate_core::{
    model::{ModelFailure, ModelRequest, Reply},
    port::{AgentPast, BoxFuture, WorkspaceAccess},
    transcript::Sources,
};

pub(crate) use self::model::ModelEngine;
use crate::{base::Scene, model_chain::ModelChain, rights::Rights};

/// Answers one member in its turns.
pub(crate) trait Engine: Send + Sync {
    /// Gets ready for a turn. `None` where nothing has to be ready: it is asked with the whole conversation.
    fn open(&self, order: OpenOrder) -> Option<EngineOpening>;

    /// Answers. Dropping the future does not end the turn; [`cut`](Self::cut) does.
    fn answer(&self, ask: EngineAsk) -> BoxFuture<'static, Result<Reply, EngineFailure>>;

    /// Ends the turn, with whatever it has started that still runs.
    fn cut(&self) -> BoxFuture<'_, ()>;

    /// Ends what runs of it between turns; it is opened again when it is needed.
    fn rest(&self) -> BoxFuture<'_, ()>;
}

/// The steps before an engine can be asked.
pub(crate) type EngineOpening = BoxFuture<'static, Result<OpenedEngine, ModelFailure>>;

/// For what an engine gets ready.
pub(crate) struct OpenOrder {
    /// Its own conversation, to go on with.
    pub(crate) session: Option<String>,
    /// The rights of the member in this turn.
    pub(crate) rights: Rights,
    pub(crate) access: WorkspaceAccess,
}

/// An engine that is ready.
#[derive(Debug)]
pub(crate) struct OpenedEngine {
    /// Its own conversation.
    pub(crate) session: String,
    /// The agent's past; nothing is said if it was open before.
    pub(crate) past: Option<AgentPast>,
}

/// A question to an engine.
pub(crate) struct EngineAsk {
    pub(crate) scene: Scene,
    /// The member's models.
    pub(crate) chain: Arc<ModelChain>,
    /// The whole conversation.
    pub(crate) request: ModelRequest,
    /// The new text, and the number of the transcript's entry that says that it was handed over.
    pub(crate) news: (String, u64),
    /// Whose words the conversation holds.
    pub(crate) sources: Arc<Sources>,
}

/// Why an engine does not answer.
#[derive(Debug)]
pub(crate) enum EngineFailure {
    /// It is lost, but can be opened again and go on.
    Lost(String),
    /// For good.
    Failed(ModelFailure),
}

impl EngineFailure {
    /// Why, in words.
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Lost(why) => why,
            Self::Failed(failure) => &failure.what,
        }
    }
}
