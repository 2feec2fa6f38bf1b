//! What models and tools say at random: everything that can be in a conversation.

use std::sync::Arc;

use teammate_core::{
    block::Block,
    model::{Reply, StopReason, Usage, Wire},
    tool::{CallId, Outcome, OutcomePart, ToolCall, ToolInput},
    transcript::Entry,
};

use crate::damage::{Place, chance::Chance};

/// What the loop records in a long conversation.
pub(crate) async fn talk(seed: u64) -> Vec<Entry> {
    let chance = Chance::new(seed);
    let place = Place::new();
    let mut entries = Vec::new();
    // A few lives: some end in the middle of a turn.
    for _ in 0..3 {
        let mut life = place.life(&Arc::default(), chance.clone()).await;
        life.lives(15, &format!("talk {seed}")).await;
        entries.append(&mut life.recorded);
    }
    entries
}

fn block(json: &serde_json::Value) -> Block {
    Block::from_json(json.to_string()).unwrap()
}

/// An answer; its calls are numbered from `id`.
pub(crate) fn reply(chance: &Chance, wire: Wire, id: usize) -> Reply {
    let mut blocks = Vec::new();
    if chance.one_in(3) {
        blocks.push(match wire {
            Wire::Responses => block(&serde_json::json!({"type": "reasoning", "id": format!("rs_{id}"), "summary": [], "encrypted_content": "b64"})),
            Wire::OpenAi => block(&serde_json::json!({"type": "reasoning", "text": "hm", "field": "reasoning_content"}),
            ),
            Wire::Anthropic | Wire::Plain => block(&serde_json::json!({"type": "thinking", "thinking": "Now what?", "signature": format!("c2ln{id}")}),
            ),
        });
    }
    let text = |chance: &Chance| Block::text(&"So it is. ".repeat(1 + chance.below(40)));
    let stop = match chance.below(16) {
        0..5 => {
            blocks.push(text(chance));
            StopReason::EndTurn
        }
        5..8 => {
            blocks.push(call(chance, id));
            StopReason::ToolUse
        }
        8..12 => {
            blocks.push(text(chance));
            let count = 2 + chance.below(3);
            blocks.extend((0..count).map(|at| call(chance, id + at)));
            StopReason::ToolUse
        }
        12 => {
            blocks.push(Block::text("cut"));
            StopReason::MaxTokens
        }
        13 => {
            blocks.push(text(chance));
            StopReason::Refusal
        }
        14 if wire == Wire::Anthropic => {
            blocks.extend(searched(chance));
            StopReason::Pause
        }
        14 => StopReason::EndTurn,
        _ => {
            blocks.push(Block::text(" "));
            StopReason::EndTurn
        }
    };
    answer(blocks, stop, wire)
}

/// What the server searched for while it answered.
fn searched(chance: &Chance) -> Vec<Block> {
    let id = format!("srvtoolu_{}", chance.below(1 << 40));
    let mut blocks = vec![
        Block::text("I look for it."),
        block(
            &serde_json::json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {}}),
        ),
    ];
    if !chance.one_in(3) {
        let found =
            serde_json::json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []});
        blocks.push(block(&found));
        blocks.push(Block::text("Found it."));
    }
    blocks
}

fn call(chance: &Chance, id: usize) -> Block {
    let names = [
        "bash",
        "read_file",
        "read_file",
        "send_message",
        "task",
        "fly",
    ];
    let input = match chance.below(6) {
        0 => "{\"half\":".to_owned(),
        n => format!("{{\"n\": {n}e2,  \"é\":\"\\u00e9\"}}"),
    };
    Block::tool_use(&ToolCall {
        id: CallId::new(format!("call_{id}")),
        name: names[chance.below(names.len())].to_owned(),
        input: ToolInput::from_json(input),
    })
}

pub(crate) fn summary(wire: Wire) -> Reply {
    answer(vec![Block::text("The gist.")], StopReason::EndTurn, wire)
}

fn answer(blocks: Vec<Block>, stop: StopReason, wire: Wire) -> Reply {
    Reply {
        blocks,
        stop,
        usage: Usage::default(),
        model: "vendor:m".to_owned(),
        wire,
    }
}

/// What came of a call.
pub(crate) fn outcome(chance: &Chance) -> Outcome {
    match chance.below(6) {
        0 => Outcome::error("no such file"),
        1 => Outcome::ok(""),
        2 => Outcome {
            parts: vec![
                OutcomePart::Text("see".to_owned()),
                OutcomePart::Image {
                    media_type: "image/png",
                    base64: "iVBORw0KGgo=".to_owned(),
                },
            ],
            is_error: false,
            ran: None,
            change: None,
            merge: None,
            refused: None,
        },
        _ => Outcome::ok("a line of text that is long\n".repeat(1 + chance.below(100))),
    }
}
