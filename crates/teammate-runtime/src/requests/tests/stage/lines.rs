//! A model that says lines.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use serde_json::Value;
use teammate_core::{
    block::Block,
    model::{ModelFailure, ModelRef, ModelRequest, Reply, StopReason, Usage, Wire},
    port::{BoxFuture, Model, ModelSource, PartSink},
    tool::{CallId, ToolCall, ToolInput},
};

/// One answer of a model.
pub(crate) enum Line {
    Say,
    Call(&'static str, Value),
    /// Several in one answer.
    Calls(Vec<(&'static str, Value)>),
}

/// What is left to say, by member.
pub(super) type Lines = Arc<Mutex<HashMap<String, VecDeque<Line>>>>;

pub(super) struct Readers(pub(super) Lines);

impl ModelSource for Readers {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(Self(self.0.clone())))
    }
}

impl Model for Readers {
    fn answer(
        &self,
        request: ModelRequest,
        _: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        let who = match request.conversation.split_once('/') {
            Some((_, name)) if !name.contains('/') => name.to_owned(),
            _ => "sub".to_owned(),
        };
        let line = self
            .0
            .lock()
            .unwrap()
            .get_mut(&who)
            .and_then(VecDeque::pop_front);
        let count = request.messages.len();
        let calls = match line {
            Some(Line::Call(tool, input)) => vec![(tool, input)],
            Some(Line::Calls(calls)) => calls,
            Some(Line::Say) | None => Vec::new(),
        };
        let (blocks, stop) = if calls.is_empty() {
            (vec![Block::text("That is all.")], StopReason::EndTurn)
        } else {
            let call = |(at, (tool, input)): (usize, (&str, Value))| {
                Block::tool_use(&ToolCall {
                    id: CallId::new(format!("call_{count}_{at}")),
                    name: tool.to_owned(),
                    input: ToolInput::from_json(input.to_string()),
                })
            };
            (
                calls.into_iter().enumerate().map(call).collect(),
                StopReason::ToolUse,
            )
        };
        Box::pin(std::future::ready(Ok(Reply {
            blocks,
            stop,
            usage: Usage::default(),
            model: "lines:one".to_owned(),
            wire: Wire::Plain,
        })))
    }

    fn rate_limit_key(&self) -> &'static str {
        "lines"
    }
}
