//! Old tool outcomes are replaced by one line each: which tool it was, how long it was, and where the whole is, if
//! a file has it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Deserialize;

use crate::{
    block::{Block, BlockView},
    model::ChatMessage,
    tool::{CallId, FULL_OUTPUT_IN, Outcome},
};

/// The newest outcomes stay as they are: the model is at work with them.
const RECENT_KEPT_WHOLE: usize = 6;

/// Outcomes up to this length are not replaced.
const SHORT_BYTES: usize = 1_000;

/// Outcomes that can be shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortening {
    /// Of these calls.
    pub calls: Vec<CallId>,
    /// How many bytes they have, nearly all of which would be gone.
    pub bytes: usize,
}

/// A tool result, as far as it is looked into.
#[derive(Deserialize)]
struct ShownOutcome {
    r#type: String,
    tool_use_id: CallId,
    #[serde(default)]
    content: Vec<OutcomeText>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct OutcomeText {
    text: Option<String>,
}

/// What can be shortened, the oldest first.
pub(super) fn plan_shortening(messages: &[Arc<ChatMessage>]) -> Option<Shortening> {
    let blocks = messages
        .iter()
        .rev()
        .flat_map(|message| message.blocks.iter().rev());
    let answers = blocks.filter_map(|block| Some((answer(block)?.tool_use_id, block.weight())));
    let (mut calls, weights): (Vec<CallId>, Vec<usize>) = answers
        .skip(RECENT_KEPT_WHOLE)
        .filter(|(_, weight)| *weight > SHORT_BYTES)
        .unzip();
    calls.reverse();
    let bytes = weights.iter().sum();
    (!calls.is_empty()).then_some(Shortening { calls, bytes })
}

/// The messages with these outcomes shortened.
pub(super) fn shorten(messages: &mut [Arc<ChatMessage>], calls: &[CallId]) {
    let calls: BTreeSet<&CallId> = calls.iter().collect();
    let mut tools = BTreeMap::new();
    for message in messages {
        tools.extend(
            message
                .blocks
                .iter()
                .filter_map(|block| match block.view() {
                    BlockView::ToolUse(call) => Some((call.id, call.name)),
                    BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
                }),
        );
        let short: Vec<Option<Block>> = message
            .blocks
            .iter()
            .map(|block| {
                let answer = answer(block).filter(|answer| calls.contains(&answer.tool_use_id))?;
                let tool = tools
                    .get(&answer.tool_use_id)
                    .map_or("a tool", String::as_str);
                Some(placeholder_block(tool, &answer, block.weight()))
            })
            .collect();
        if short.iter().any(Option::is_some) {
            let blocks = short.into_iter().zip(&message.blocks);
            let blocks = blocks.map(|(short, block)| short.unwrap_or_else(|| block.clone()));
            *message = Arc::new(ChatMessage::new(
                message.role,
                blocks.collect(),
                message.origin.clone(),
            ));
        }
    }
}

fn placeholder_block(tool: &str, answer: &ShownOutcome, bytes: usize) -> Block {
    let texts = answer
        .content
        .iter()
        .filter_map(|part| part.text.as_deref());
    let file = texts.rev().find_map(|text| {
        text.rsplit_once(FULL_OUTPUT_IN)?
            .1
            .split([';', '\n'])
            .next()
    });
    let found = match file {
        Some(file) => format!("{FULL_OUTPUT_IN}{file}; read it there if you need it"),
        None => "call it again if you need it".to_owned(),
    };
    let outcome = Outcome {
        is_error: answer.is_error,
        ..Outcome::ok(format!(
            "[{tool}: {bytes} bytes were removed here to free context; {found}]"
        ))
    };
    Block::tool_result(&answer.tool_use_id, &outcome)
}

fn answer(block: &Block) -> Option<ShownOutcome> {
    if block.view() != BlockView::Other {
        return None;
    }
    let answer: ShownOutcome = serde_json::from_str(block.json()).ok()?;
    (answer.r#type == "tool_result").then_some(answer)
}
