//! As much of a conversation as fits: its first message and its newest ones, with a note about what is missing. No
//! call is parted from its outcome.

use std::sync::Arc;

use crate::{
    block::{Block, BlockView},
    model::{ChatMessage, Role},
};

const CUT: &str = "\n[cut here: the rest was too long]";

/// An excerpt of about `bytes_max` bytes.
pub(super) fn excerpt(messages: &[Arc<ChatMessage>], bytes_max: usize) -> Vec<Arc<ChatMessage>> {
    let Some((first, rest)) = messages.split_first() else {
        return Vec::new();
    };
    let mut head = cut(&first.blocks, bytes_max / 2);
    let mut room = bytes_max.saturating_sub(head.iter().map(Block::weight).sum());
    let mut from = rest.len();
    for (at, message) in rest.iter().enumerate().rev() {
        let Some(left) = room.checked_sub(weight(message)) else {
            break;
        };
        room = left;
        // Only an answer can follow the first message, and the outcomes of its calls come after it.
        if message.role == Role::Assistant {
            from = at;
        }
    }
    if from > 0 {
        head.push(Block::text(&format!(
            "[{from} messages are left out here: together they were too long]"
        )));
    }
    let head = Arc::new(ChatMessage::new(first.role, head, first.origin.clone()));
    std::iter::once(head)
        .chain(rest[from..].iter().cloned())
        .collect()
}

/// The blocks, their texts cut so that all together have about `bytes_max` bytes.
pub(super) fn cut(blocks: &[Block], bytes_max: usize) -> Vec<Block> {
    let all: usize = blocks.iter().map(Block::weight).sum();
    if all <= bytes_max {
        return blocks.to_vec();
    }
    let share = bytes_max / blocks.len().max(1);
    blocks
        .iter()
        .map(|block| match block.view() {
            BlockView::Text(text) if text.len() > share => {
                let end = text.floor_char_boundary(share);
                Block::text(&format!("{}{CUT}", &text[..end]))
            }
            BlockView::Text(_)
            | BlockView::ToolUse(_)
            | BlockView::Thinking(_)
            | BlockView::Other => block.clone(),
        })
        .collect()
}

/// How much of a context a message takes, in bytes.
pub(super) fn weight(message: &ChatMessage) -> usize {
    message.blocks.iter().map(Block::weight).sum()
}
