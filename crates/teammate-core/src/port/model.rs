//! Models.

use std::sync::Arc;

use crate::{
    model::{ModelFailure, ModelProfile, ModelRef, ModelRequest, Reply, StreamPart},
    port::BoxFuture,
};

/// Takes the parts of an answer as they stream. Must not block.
pub type PartSink = Box<dyn FnMut(StreamPart) + Send>;

/// A model behind an API, or a play.
///
/// An answer is a stream of [`StreamPart`]s ended by exactly one terminal part: the future's output. Dropping the future
/// aborts the request.
pub trait Model: Send + Sync {
    /// Asks once. Retrying is the caller's business.
    ///
    /// Returns `Ok` only if the answer's terminal event was seen; a stream that stops early, stalls or breaks is a
    /// failure, and what had streamed is discarded.
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>>;

    /// The key of its rate limits: models with the same endpoint and key give the same text.
    fn rate_limit_key(&self) -> &str;

    /// The known facts about the model, which may become more with each answer. By default nothing is known.
    fn profile(&self) -> ModelProfile {
        ModelProfile::default()
    }
}

/// Finds models by name.
pub trait ModelSource: Send + Sync {
    /// The model of that name. Errors say what to set up (a key, a provider in the configuration).
    fn open(&self, model: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure>;

    /// Why only the user may choose this model, as the beginning of a sentence; nothing if members may, too.
    fn reserved(&self, _model: &ModelRef) -> Option<String> {
        None
    }
}
