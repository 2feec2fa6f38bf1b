//! A model as an engine: nothing is kept between questions, and dropping a question ends it.

use std::sync::Arc;

use teammate_core::{model::Reply, port::BoxFuture};

use super::{Engine, EngineAsk, EngineFailure, EngineOpening, OpenOrder};
use crate::model_calls::{ModelCall, ModelCaller, Purpose};

/// The models of a team.
pub(crate) struct ModelEngine(pub(crate) Arc<ModelCaller>);

impl Engine for ModelEngine {
    fn open(&self, _: OpenOrder) -> Option<EngineOpening> {
        None
    }

    fn answer(&self, ask: EngineAsk) -> BoxFuture<'static, Result<Reply, EngineFailure>> {
        let call = ModelCall {
            model_caller: self.0.clone(),
            scene: ask.scene,
            chain: ask.chain,
            request: ask.request,
            purpose: Purpose::Turn,
        };
        Box::pin(async move { call.with_retries().await.map_err(EngineFailure::Failed) })
    }

    fn cut(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}
